/**
 * Random edits of a realistic world: what cluster users do to Gateways in a bad week.
 *
 * An edit names an object and what becomes of it; drawing one needs no knowledge of the world, so
 * shrinking always leaves a sequence that can be played. Some edits put an object of the initial world
 * back: what is broken for good meets nothing.
 */

import fc from "fast-check";
import type { KubeObject } from "../../src/kube/object.ts";
import type { AddressClaim, AddressProvider } from "../../src/gateway/address_provider.ts";
import type { AddressAssignment } from "../../src/gateway/input_reader.ts";
import type { ObjectKey } from "../../src/kube/object.ts";
import {
  backendTLSPolicy,
  configMap,
  grpcRoute,
  listenerSet,
  tcpRoute,
  tlsRoute,
  udpRoute,
} from "./gateway_kind_objects.ts";
import {
  endpointSlice,
  gateway,
  gatewayClass,
  httpRoute,
  type Json,
  listener,
  namespace,
  referenceGrant,
  rule,
  service,
  tlsSecret,
} from "./gateway_objects.ts";
import type { TestCertificate } from "./gateway_certificates.ts";
import {
  randomGateways,
  randomListenerSets,
  usualListeners,
  variedGateways,
  variedListenerSets,
} from "./random_listeners.ts";
import { inNamespace, times } from "./random_names.ts";
import { backendTLSPolicies, caSecret, configMaps, secrets } from "./random_policies.ts";
import { grpcRoutes, httpRoutes, streamRoutes } from "./random_routes.ts";

/** What becomes of an object. */
export interface Edit {
  readonly object: KubeObject;
  /** `recreate`: deleted and made again at once, under the same name. */
  readonly action: "put" | "delete" | "recreate";
}

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

const grants = fc.record({
  name: fc.constantFrom("grant", "grant2"),
  namespace: inNamespace,
  from: fc.record({
    kind: fc.constantFrom(
      "HTTPRoute",
      "HTTPRoute",
      "GRPCRoute",
      "TCPRoute",
      "Gateway",
      "Gateway",
      "ListenerSet",
    ),
    namespace: inNamespace,
  }),
  to: fc.constantFrom<Json>(
    { kind: "Service" },
    { kind: "Service", name: "web" },
    { kind: "Secret" },
    { kind: "ConfigMap" },
  ),
}).map(({ name, namespace, from, to }) => referenceGrant(name, from, to, { namespace }));

/** Port 53 of both protocols, as name servers have it. */
const bothProtocols: Json = {
  ports: [
    { name: "dns", port: 53, protocol: "UDP" },
    { name: "http", port: 53, protocol: "TCP" },
  ],
};

const services = fc.record({
  name: fc.constantFrom("web", "api", "dns"),
  namespace: inNamespace,
  spec: fc.constantFrom<Json>(
    {},
    {},
    bothProtocols,
    { type: "ExternalName", externalName: "a.example.com" },
    { ports: [{ name: "http", port: 81, protocol: "TCP" }] },
    { ports: [{ name: "http", port: 80, protocol: "UDP" }] },
    { ports: [{ name: "http", port: 80, appProtocol: "kubernetes.io/h2c" }] },
    { ports: [{ name: "other", port: 80 }, { name: "http", port: 81 }] },
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
  of: fc.constantFrom("web", "api", "dns"),
  addresses: fc.subarray(["10.0.0.1", "10.0.0.2", "10.0.0.3"]),
  conditions: fc.constantFrom<Json>(
    { ready: true },
    { ready: true },
    { ready: false, serving: true, terminating: true },
    { ready: false },
  ),
  port: fc.constantFrom("http", "other", "dns"),
  protocol: fc.constantFrom("TCP", "TCP", "UDP"),
}).map(({ name, namespace, of, addresses, conditions, port, protocol }) =>
  endpointSlice(name, of, addresses, {
    ports: [{ name: port, port: 8080, protocol }],
    endpoints: addresses.map((address) => ({ addresses: [address], conditions })),
  }, { namespace, labels: { "kubernetes.io/service-name": of } })
);

/** Edits of all kinds; most put an object in, whatever was there. */
export function edits(certificates: readonly TestCertificate[]): fc.Arbitrary<Edit> {
  const object = fc.oneof(
    { weight: 2, arbitrary: classes },
    { weight: 3, arbitrary: randomGateways },
    { weight: 5, arbitrary: variedGateways },
    { weight: 3, arbitrary: randomListenerSets },
    { weight: 3, arbitrary: variedListenerSets },
    { weight: 5, arbitrary: httpRoutes },
    { weight: 4, arbitrary: grpcRoutes },
    { weight: 4, arbitrary: streamRoutes },
    { weight: 3, arbitrary: backendTLSPolicies },
    { weight: 2, arbitrary: configMaps(certificates) },
    { weight: 2, arbitrary: grants },
    {
      weight: 1,
      arbitrary: fc.tuple(inNamespace, labels).map(([name, found]) => namespace(name, found)),
    },
    { weight: 3, arbitrary: services },
    { weight: 3, arbitrary: slices },
    { weight: 3, arbitrary: secrets(certificates) },
    { weight: 8, arbitrary: fc.constantFrom(...initialWorld(certificates)) },
  );
  return fc.record({
    object,
    action: fc.constantFrom("put", "put", "put", "delete", "recreate"),
  });
}

const allowedListeners: Json = { namespaces: { from: "All" } };

/** Something of everything, so that the first edit meets a world that works. */
export function initialWorld(certificates: readonly TestCertificate[]): readonly KubeObject[] {
  const [pem] = certificates;
  return [
    gatewayClass(),
    gatewayClass("second"),
    gateway("gw", usualListeners, { allowedListeners }),
    gateway("wide", [listener("main"), listener("spare", { port: 8083 })], { allowedListeners }, {
      created: times[1],
    }),
    listenerSet("set", [listener("main", { port: 8081 })]),
    namespace("default", { team: "a" }),
    namespace("apps", { team: "b" }),
    service("web"),
    service("web", {}, { namespace: "apps" }),
    service("api", {}, { annotations: { "weir.dev/endpoints": "127.0.0.1:3000" } }),
    service("dns", bothProtocols),
    endpointSlice("s1", "web", ["10.0.0.1"]),
    httpRoute("one", {
      hostnames: ["a.example.com"],
      rules: [rule("/"), rule("/api", "api")],
    }),
    httpRoute("two", {
      hostnames: ["b.a.example.com", "other.org"],
      parentRefs: [
        { name: "gw", namespace: "default" },
        { name: "wide" },
        { name: "set", kind: "ListenerSet" },
      ],
    }),
    grpcRoute("one", {
      parentRefs: [{ name: "gw" }, { name: "set", kind: "ListenerSet" }],
      hostnames: ["grpc.example.com", "grpc.example.org"],
    }, { created: times[1] }),
    tlsRoute("one"),
    tcpRoute("one", { parentRefs: [{ name: "gw", sectionName: "tcp" }] }),
    udpRoute("one", { rules: [{ backendRefs: [{ name: "dns", port: 53 }] }] }),
    backendTLSPolicy("policy", {}, { created: times[1] }),
    ...(pem
      ? [
        tlsSecret("one", pem),
        configMap("ca", { "ca.crt": pem.certificate }),
        caSecret("ca", pem),
      ]
      : []),
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
