/**
 * TLSRoutes, TCPRoutes and UDPRoutes: what a listener passes on, and to whom. Bytes that reach the
 * wrong backend are somebody else's secrets.
 */

import fc from "fast-check";
import { assertEquals } from "@std/assert";
import type { KubeObject } from "../../../src/kube/object.ts";
import { ComputedWorld } from "../../fakes/computed_world.ts";
import { tcpRoute, tlsRoute, udpRoute } from "../../fakes/gateway_kind_objects.ts";
import {
  backend,
  gateway,
  gatewayClass,
  httpRoute,
  listener,
  service,
} from "../../fakes/gateway_objects.ts";

const listeners = [
  listener("tls", { port: 443, protocol: "TLS", tls: { mode: "Passthrough" } }),
  listener("tcp", { port: 90, protocol: "TCP" }),
  listener("udp", { port: 90, protocol: "UDP" }),
  listener("http"),
];
const dns = service("dns", {
  ports: [{ name: "u", port: 53, protocol: "UDP" }, { name: "t", port: 53, protocol: "TCP" }],
});

function made(...routes: readonly KubeObject[]): ComputedWorld {
  return new ComputedWorld([
    gatewayClass(),
    gateway("gw", listeners),
    service("web"),
    dns,
    ...routes,
  ]);
}

Deno.test("Each kind of route is taken by listeners of its protocol only", () => {
  const world = made(tlsRoute("r"), tcpRoute("r"), udpRoute("r"), httpRoute("r"));
  const kinds = (name: string): readonly string[] => {
    const { routes, streams } = world.listener(name);
    return [...routes, ...streams].map(({ origin }) => origin.kind);
  };
  assertEquals(["tls", "tcp", "udp", "http"].map(kinds), [
    ["TLSRoute"],
    ["TCPRoute"],
    ["UDPRoute"],
    ["HTTPRoute"],
  ]);
});

Deno.test("A backend is reached by the protocol of the route, from the same port number or not", () => {
  const rules = [{ backendRefs: [backend("dns", { port: 53 })] }];
  const world = made(tcpRoute("t", { rules }), udpRoute("u", { rules }));
  const names = (name: string): unknown =>
    world.listener(name).streams.flatMap(({ backends }) => backends.map(({ cluster }) => cluster));
  assertEquals([names("tcp"), names("udp")], [["default/dns/53/TCP"], ["default/dns/53/UDP"]]);
  const condition = (kind: "TCPRoute" | "UDPRoute", name: string): string =>
    world.world.routeCondition(`default/${name}`, "ResolvedRefs", 0, kind);
  assertEquals(condition("UDPRoute", "u"), "True/ResolvedRefs");
  world.step(udpRoute("u"));
  assertEquals(condition("UDPRoute", "u"), "False/UnsupportedProtocol", "web has no UDP port");
});

Deno.test("A reference that does not resolve keeps its share, and one without a share has none", () => {
  const backendRefs = [
    backend("web", { weight: 3 }),
    backend("gone", { weight: 2 }),
    backend("web", { weight: 0 }),
  ];
  const world = made(tcpRoute("r", { rules: [{ name: "rule", backendRefs }] }));
  const [entry] = world.listener("tcp").streams;
  assertEquals([entry?.ruleName, entry?.backends], [
    "rule",
    [{ weight: 3, cluster: world.listener("tcp").streams[0]?.backends[0]?.cluster }, { weight: 2 }],
  ]);
  assertEquals(
    world.world.routeCondition("default/r", "ResolvedRefs", 0, "TCPRoute"),
    "False/BackendNotFound",
  );
});

Deno.test("A TLSRoute is served under the names that it and the listener have in common", () => {
  const world = made(tlsRoute("r", { hostnames: ["a.example.com", "*.example.com"] }));
  const hostnames = (): unknown => world.listener("tls").streams.map(({ hostname }) => hostname);
  assertEquals(hostnames(), ["a.example.com", "*.example.com"]);
  const [tls, ...others] = listeners;
  world.step(gateway("gw", [{ ...tls, hostname: "a.example.com" }, ...others]));
  assertEquals(hostnames(), ["a.example.com"]);
  world.step(tlsRoute("r", { hostnames: ["b.example.com"] }));
  assertEquals(
    world.world.routeCondition("default/r", "Accepted", 0, "TLSRoute"),
    "False/NoMatchingListenerHostname",
  );
});

/** Exact names, then wildcards, then none; the longer first. */
function rankOf(hostname: string | undefined): number {
  if (hostname === undefined) return 2_000;
  return (hostname.startsWith("*.") ? 1_000 : 0) + 500 - hostname.length;
}

Deno.test("TLSRoutes go by name, then age, then their own name, in whatever order they came", () => {
  const route = fc.record({
    name: fc.constantFrom("a", "b", "c", "d"),
    created: fc.constantFrom("2026-01-01T00:00:00Z", "2026-02-02T00:00:00Z"),
    hostnames: fc.uniqueArray(
      fc.constantFrom("a.example.com", "*.example.com", "*.a.example.com", "a.org"),
      { maxLength: 3 },
    ),
  });
  fc.assert(
    fc.property(fc.array(route, { maxLength: 10 }), (steps) => {
      const world = made();
      const present = new Map<string, typeof steps[number]>();
      for (const step of steps) {
        const { name, created, hostnames } = step;
        present.set(name, step);
        world.step(tlsRoute(name, { hostnames }, { created }));
      }
      const wanted = [...present.values()].flatMap(({ name, created, hostnames }) =>
        (hostnames.length === 0 ? [undefined] : hostnames).map((hostname) => ({
          hostname,
          text: `${created} ${name}`,
        }))
      ).sort((a, b) =>
        rankOf(a.hostname) - rankOf(b.hostname) ||
        ((a.hostname ?? "") < (b.hostname ?? "")
          ? -1
          : a.hostname !== b.hostname
          ? 1
          : a.text < b.text
          ? -1
          : 1)
      );
      assertEquals(
        world.listener("tls").streams.map(({ hostname, creationTimestamp, origin }) => ({
          hostname,
          text: `${creationTimestamp} ${origin.name}`,
        })),
        wanted,
      );
    }),
    { numRuns: 60 },
  );
});
