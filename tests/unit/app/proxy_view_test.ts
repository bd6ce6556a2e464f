/**
 * What a user would lose if these failed: where a Gateway really listens, which route is tried first,
 * and which endpoints serve it.
 */

import { assertEquals } from "@std/assert";
import { parse, strictObject } from "valibot";
import { ProxyStateSchema } from "../../../src/api/proxy.ts";
import { toProxyState } from "../../../src/app/proxy_view.ts";
import type { GatewayConfig, GatewayKey } from "../../../src/dataplane/model.ts";
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
