/**
 * Random edits of a realistic world: what cluster users do to Gateways in a bad week.
 *
 * An edit names an object and what becomes of it; drawing one needs no knowledge of the world, so
 * shrinking always leaves a sequence that can be played. Names, ports, hostnames and references come
 * from small sets, because faults live where objects meet.
 */

import fc from "fast-check";
import type { KubeObject } from "../../src/kube/object.ts";
import type { AddressClaim, AddressProvider } from "../../src/gateway/address_provider.ts";
import type { AddressAssignment } from "../../src/gateway/input_reader.ts";
import type { ObjectKey } from "../../src/kube/object.ts";
import {
  backend,
  endpointSlice,
  gateway,
  gatewayClass,
  httpRoute,
  httpsListener,
  type Json,
  listener,
  namespace,
  referenceGrant,
  rule,
  service,
  tlsSecret,
} from "./gateway_objects.ts";
import type { TestCertificate } from "./gateway_certificates.ts";

/** What becomes of an object. */
export interface Edit {
  readonly object: KubeObject;
  /** `recreate`: deleted and made again at once, under the same name. */
  readonly action: "put" | "delete" | "recreate";
}

const namespaces = ["default", "apps"] as const;
const hostnames = [undefined, "a.example.com", "*.example.com", "b.a.example.com"] as const;
const times = ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"] as const;

const inNamespace = fc.constantFrom(...namespaces);
const created = fc.constantFrom(...times);
const labels = fc.constantFrom<Readonly<Record<string, string>>>({}, { team: "a" }, { team: "b" });

const classes = fc.record({
  name: fc.constantFrom("weir", "second"),
  isOurs: fc.boolean(),
  hasParameters: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
}).map(({ name, isOurs, hasParameters }) =>
  gatewayClass(name, {
    ...(isOurs ? {} : { controllerName: "other.example/controller" }),
    ...(hasParameters ? { parametersRef: { group: "g", kind: "K", name: "n" } } : {}),
  })
);

const allowedRoutes = fc.constantFrom<Json>(
  { namespaces: { from: "All" } },
  { namespaces: { from: "Same" } },
  { namespaces: { from: "Selector", selector: { matchLabels: { team: "a" } } } },
  { namespaces: { from: "All" }, kinds: [{ kind: "GRPCRoute" }] },
);

const listenerOf = fc.record({
  port: fc.constantFrom(80, 443),
  protocol: fc.constantFrom("HTTP", "HTTP", "HTTPS", "HTTPS", "TCP"),
  hostname: fc.constantFrom(...hostnames),
  allowedRoutes,
  secret: fc.constantFrom<Json>(
    { name: "one" },
    { name: "two" },
    { name: "one", namespace: "apps" },
    { name: "one", kind: "ConfigMap" },
  ),
}).map(({ hostname, secret, ...rest }): Json => ({
  ...rest,
  ...(hostname === undefined ? {} : { hostname }),
  ...(rest.protocol === "HTTPS" ? { tls: { certificateRefs: [secret] } } : {}),
}));

/** The first listeners are named, so that sections are found; the API wants unique names. */
const listeners = fc.array(listenerOf, { minLength: 1, maxLength: 3 }).map((found) =>
  found.map((rest, index) => listener(["main", "extra", "third"][index] ?? "rest", rest))
);

const gateways = fc.record({
  name: fc.constantFrom("gw", "gw2", "wide"),
  namespace: inNamespace,
  gatewayClassName: fc.constantFrom("weir", "weir", "second", "missing"),
  listeners,
  created,
  generation: fc.integer({ min: 1, max: 3 }),
}).map(({ name, listeners, gatewayClassName, ...meta }) =>
  gateway(name, listeners, { gatewayClassName }, meta)
);

/** A Gateway of the initial world whose listener moves to another port: nothing else of it changes. */
const moves = fc.constantFrom(8080, 8081).map((port) =>
  gateway("wide", [listener("main", { port })], {}, { created: times[1] })
);

const parentRef = fc.record({
  name: fc.constantFrom("gw", "gw2", "wide", "nobody"),
  namespace: fc.constantFrom(undefined, ...namespaces),
  sectionName: fc.constantFrom(undefined, undefined, "main", "extra", "gone"),
  port: fc.constantFrom(undefined, undefined, 80, 443),
  kind: fc.constantFrom(undefined, undefined, undefined, "Gateway", "Service"),
}).map((reference): Json =>
  Object.fromEntries(Object.entries(reference).filter(([, value]) => value !== undefined))
);

const filterReference = fc.constantFrom<Json>(
  { name: "web", port: 80 },
  { name: "web", namespace: "apps", port: 80 },
  { name: "api", port: 81 },
  { name: "nobody", port: 80 },
);

const referringFilter = fc.tuple(filterReference, fc.constantFrom(0, 5, 100), fc.boolean())
  .map(([backendRef, percent, isMirror]): Json =>
    isMirror
      ? { type: "RequestMirror", requestMirror: { backendRef, percent } }
      : { type: "ExternalAuth", externalAuth: { protocol: "HTTP", backendRef, http: {} } }
  );

const routeRule = fc.record({
  path: fc.constantFrom("/", "/a", "/a/", "/a/b"),
  type: fc.constantFrom("PathPrefix", "Exact", "RegularExpression"),
  method: fc.constantFrom(undefined, "GET"),
  backends: fc.array(
    fc.record({
      name: fc.constantFrom("web", "api", "nobody"),
      namespace: fc.constantFrom(undefined, undefined, ...namespaces),
      port: fc.constantFrom(80, 81),
      weight: fc.constantFrom(0, 1, 3),
    }),
    { maxLength: 2 },
  ),
  filter: fc.oneof(
    {
      weight: 5,
      arbitrary: fc.constantFrom<Json | undefined>(
        undefined,
        undefined,
        undefined,
        {
          type: "RequestHeaderModifier",
          requestHeaderModifier: { set: [{ name: "x", value: "y" }] },
        },
        { type: "ExtensionRef", extensionRef: { group: "g", kind: "K", name: "n" } },
      ),
    },
    { weight: 2, arbitrary: referringFilter },
  ),
  fields: fc.constantFrom<Json>(
    {},
    {},
    { retry: { codes: [503], attempts: 2 } },
    { sessionPersistence: {} },
    { timeouts: { request: "1s" } },
  ),
}).map(({ path, type, method, backends, filter, fields }): Json =>
  rule(path, "web", {
    ...fields,
    matches: [{ path: { type, value: path }, ...(method === undefined ? {} : { method }) }],
    ...(filter ? { filters: [filter] } : {}),
    backendRefs: backends.map(({ name, namespace, ...rest }) =>
      backend(name, { ...rest, ...(namespace === undefined ? {} : { namespace }) })
    ),
  })
);

const routes = fc.record({
  name: fc.constantFrom("one", "two", "three"),
  namespace: inNamespace,
  created,
  generation: fc.integer({ min: 1, max: 3 }),
  parentRefs: fc.array(parentRef, { maxLength: 3 }),
  hostnames: fc.array(
    fc.constantFrom("a.example.com", "*.example.com", "*.a.example.com", "other.org"),
    { maxLength: 2 },
  ),
  rules: fc.array(routeRule, { minLength: 1, maxLength: 2 }),
}).map(({ name, parentRefs, hostnames, rules, ...meta }) =>
  httpRoute(name, { parentRefs, hostnames, rules }, meta)
);

const grants = fc.record({
  name: fc.constantFrom("grant", "grant2"),
  namespace: inNamespace,
  from: fc.constantFrom<Json>(
    { kind: "HTTPRoute", namespace: "default" },
    { kind: "HTTPRoute", namespace: "apps" },
    { kind: "Gateway", namespace: "default" },
  ),
  to: fc.constantFrom<Json>({ kind: "Service" }, { kind: "Service", name: "web" }, {
    kind: "Secret",
  }),
}).map(({ name, namespace, from, to }) => referenceGrant(name, from, to, { namespace }));

const services = fc.record({
  name: fc.constantFrom("web", "api"),
  namespace: inNamespace,
  spec: fc.constantFrom<Json>(
    {},
    { type: "ExternalName", externalName: "a.example.com" },
    { ports: [{ name: "http", port: 81, protocol: "TCP" }] },
    { ports: [{ name: "http", port: 80, protocol: "UDP" }] },
    { ports: [{ name: "http", port: 80, appProtocol: "kubernetes.io/h2c" }] },
  ),
  annotations: fc.constantFrom<Readonly<Record<string, string>>>(
    {},
    { "weir.dev/endpoints": "127.0.0.1:3000" },
    { "weir.dev/endpoints": "nonsense" },
  ),
}).map(({ name, spec, ...meta }) => service(name, spec, meta));

const slices = fc.record({
  name: fc.constantFrom("s1", "s2"),
  namespace: inNamespace,
  of: fc.constantFrom("web", "api"),
  addresses: fc.subarray(["10.0.0.1", "10.0.0.2", "10.0.0.3"]),
  conditions: fc.constantFrom<Json>(
    { ready: true },
    { ready: false, serving: true, terminating: true },
    { ready: false },
  ),
  port: fc.constantFrom("http", "other"),
}).map(({ name, namespace, of, addresses, conditions, port }) =>
  endpointSlice(name, of, addresses, {
    ports: [{ name: port, port: 8080, protocol: "TCP" }],
    endpoints: addresses.map((address) => ({ addresses: [address], conditions })),
  }, { namespace, labels: { "kubernetes.io/service-name": of } })
);

function secrets(certificates: readonly TestCertificate[]): fc.Arbitrary<KubeObject> {
  return fc.record({
    name: fc.constantFrom("one", "two"),
    namespace: inNamespace,
    pem: fc.constantFrom(...certificates, { certificate: "nonsense", key: "nonsense" }),
  }).map(({ name, namespace, pem }) => tlsSecret(name, pem, { namespace }));
}

/** Edits of all kinds; most put an object in, whatever was there. */
export function edits(certificates: readonly TestCertificate[]): fc.Arbitrary<Edit> {
  const object = fc.oneof(
    { weight: 2, arbitrary: classes },
    { weight: 5, arbitrary: gateways },
    { weight: 3, arbitrary: moves },
    { weight: 6, arbitrary: routes },
    { weight: 2, arbitrary: grants },
    {
      weight: 1,
      arbitrary: fc.tuple(inNamespace, labels).map(([name, found]) => namespace(name, found)),
    },
    { weight: 3, arbitrary: services },
    { weight: 3, arbitrary: slices },
    { weight: 3, arbitrary: secrets(certificates) },
  );
  return fc.record({
    object,
    action: fc.constantFrom("put", "put", "put", "delete", "recreate"),
  });
}

/** Something of everything, so that the first edit meets a world that works. */
export function initialWorld(certificates: readonly TestCertificate[]): readonly KubeObject[] {
  const [pem] = certificates;
  return [
    gatewayClass(),
    gatewayClass("second"),
    gateway("gw", [listener("main"), httpsListener("extra", ["one"])]),
    gateway("wide", [listener("main")], {}, { created: times[1] }),
    namespace("default", { team: "a" }),
    namespace("apps", { team: "b" }),
    service("web"),
    service("web", {}, { namespace: "apps" }),
    service("api", {}, { annotations: { "weir.dev/endpoints": "127.0.0.1:3000" } }),
    endpointSlice("s1", "web", ["10.0.0.1"]),
    httpRoute("one", { rules: [rule("/"), rule("/api", "api")] }),
    httpRoute("two", { parentRefs: [{ name: "gw", namespace: "default" }, { name: "wide" }] }),
    ...(pem ? [tlsSecret("one", pem)] : []),
  ];
}

/** Addresses that follow from the name alone, so that they do not depend on the order of arrival. */
export const addressesByName: AddressProvider = {
  assign(claims: readonly AddressClaim[]): ReadonlyMap<ObjectKey, AddressAssignment> {
    return new Map(claims.map(({ key }) => [key, { addresses: addressesOf(key), unusable: [] }]));
  },
};

function addressesOf(key: ObjectKey): readonly string[] {
  if (key.endsWith("/wide")) return ["192.0.2.1", "192.0.2.2"];
  return key.endsWith("/gw2") ? ["192.0.2.2"] : ["192.0.2.1"];
}
