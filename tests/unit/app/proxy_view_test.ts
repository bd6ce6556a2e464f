/**
 * What a user would lose if these failed: where a Gateway really listens, which route is tried first,
 * and which endpoints serve it.
 */

import { assertEquals } from "@std/assert";
import { parse, strictObject } from "valibot";
import { ProxyStateSchema } from "../../../src/api/proxy.ts";
import { toProxyState } from "../../../src/app/proxy_view.ts";
import {
  certificateName,
  clusterName,
  type GatewayConfig,
  type GatewayKey,
  type Listener,
} from "../../../src/dataplane/model.ts";
import { testProxy } from "../../fakes/http_api.ts";

const edge = "default/edge" as GatewayKey;

Deno.test("toProxyState() shows spec port, bound port and URL of each address", () => {
  const state = toProxyState(testProxy());
  assertEquals(state.revision, "e1.7");
  const [listener] = state.gateways[0]?.listeners ?? [];
  assertEquals(listener?.port, 443);
  assertEquals(listener?.bound, [
    { address: "127.0.0.1", port: 18443, url: "https://127.0.0.1:18443/" },
    { address: "::1", port: 18443, url: "https://[::1]:18443/" },
  ]);
  assertEquals(state.gateways[0]?.acknowledged, true);
});

Deno.test("toProxyState() fits the schema that the API publishes", () => {
  const state = toProxyState(testProxy());
  assertEquals(
    parse(strictObject(ProxyStateSchema.entries), state),
    parse(ProxyStateSchema, state),
  );
  assertEquals(JSON.parse(JSON.stringify(parse(ProxyStateSchema, state))), {
    ...JSON.parse(JSON.stringify(state)),
  });
});

Deno.test("toProxyState() reads of a certificate its name and digest only", () => {
  const state = toProxyState(testProxy());
  assertEquals(state.gateways[0]?.listeners[0]?.certificates, [
    { name: "default/planted", digest: "sha256:1" },
  ]);
  assertEquals(/BEGIN|KEY/.test(JSON.stringify(state)), false);
});

Deno.test("toProxyState() tells a configuration that the data plane has not answered yet", () => {
  const sources = testProxy();
  const config = sources.config.gateways.get(edge);
  const newer = new Map([[edge, { ...config } as GatewayConfig]]);
  const state = toProxyState({ ...sources, config: { ...sources.config, gateways: newer } });
  assertEquals(state.gateways[0]?.acknowledged, false);
  assertEquals(state.gateways[0]?.listeners[0]?.bound.length, 2);
  const silent = toProxyState({ ...sources, acknowledgements: new Map() });
  assertEquals(silent.gateways[0]?.acknowledged, false);
  assertEquals(silent.gateways[0]?.listeners[0]?.bound, []);
});

Deno.test("toProxyState() lists refusals with the object that they belong to", () => {
  const sources = testProxy();
  const answer = sources.acknowledgements.get(edge);
  if (!answer) throw new Error("the fixture has an answer");
  const refusal = {
    origin: { kind: "Gateway", namespace: "default", name: "edge" },
    listener: "https",
    reason: "PortUnavailable",
    message: "Port 443 is taken",
  };
  const state = toProxyState({
    ...sources,
    acknowledgements: new Map([[edge, { ...answer, listeners: [], refusals: [refusal] }]]),
  });
  const { origin: object, ...rest } = refusal;
  assertEquals(state.gateways[0]?.refusals, [{ object, ...rest }]);
});

Deno.test("toProxyState() keeps the order of routes and sorts Gateways and clusters", () => {
  const sources = testProxy();
  const { gateways, clusters } = sources.config;
  const gateway = gateways.get(edge);
  const listener = gateway?.listeners[0];
  const entry = listener?.routes[0];
  const cluster = [...clusters.values()][0];
  if (!gateway || !listener || !entry || !cluster) throw new Error("the fixture is whole");
  const routes = [{ ...entry, ruleIndex: 2 }, entry, { ...entry, ruleIndex: 1 }];
  const named = ["z/a", "a-b/a", "a/b", "a/a"].map((key) => key as GatewayKey);
  const state = toProxyState({
    ...sources,
    config: {
      ...sources.config,
      gateways: new Map(
        named.map((key) => [key, { ...gateway, key, listeners: [{ ...listener, routes }] }]),
      ),
      clusters: new Map(["z", "a"].map((text) => {
        const name = text as typeof cluster.name;
        return [name, { ...cluster, name }];
      })),
    },
  });
  assertEquals(
    state.gateways.map(({ namespace, name }) => `${namespace}/${name}`),
    ["a/a", "a/b", "a-b/a", "z/a"],
  );
  assertEquals(state.clusters.map(({ name }) => name), ["a", "z"]);
  assertEquals(
    state.gateways[0]?.listeners[0]?.routes.map(({ ruleIndex }) => ruleIndex),
    [2, 0, 1],
  );
});

/** A listener for streams, client certificates on both sides, TLS to the backend. */
function secureProxy(): ReturnType<typeof testProxy> {
  const sources = testProxy();
  const gateway = sources.config.gateways.get(edge);
  const [https] = gateway?.listeners ?? [];
  if (!gateway || !https) throw new Error("the fixture is whole");
  const cluster = clusterName("default", "db", 5432, "TCP");
  const backend = { kind: "Service", namespace: "default", name: "db" };
  const postgres: Listener = {
    name: "default/more/db",
    origin: { kind: "ListenerSet", namespace: "default", name: "more" },
    port: 5432,
    protocol: "TLS",
    routes: [],
    streams: [{
      origin: { kind: "TLSRoute", namespace: "default", name: "db" },
      creationTimestamp: "2026-01-01T00:00:00Z",
      hostname: "db.example.com",
      backends: [{ weight: 3, cluster }, { weight: 1 }],
    }],
  };
  const pem = "-----BEGIN CERTIFICATE-----";
  const listeners = [
    { ...https, clientValidation: { caCertificates: [pem], isOptional: true } },
    postgres,
  ];
  const config = { ...gateway, clientCertificate: certificateName("default", "me"), listeners };
  const tls = {
    hostname: "db.internal",
    subjectAltNames: [{ type: "URI", value: "spiffe://db" }] as const,
    trust: [pem],
  };
  return {
    ...sources,
    config: {
      ...sources.config,
      gateways: new Map([[edge, config]]),
      clusters: new Map([[cluster, {
        name: cluster,
        origin: backend,
        port: 5432,
        endpoints: [],
        tls,
      }]]),
    },
  };
}

Deno.test("toProxyState() shows where streams go, and who has to show and check certificates", () => {
  const state = toProxyState(secureProxy());
  const [gateway] = state.gateways;
  assertEquals(gateway?.clientCertificate, "default/me");
  const [https, postgres] = gateway?.listeners ?? [];
  assertEquals(https?.clientValidation, "AllowInsecureFallback");
  assertEquals(postgres?.streams, [{
    route: { kind: "TLSRoute", namespace: "default", name: "db" },
    hostname: "db.example.com",
    backends: [{ weight: 3, cluster: "default/db/5432/TCP" }, { weight: 1 }],
  }]);
  assertEquals(state.clusters[0]?.tls, {
    hostname: "db.internal",
    subjectAltNames: [{ type: "URI", value: "spiffe://db" }],
    trust: "CACertificates",
  });
  assertEquals(/BEGIN/.test(JSON.stringify(state)), false);
  assertEquals(parse(ProxyStateSchema, state), state);
});
