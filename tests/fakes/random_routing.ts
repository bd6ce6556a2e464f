/**
 * Random Gateways with routes, and requests to them: small alphabets, so that candidates overlap.
 */

import fc from "fast-check";
import type { GatewayConfig, HttpRouteEntry } from "../../src/dataplane/model.ts";
import { compareHttpRouteEntries } from "../../src/dataplane/precedence.ts";
import type { PlainRequest } from "./naive_routing.ts";
import { gateway, listener } from "./data_plane_config.ts";
import { routeEntry, valueMatch } from "./route_entries.ts";

const hostnames = ["a.x.io", "b.x.io", "*.x.io", "*.a.x.io", "*.io", "x.io"];
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

/** Paths that normalisation leaves as they are. */
const normalPaths: fc.Arbitrary<string> = fc.array(
  fc.constantFrom("", "a", "b", "ab"),
  { maxLength: 4 },
).map((parts) => `/${parts.join("/")}`.replace(/\/+/g, "/"));

/** One match of one rule. */
export const routeEntries: fc.Arbitrary<HttpRouteEntry> = fc.record({
  hostname: optional(fc.constantFrom(...hostnames)),
  path: fc.oneof(
    normalPaths.map((path) => `Exact:${path}`),
    normalPaths.map((path) => `Prefix:${path}`),
    fc.constantFrom("Regex:/a.*", "Regex:/[ab]/.*", "Regex:.*", "Regex:/(a|b)"),
  ),
  method: optional(fc.constantFrom("GET", "POST")),
  headers: fc.subarray([valueMatch("h=1"), valueMatch("i~[12]")]),
  queryParams: fc.subarray([valueMatch("q=1"), valueMatch("r~1+")]),
  created: fc.constantFrom("2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"),
  name: fc.constantFrom("r1", "r2", "r3"),
  rule: fc.nat(2),
  match: fc.nat(1),
}).map(({ hostname, method, ...rest }) =>
  routeEntry({
    ...rest,
    ...(hostname === undefined ? {} : { hostname }),
    ...(method === undefined ? {} : { method }),
  })
);

const listeners = fc.record({
  hostname: optional(fc.constantFrom("a.x.io", "*.x.io", "*.io")),
  port: fc.constantFrom(80, 80, 81),
  routes: fc.array(routeEntries, { maxLength: 8 }),
}).map(({ hostname, port, routes }) =>
  listener("gw", {
    name: `${hostname ?? "any"}-${port}`,
    port,
    routes: routes.toSorted(compareHttpRouteEntries),
    ...(hostname === undefined ? {} : { hostname }),
  })
);

/** Gateways at one or two addresses; those at one share its ports. */
export const gateways: fc.Arbitrary<readonly GatewayConfig[]> = fc.array(
  fc.record({
    name: fc.constantFrom("one", "two", "three"),
    created: fc.constantFrom("2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"),
    addresses: fc.subarray(["127.0.0.1", "127.0.0.2"], { minLength: 1 }),
    listeners: fc.uniqueArray(listeners, { selector: ({ name }) => name, maxLength: 3 }),
  }).map(({ name, created, addresses, listeners }) =>
    gateway(name, listeners, { creationTimestamp: created, addresses })
  ),
  { minLength: 1, maxLength: 3 },
).map((found) => [...new Map(found.map((one) => [one.key, one])).values()]);

/** Requests that may meet them. */
export const plainRequests: fc.Arbitrary<PlainRequest> = fc.record({
  method: fc.constantFrom("GET", "POST"),
  host: fc.constantFrom("a.x.io", "b.x.io", "c.a.x.io", "x.io", "y.io", "other"),
  path: normalPaths,
  query: fc.constantFrom("", "q=1", "r=11&q=1", "q=2"),
  headers: fc.constantFrom<readonly (readonly [string, string])[]>(
    [],
    [["H", "1"]],
    [["i", "2"], ["h", "1"]],
    [["i", "3"]],
  ),
});
