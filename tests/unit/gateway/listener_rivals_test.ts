/**
 * Rivals at one Gateway, held against models that look at everything at once: listeners of a Gateway
 * and its sets, and routes of two kinds that want the same hosts.
 */

import fc from "fast-check";
import { assertEquals } from "@std/assert";
import type { GatewayListeners } from "../../../src/gateway/compute/compute_view.ts";
import { ComputedWorld } from "../../fakes/computed_world.ts";
import { grpcRoute, listenerSet } from "../../fakes/gateway_kind_objects.ts";
import {
  gateway,
  gatewayClass,
  httpRoute,
  type Json,
  listener,
  service,
  tlsSecret,
} from "../../fakes/gateway_objects.ts";
import { makeCertificate } from "../../fakes/gateway_certificates.ts";
import { toKey } from "../../fakes/gateway_world.ts";

const certificate = await makeCertificate(["a.example.com"]);

const created = fc.constantFrom("2026-01-01T00:00:00Z", "2026-02-02T00:00:00Z");

/** A listener as far as conflicts go. */
interface Place {
  readonly port: number;
  readonly protocol: "HTTP" | "HTTPS" | "TCP" | "UDP";
  readonly hostname?: string;
}

const place = fc.record({
  port: fc.constantFrom(80, 443),
  protocol: fc.constantFrom("HTTP", "HTTP", "HTTPS", "TCP", "UDP"),
  hostname: fc.constantFrom(undefined, "a.example.com", "b.example.com"),
}).map(({ port, protocol, hostname }): Place =>
  hostname === undefined || protocol === "TCP" || protocol === "UDP"
    ? { port, protocol }
    : { port, protocol, hostname }
);

const places = fc.array(place, { minLength: 1, maxLength: 3 });

function listenerAt({ protocol, ...rest }: Place, index: number): Json {
  const tls = protocol === "HTTPS" ? { tls: { certificateRefs: [{ name: "one" }] } } : {};
  return listener(`l${index}`, { protocol, ...rest, ...tls });
}

const sharesPort = (a: Place, b: Place): boolean =>
  a.port === b.port && (a.protocol === "UDP") === (b.protocol === "UDP");
const clashes = (a: Place, b: Place): boolean =>
  sharesPort(a, b) && (a.protocol !== b.protocol || a.hostname === b.hostname);

/** Whether each listener of one object is conflicted, when `taken` was there before. */
function naiveConflicts(listeners: readonly Place[], taken: Place[]): readonly boolean[] {
  const lost = listeners.map((own) => taken.some((other) => clashes(own, other)));
  const left = listeners.filter((_, index) => !lost[index]);
  const mixed = (own: Place): boolean =>
    left.some((other) => sharesPort(own, other) && own.protocol !== other.protocol);
  const conflicts = listeners.map((own, index) =>
    lost[index] || mixed(own) || left.some((other) => other !== own && clashes(own, other))
  );
  taken.push(...listeners.filter((_, index) => !conflicts[index]));
  return conflicts;
}

const conflictsOf = (listeners: GatewayListeners["listeners"]): readonly boolean[] =>
  listeners.map(({ conflict }) => conflict !== undefined);

Deno.test("Listeners of a Gateway and its sets are conflicted as in a list of all of them", () => {
  const set = fc.record({ listeners: places, created });
  fc.assert(
    fc.property(places, fc.array(set, { minLength: 1, maxLength: 3 }), (own, sets) => {
      const open = { allowedListeners: { namespaces: { from: "All" } } };
      const world = new ComputedWorld([
        gatewayClass(),
        tlsSecret("one", certificate),
        gateway("gw", own.map(listenerAt), open),
        ...sets.map(({ listeners, created }, index) =>
          listenerSet(`s${index}`, listeners.map(listenerAt), {}, { created })
        ),
      ]);
      const found = world.computed.view.listeners(toKey("default/gw"));
      const taken: Place[] = [];
      assertEquals(conflictsOf(found.listeners), naiveConflicts(own, taken));
      const inOrder = sets.map((set, index) => ({ ...set, name: `default/s${index}` }))
        .sort((a, b) => a.created === b.created ? 0 : a.created < b.created ? -1 : 1);
      for (const [index, { listeners, name }] of inOrder.entries()) {
        assertEquals(String(found.sets[index]?.key), name);
        assertEquals(
          conflictsOf(found.sets[index]?.listeners ?? []),
          naiveConflicts(listeners, taken),
        );
      }
    }),
    { numRuns: 150 },
  );
});

/** One host for each way in which the hostnames below can meet. */
const hosts = ["a.example.com", "b.a.example.com", "c.example.com", "other.org", "z.z"];

const matches = (hostname: string | undefined, host: string): boolean =>
  hostname === undefined || hostname === host ||
  (hostname.startsWith("*.") && host.endsWith(hostname.slice(1)));

interface Rival {
  readonly kind: "HTTPRoute" | "GRPCRoute";
  readonly name: string;
  readonly created: string;
  readonly hostnames: readonly string[];
  readonly sections: readonly string[];
}

const rival = fc.record({
  kind: fc.constantFrom("HTTPRoute", "GRPCRoute"),
  name: fc.constantFrom("a", "b", "c"),
  created,
  hostnames: fc.uniqueArray(
    fc.constantFrom("a.example.com", "*.example.com", "*.a.example.com", "other.org"),
    { maxLength: 2 },
  ),
  sections: fc.subarray(["one", "two"], { minLength: 1 }),
});

const rivals = fc.uniqueArray(rival, {
  selector: ({ kind, name }) => `${kind} ${name}`,
  maxLength: 6,
});

/** The hosts of each route that a listener takes, by hosts alone. */
function naiveTaken(
  section: string,
  hostname: string | undefined,
  routes: readonly Rival[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const taken = new Map<string, ReadonlySet<string>>();
  const byAge = [...routes].sort((a, b) => {
    const order = (route: Rival) =>
      `${route.created} default/${route.name} ${route.kind === "GRPCRoute" ? 0 : 1}`;
    return order(a) < order(b) ? -1 : 1;
  });
  for (const { kind, name, hostnames, sections } of byAge) {
    if (!sections.includes(section)) continue;
    const own = hosts.filter((host) =>
      matches(hostname, host) &&
      (hostnames.length === 0 || hostnames.some((route) => matches(route, host)))
    );
    const isLost = [...taken].some(([other, theirs]) =>
      !other.startsWith(`${kind} `) && own.some((host) => theirs.has(host))
    );
    if (!isLost && own.length > 0) taken.set(`${kind} ${name}`, new Set(own));
  }
  return taken;
}

Deno.test("Of HTTPRoutes and GRPCRoutes that want a host the older is taken, listener by listener", () => {
  const hostname = fc.constantFrom(undefined, "*.example.com", "a.example.com");
  fc.assert(
    fc.property(fc.tuple(hostname, hostname), rivals, (hostnames, routes) => {
      const world = new ComputedWorld([gatewayClass(), service("web")]);
      const listeners = ["one", "two"].map((name, index) => {
        const own = hostnames[index];
        return listener(name, {
          port: 80 + index,
          ...(own === undefined ? {} : { hostname: own }),
        });
      });
      world.step(gateway("gw", listeners));
      // One after the other, so that each new one meets those that are there.
      for (const { kind, name, created, hostnames, sections } of routes) {
        const spec = {
          hostnames,
          parentRefs: sections.map((sectionName) => ({ name: "gw", sectionName })),
        };
        const make = kind === "HTTPRoute" ? httpRoute : grpcRoute;
        world.step(make(name, spec, { created }));
      }
      for (const [index, section] of ["one", "two"].entries()) {
        const entries = world.listener(section).routes;
        const found = new Map<string, Set<string>>();
        for (const { origin, hostname } of entries) {
          const route = `${origin.kind} ${origin.name}`;
          const own = found.get(route) ?? new Set();
          for (const host of hosts) if (matches(hostname, host)) own.add(host);
          found.set(route, own);
        }
        const wanted = naiveTaken(section, hostnames[index], routes);
        const text = (map: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] =>
          [...map].map(([route, own]) => `${route}: ${[...own].sort()}`).sort();
        assertEquals(text(found), text(wanted), section);
      }
    }),
    { numRuns: 150 },
  );
});
