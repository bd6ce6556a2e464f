/** Random routes of every kind. */

import fc from "fast-check";
import type { KubeObject } from "../../src/kube/object.ts";
import { grpcRoute, tcpRoute, tlsRoute, udpRoute } from "./gateway_kind_objects.ts";
import { backend, httpRoute, type Json, rule } from "./gateway_objects.ts";
import { drawnMeta, otherNamespace, present, routeHostnames } from "./random_names.ts";

const section = {
  // Where most Gateways are.
  namespace: fc.constantFrom(undefined, "default", "default", "default", "apps"),
  sectionName: fc.constantFrom(undefined, undefined, undefined, "main", "extra", "third", "gone"),
  port: fc.constantFrom(undefined, undefined, undefined, 80, 443, 8443, 9000),
};

const parentRef = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      name: fc.constantFrom("gw", "gw", "gw2", "wide", "nobody"),
      kind: fc.constantFrom(undefined, undefined, undefined, "Gateway", "Service"),
      ...section,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      name: fc.constantFrom("set", "set", "set2"),
      kind: fc.constant("ListenerSet"),
      ...section,
    }),
  },
).map(present);

const parentRefs = fc.oneof(
  fc.array(parentRef, { maxLength: 3 }),
  // All of a Gateway, and a set besides.
  fc.constant<readonly Json[]>([
    { name: "gw", namespace: "default" },
    { name: "set", kind: "ListenerSet", namespace: "default" },
  ]),
);

const backendRefs = fc.array(
  fc.record({
    name: fc.constantFrom("web", "web", "api", "dns", "nobody"),
    namespace: otherNamespace,
    port: fc.constantFrom(80, 80, 81, 53),
    weight: fc.constantFrom(0, 1, 1, 3),
    kind: fc.constantFrom(undefined, undefined, undefined, undefined, undefined, "Pod"),
  }).map(({ name, ...rest }) => backend(name, present(rest))),
  { maxLength: 2 },
);

const filterReference = fc.constantFrom<Json>(
  { name: "web", port: 80 },
  { name: "web", port: 80, namespace: "apps" },
  { name: "api", port: 81 },
  { name: "api", port: 80 },
  { name: "nobody", port: 80 },
);

const mirrors = fc.record({
  backendRef: filterReference,
  part: fc.constantFrom<Json>({}, {}, { percent: 0 }, { percent: 5 }, {
    fraction: { numerator: 1 },
  }),
}).map(({ backendRef, part }): Json => ({ backendRef, ...part }));

const headerFilter: Json = {
  type: "RequestHeaderModifier",
  requestHeaderModifier: { set: [{ name: "x", value: "y" }] },
};

/** Filters that HTTPRoutes and GRPCRoutes have. */
const commonFilter = fc.oneof(
  fc.constantFrom<Json>(
    headerFilter,
    { type: "ExtensionRef", extensionRef: { group: "g", kind: "K", name: "n" } },
  ),
  mirrors.map((requestMirror): Json => ({ type: "RequestMirror", requestMirror })),
);

const httpFilter = fc.oneof(
  { weight: 3, arbitrary: commonFilter },
  {
    weight: 1,
    arbitrary: filterReference.map((backendRef): Json => ({
      type: "ExternalAuth",
      externalAuth: { protocol: "HTTP", backendRef },
    })),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Json>(
      { type: "CORS", cors: { allowOrigins: ["https://a.example.com:443", "*"], maxAge: 7 } },
      { type: "CORS", cors: { allowOrigins: ["https://a.example.com:443"] } },
      { type: "RequestRedirect", requestRedirect: { scheme: "https" } },
      { type: "URLRewrite", urlRewrite: { hostname: "other.org" } },
    ),
  },
);

const filters = (filter: fc.Arbitrary<Json>): fc.Arbitrary<readonly Json[] | undefined> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant(undefined) },
    { weight: 2, arbitrary: fc.array(filter, { maxLength: 2 }) },
  );

const policies = fc.constantFrom<Json>(
  {},
  {},
  {},
  { retry: { codes: [503, 500], attempts: 2, backoff: "100ms" } },
  { timeouts: { request: "10s", backendRequest: "2s" } },
  { sessionPersistence: { type: "Cookie" } },
  { name: "named" },
);

const httpRule = fc.record({
  path: fc.constantFrom("/", "/a", "/a/", "/a/b", "/("),
  type: fc.constantFrom("PathPrefix", "PathPrefix", "Exact", "RegularExpression"),
  method: fc.constantFrom(undefined, "GET"),
  backendRefs,
  backendFilters: filters(commonFilter),
  filters: filters(httpFilter),
  policies,
}).map(({ path, type, method, backendRefs, backendFilters, filters, policies }): Json =>
  rule(
    path,
    "web",
    present({
      ...policies,
      matches: [present({ path: { type, value: path }, method })],
      filters,
      backendRefs: backendFilters
        ? backendRefs.map((reference) => ({ ...reference, filters: backendFilters }))
        : backendRefs,
    }),
  )
);

const grpcMethod = fc.constantFrom<Json | undefined>(
  undefined,
  { service: "shop.Cart" },
  { method: "Add" },
  { service: "shop.Cart", method: "Add" },
  { type: "RegularExpression", service: "shop[.].*" },
  { type: "RegularExpression", service: "a)|(b", method: "Add" },
);

const grpcRule = fc.record({
  matches: fc.array(
    fc.record({
      method: grpcMethod,
      headers: fc.constantFrom(undefined, [{ name: "team", value: "a" }]),
    }).map(present),
    { maxLength: 2 },
  ),
  backendRefs,
  filters: filters(commonFilter),
}).map(present);

const streamRules = fc.record({
  name: fc.constantFrom(undefined, "named"),
  backendRefs,
}).map((found) => [present(found)]);

const useDefaultGateways = fc.constantFrom(undefined, undefined, undefined, "All", "None");

const hostnames = fc.array(fc.constantFrom(...routeHostnames), { maxLength: 2 });

/** Names are shared between the kinds: nothing may take one for another. */
const name = fc.constantFrom("one", "two", "three");

/** Random HTTPRoutes. */
export const httpRoutes: fc.Arbitrary<KubeObject> = fc.record({
  name,
  meta: drawnMeta,
  spec: fc.record({
    parentRefs,
    useDefaultGateways,
    hostnames,
    rules: fc.array(httpRule, { minLength: 1, maxLength: 2 }),
  }).map(present),
}).map(({ name, meta, spec }) => httpRoute(name, spec, meta));

/** Random GRPCRoutes. */
export const grpcRoutes: fc.Arbitrary<KubeObject> = fc.record({
  name,
  meta: drawnMeta,
  spec: fc.record({
    parentRefs,
    useDefaultGateways,
    hostnames,
    rules: fc.array(grpcRule, { maxLength: 2 }),
  }).map(present),
}).map(({ name, meta, spec }) => grpcRoute(name, spec, meta));

/** Random TLSRoutes, TCPRoutes and UDPRoutes. */
export const streamRoutes: fc.Arbitrary<KubeObject> = fc.record({
  make: fc.constantFrom(tlsRoute, tlsRoute, tcpRoute, udpRoute),
  name,
  meta: drawnMeta,
  spec: fc.record({ parentRefs, useDefaultGateways, rules: streamRules }).map(present),
  hostnames,
}).map(({ make, name, meta, spec, hostnames }) =>
  make(name, make === tlsRoute ? { ...spec, hostnames } : spec, meta)
);
