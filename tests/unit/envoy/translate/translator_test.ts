/**
 * What a world holds and what it shares with the one before: Envoy waits for ever for a name that
 * nobody sends, is told needlessly what did not change, and must never get a key that is not its own.
 */

import { assert, assertEquals, assertNotStrictEquals, assertStrictEquals } from "@std/assert";
import {
  clusterName,
  type DataPlaneConfig,
  type HttpRouteEntry,
  type StreamRouteEntry,
} from "../../../../src/dataplane/model.ts";
import type { EnvoyKind, EnvoyResource, EnvoyWorld } from "../../../../src/envoy/resources.ts";
import { certificateStub } from "../../../fakes/certificate_stub.ts";
import {
  cluster,
  configOf,
  gateway,
  listener,
  loopback,
} from "../../../fakes/data_plane_config.ts";
import { object } from "../../../fakes/envoy_routing.ts";
import { shownResources } from "../../../fakes/envoy_static.ts";
import { envoyCodec, newTranslator, translateOnce } from "../../../fakes/envoy_translation.ts";
import { routeEntry } from "../../../fakes/route_entries.ts";

const a = clusterName("default", "a", 80);
const b = clusterName("default", "b", 80);
const clusters = [cluster(a, loopback(1)), cluster(b, [])];

function to(
  name: string,
  hostname: string,
  parts: Partial<HttpRouteEntry["action"]> = {},
): HttpRouteEntry {
  return routeEntry({
    name,
    hostname,
    action: { backends: [{ weight: 1, cluster: a, filters: [] }], ...parts },
  });
}

const routes = [to("one", "one.io"), to("two", "two.io")];

/** The certificate `mine` is used, `theirs` is another Gateway's. */
const certificates = [certificateStub("default", "mine"), certificateStub("default", "theirs")];

function world(parts: Partial<Parameters<typeof configOf>[0]> = {}): DataPlaneConfig {
  const [mine] = certificates;
  assert(mine);
  return configOf({
    gateways: [
      gateway("web", [
        listener("web", { port: 80, routes }),
        listener("web", {
          name: "tls",
          port: 443,
          protocol: "HTTPS",
          hostname: "*.io",
          certificates: [mine.name],
          clientValidation: { caCertificates: ["authority"], isOptional: false },
        }),
      ]),
    ],
    clusters,
    certificates,
    ...parts,
  });
}

function names({ resources }: EnvoyWorld, kind: EnvoyKind): readonly string[] {
  return [...resources[kind].keys()];
}

function resource({ resources }: EnvoyWorld, kind: EnvoyKind, name: string): EnvoyResource {
  const found = resources[kind].get(name);
  assert(found, `${kind} ${name}`);
  return found;
}

function shown(found: EnvoyWorld, kind: EnvoyKind, name: string): string {
  return JSON.stringify(shownResources(found, kind, envoyCodec).get(name));
}

Deno.test("a world holds what its Gateways refer to, and no other key", () => {
  const { world: found, refusals } = translateOnce(world());
  assertEquals(refusals, []);
  assertEquals(found.revision, 1);
  assertEquals(names(found, "listener"), ["127.0.0.1:443", "127.0.0.1:80"]);
  assertEquals(names(found, "route"), ["127.0.0.1:443/*.io", "127.0.0.1:80"]);
  assertEquals(names(found, "cluster"), ["default/a/80"]);
  assertEquals(names(found, "endpoints"), ["default/a/80"]);
  assertEquals(names(found, "secret"), ["client-validation/default/web/tls", "default/mine"]);
});

Deno.test("the same configuration translates to the same world, down to its runs", () => {
  const translator = newTranslator();
  const first = translator.translate(world()).world;
  const second = translator.translate(world()).world;
  assertEquals(second.resources, first.resources);
  for (const kind of ["listener", "route", "cluster", "endpoints", "secret"] as const) {
    assertStrictEquals(second.resources[kind], first.resources[kind], kind);
  }
  assertEquals(translateOnce(world()).world, first);
});

Deno.test("a change of endpoints touches nothing but them", () => {
  const translator = newTranslator();
  const first = translator.translate(world()).world;
  const moved = {
    ...cluster(a, loopback(2)),
    origin: clusters[0]?.origin ?? { kind: "", namespace: "", name: "" },
  };
  const second = translator.translate(world({ clusters: [moved] })).world;
  assertNotStrictEquals(second.resources.endpoints, first.resources.endpoints);
  for (const kind of ["listener", "route", "cluster", "secret"] as const) {
    assertStrictEquals(second.resources[kind], first.resources[kind], kind);
  }
});

Deno.test("a changed route gives its configuration a new version, which a fresh process shares", () => {
  const translator = newTranslator();
  const first = translator.translate(world()).world;
  const changed = [to("one", "one.io", { requestTimeoutMs: 5 }), ...routes.slice(1)];
  const config = world({
    gateways: [gateway("web", [listener("web", { port: 80, routes: changed })])],
  });
  const second = translator.translate(config).world;
  const name = "127.0.0.1:80";
  assert(resource(second, "route", name).version !== resource(first, "route", name).version);
  assertStrictEquals(resource(second, "listener", name), resource(first, "listener", name));
  assertEquals(translateOnce(config).world.resources, second.resources);
  assertEquals(names(second, "secret"), []);
});

Deno.test("resources name the objects that they were made from, in order", () => {
  const { world: found } = translateOnce(world());
  const told = (kind: EnvoyKind, name: string): readonly string[] =>
    resource(found, kind, name).origins.map((origin) =>
      `${origin.kind} ${origin.name}${origin.listener === undefined ? "" : `#${origin.listener}`}`
    );
  assertEquals(told("route", "127.0.0.1:80"), [
    "HTTPRoute one",
    "HTTPRoute two",
    "Gateway web#http",
  ]);
  assertEquals(told("listener", "127.0.0.1:443"), ["Gateway web#tls"]);
  assertEquals(told("secret", "default/mine"), ["Secret mine", "Gateway web#tls"]);
  assertEquals(told("cluster", "default/a/80"), ["Service backend"]);
});

Deno.test("a listener without its certificates is refused, and nothing waits for them", () => {
  const { world: found, refusals } = translateOnce(world({ certificates: [] }));
  assertEquals(refusals.map(({ refusal }) => `${refusal.listener} ${refusal.reason}`), [
    "tls InvalidCertificateRef",
  ]);
  assertEquals(names(found, "listener"), ["127.0.0.1:80"]);
  assertEquals(names(found, "secret"), []);
});

Deno.test("backends of Gateways with different client certificates are different clusters", () => {
  const [mine, theirs] = certificates;
  assert(mine && theirs);
  const { world: found } = translateOnce(world({
    gateways: [
      gateway("web", [listener("web", { port: 80, routes })]),
      gateway("other", [listener("other", { port: 81, routes })], {
        clientCertificate: theirs.name,
      }),
    ],
    clusters: [{
      ...cluster(a, loopback(1)),
      tls: { hostname: "a.io", subjectAltNames: [], trust: "system" },
    }],
  }));
  assertEquals(names(found, "cluster"), ["default/a/80", "default/a/80?client=default/theirs"]);
  assertEquals(names(found, "endpoints"), names(found, "cluster"));
  assertEquals(names(found, "secret"), ["default/theirs"]);
  assert(!shown(found, "cluster", "default/a/80").includes("sdsConfig"));
});

Deno.test("a rule with sessions has one cluster with a locality for each backend", () => {
  const entry = to("one", "one.io", {
    backends: [{ weight: 9, cluster: a, filters: [] }, { weight: 1, cluster: b, filters: [] }],
    sessionPersistence: { type: "Cookie", sessionName: "s", isPermanent: false },
  });
  const { world: found } = translateOnce(world({
    gateways: [gateway("web", [listener("web", { port: 80, routes: [entry] })])],
  }));
  const name = "HTTPRoute/default/one/0";
  assertEquals(names(found, "cluster"), [name, "default/a/80", "default/b/80"]);
  const assignment = shownResources(found, "endpoints", envoyCodec).get(name);
  const { endpoints } = object(assignment);
  const weights = Array.isArray(endpoints) ? endpoints.map((part) => part.loadBalancingWeight) : [];
  assertEquals(weights, [9, 1]);
  assert(shown(found, "route", "127.0.0.1:80").includes(`"cluster":"${name}"`));
});

Deno.test("sessions over backends that are spoken to differently stay within each of them", () => {
  const entry = to("one", "one.io", {
    backends: [{ weight: 1, cluster: a, filters: [] }, { weight: 1, cluster: b, filters: [] }],
    sessionPersistence: { type: "Header", sessionName: "s", isPermanent: false },
  });
  const { world: found } = translateOnce(world({
    gateways: [gateway("web", [listener("web", { port: 80, routes: [entry] })])],
    clusters: [cluster(a, loopback(1)), { ...cluster(b, loopback(2)), appProtocol: "h2c" }],
  }));
  assertEquals(names(found, "cluster"), ["default/a/80", "default/b/80"]);
  assert(shown(found, "route", "127.0.0.1:80").includes("weightedClusters"));
});

function stream(kind: string, parts: Partial<StreamRouteEntry> = {}): StreamRouteEntry {
  return {
    origin: { kind, namespace: "default", name: "stream" },
    creationTimestamp: "2026-01-01T00:00:00Z",
    backends: [{ weight: 1, cluster: a }, { weight: 2, cluster: b }],
    ...parts,
  };
}

Deno.test("streams: one socket for datagrams and one for connections on the same port", () => {
  const { world: found } = translateOnce(world({
    gateways: [
      gateway("web", [
        listener("web", { name: "t", port: 53, protocol: "TCP", streams: [stream("TCPRoute")] }),
        listener("web", { name: "u", port: 53, protocol: "UDP", streams: [stream("UDPRoute")] }),
        listener("web", { name: "none", port: 54, protocol: "TCP" }),
      ]),
    ],
  }));
  assertEquals(names(found, "listener"), ["127.0.0.1:53", "127.0.0.1:53/udp", "127.0.0.1:54"]);
  assert(shown(found, "listener", "127.0.0.1:53").includes('"weight":2'));
  assert(shown(found, "listener", "127.0.0.1:53/udp").includes("UDPRoute/default/stream/0"));
  assert(shown(found, "listener", "127.0.0.1:54").includes("weir-invalid"));
  // The share of a backend without endpoints is dropped, not given to the other one.
  const assignment = shown(found, "endpoints", "UDPRoute/default/stream/0");
  assertEquals(assignment.match(/"portValue":\d+|"loadBalancingWeight":\d+/g), [
    '"portValue":1',
    '"loadBalancingWeight":1',
    '"portValue":9',
    '"loadBalancingWeight":2',
  ]);
});

Deno.test("a TLS hostname without a route closes connections instead of giving them away", () => {
  const tls = (name: string, parts: object) =>
    listener("web", { name, port: 443, protocol: "TLS", ...parts });
  const { world: found } = translateOnce(world({
    gateways: [
      gateway("web", [
        tls("exact", { hostname: "a.x.io" }),
        tls("wild", {
          hostname: "*.x.io",
          streams: [
            stream("TLSRoute", { hostname: "a.x.io" }),
            stream("TLSRoute", { hostname: "b.x.io", backends: [{ weight: 1, cluster: a }] }),
            stream("TLSRoute", { hostname: "b.x.io" }),
          ],
        }),
      ]),
    ],
  }));
  const { filterChains } = object(
    shownResources(found, "listener", envoyCodec).get("127.0.0.1:443"),
  );
  const chains = (Array.isArray(filterChains) ? filterChains : []).map((chain) =>
    `${chain.name} ${chain.filters[0].typedConfig.cluster}`
  );
  assertEquals(chains, ["*.x.io weir-invalid", "b.x.io default/a/80", "a.x.io weir-invalid"]);
});

Deno.test("hosts that repeat very many routes are told", () => {
  const general = Array.from(
    { length: 201 },
    (_, index) => routeEntry({ path: `Exact:/${index}` }),
  );
  const config = world({
    gateways: [gateway("web", [listener("web", { port: 80, routes: [...routes, ...general] })])],
  });
  assertEquals(translateOnce(config).copiedRoutes, [
    { name: "127.0.0.1:80", domain: "one.io", copyCount: 201 },
  ]);
});

Deno.test("listeners open where they are placed, and keep the name of the specification", () => {
  const place = (_: string, port: number) => ({ address: "::", port: port + 10_000 });
  const { world: found } = translateOnce(world(), { place });
  const { address } = object(shownResources(found, "listener", envoyCodec).get("127.0.0.1:80"));
  assertEquals(address, {
    socketAddress: { address: "::", portValue: 10_080, ipv4Compat: true },
  });
});
