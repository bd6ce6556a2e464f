/** Random Gateways and ListenerSets: their listeners, and what else of them decides about these. */

import fc from "fast-check";
import type { KubeObject } from "../../src/kube/object.ts";
import { listenerSet } from "./gateway_kind_objects.ts";
import { gateway, type Json, listener } from "./gateway_objects.ts";
import { drawnMeta, listenerHostnames, otherNamespace, present, times } from "./random_names.ts";

const selectsTeam = { from: "Selector", selector: { matchLabels: { team: "a" } } };
/** Of no operator that there is: it selects nothing. */
const selectsBadly = {
  from: "Selector",
  selector: { matchExpressions: [{ key: "team", operator: "Near", values: ["a"] }] },
};

const allowedRoutes = fc.constantFrom<Json>(
  { namespaces: { from: "All" } },
  { namespaces: { from: "All" } },
  { namespaces: { from: "Same" } },
  { namespaces: selectsTeam },
  { namespaces: selectsBadly },
  { namespaces: { from: "All" }, kinds: [{ kind: "GRPCRoute" }] },
  { namespaces: { from: "All" }, kinds: [{ kind: "HTTPRoute" }, { kind: "TLSRoute" }] },
);

const secret = fc.constantFrom<Json>(
  { name: "one" },
  { name: "one" },
  { name: "two" },
  { name: "one", namespace: "apps" },
  { name: "one", kind: "ConfigMap" },
);

/** Most of these can be served together; some cannot. */
const places = fc.constantFrom<Json>(
  { port: 80, protocol: "HTTP" },
  { port: 80, protocol: "HTTP" },
  { port: 81, protocol: "HTTP" },
  { port: 443, protocol: "HTTPS" },
  { port: 443, protocol: "HTTPS" },
  { port: 443, protocol: "HTTP" },
  { port: 443, protocol: "TLS", tls: { mode: "Passthrough" } },
  { port: 8443, protocol: "TLS", tls: { mode: "Passthrough" } },
  { port: 8443, protocol: "TLS", tls: { mode: "Terminate" } },
  { port: 9000, protocol: "TCP" },
  { port: 80, protocol: "TCP" },
  { port: 9000, protocol: "UDP" },
);

const listenerOf = fc.record({
  place: places,
  hostname: fc.constantFrom(...listenerHostnames),
  allowedRoutes,
  certificates: fc.array(secret, { minLength: 1, maxLength: 2 }),
}).map(({ place, hostname, allowedRoutes, certificates }): Json => {
  const { protocol, tls = {} } = place;
  const mode = typeof tls === "object" && tls !== null && "mode" in tls ? tls.mode : undefined;
  const endsTls = protocol === "HTTPS" || mode === "Terminate";
  const isSecure = endsTls || mode === "Passthrough";
  return present({
    ...place,
    allowedRoutes,
    hostname: protocol === "TCP" || protocol === "UDP" ? undefined : hostname,
    tls: isSecure
      ? present({ mode, certificateRefs: endsTls ? certificates : undefined })
      : undefined,
  });
});

/** The first listeners are named, so that sections are found; the API wants unique names. */
const listeners = fc.array(listenerOf, { minLength: 1, maxLength: 4 }).map((found) =>
  found.map((rest, index) => listener(["main", "extra", "third"][index] ?? "rest", rest))
);

const configMapOf = (name: string, rest: Json = {}): Json => ({
  group: "",
  kind: "ConfigMap",
  name,
  ...rest,
});

const validation = fc.record({
  caCertificateRefs: fc.constantFrom<readonly Json[]>(
    [configMapOf("ca")],
    [configMapOf("ca")],
    [configMapOf("ca2"), configMapOf("ca")],
    [configMapOf("ca", { namespace: "apps" })],
    [{ group: "", kind: "Secret", name: "ca" }],
  ),
  mode: fc.constantFrom(undefined, "AllowValidOnly", "AllowInsecureFallback"),
}).map(present);

const frontend = fc.oneof(
  fc.constant(undefined),
  validation.map((validation): Json => ({ default: { validation } })),
  validation.map((validation): Json => ({
    default: {},
    perPort: [{ port: 443, tls: { validation } }],
  })),
  // A port that says nothing is not validated, whatever the default is.
  fc.tuple(validation, validation).map(([byDefault, own]): Json => ({
    default: { validation: byDefault },
    perPort: [{ port: 443, tls: {} }, { port: 8443, tls: { validation: own } }],
  })),
);

const clientCertificateRef = fc.constantFrom<Json | undefined>(
  undefined,
  undefined,
  { name: "one" },
  { name: "two" },
  { name: "one", namespace: "apps" },
);

const tls = fc.record({ frontend, clientCertificateRef }).map(
  ({ frontend, clientCertificateRef }) => {
    const backend = clientCertificateRef && { clientCertificateRef };
    return frontend || backend ? present({ frontend, backend }) : undefined;
  },
);

const allowedListeners = fc.constantFrom<Json | undefined>(
  undefined,
  { namespaces: { from: "All" } },
  { namespaces: { from: "All" } },
  { namespaces: { from: "Same" } },
  { namespaces: { from: "None" } },
  { namespaces: selectsTeam },
  { namespaces: selectsBadly },
);

const infrastructure = fc.constantFrom<Json | undefined>(
  undefined,
  undefined,
  undefined,
  { labels: { team: "a" } },
  { parametersRef: { group: "g", kind: "K", name: "n" } },
);

const addresses = fc.constantFrom<readonly Json[] | undefined>(
  undefined,
  undefined,
  undefined,
  undefined,
  undefined,
  [{ type: "Hostname", value: "a.example.com" }],
);

const defaultScope = fc.constantFrom(undefined, undefined, "All", "None");

/** What of a Gateway is not its listeners. */
const gatewayParts = fc.record({
  tls,
  allowedListeners,
  infrastructure,
  addresses,
  defaultScope,
}).map(present);

/** Gateways with anything. */
export const randomGateways: fc.Arbitrary<KubeObject> = fc.record({
  name: fc.constantFrom("gw", "gw2", "wide"),
  gatewayClassName: fc.constantFrom("weir", "weir", "weir", "second", "missing"),
  listeners,
  parts: gatewayParts,
  meta: drawnMeta,
}).map(({ name, listeners, gatewayClassName, parts, meta }) =>
  gateway(name, listeners, { gatewayClassName, ...parts }, meta)
);

/** The listeners of Gateway `gw` while nobody has changed it. */
export const usualListeners: readonly Json[] = [
  listener("main"),
  listener("extra", {
    port: 443,
    protocol: "HTTPS",
    tls: { mode: "Terminate", certificateRefs: [{ name: "one" }] },
  }),
  listener("pass", { port: 8443, protocol: "TLS", tls: { mode: "Passthrough" } }),
  listener("tcp", { port: 9000, protocol: "TCP" }),
  listener("udp", { port: 9000, protocol: "UDP" }),
];

/** Gateways of the initial world in which something, not everything, is changed. */
export const variedGateways: fc.Arbitrary<KubeObject> = fc.oneof(
  fc.record({
    listeners: fc.oneof(
      fc.constant(usualListeners),
      fc.subarray([...usualListeners], { minLength: 1 }),
    ),
    parts: gatewayParts,
  }).map(({ listeners, parts }) => gateway("gw", listeners, parts)),
  // A listener that moves to another port: nothing else of it changes.
  fc.constantFrom(8080, 8081).map((port) =>
    gateway(
      "wide",
      [listener("main", { port })],
      { allowedListeners: { namespaces: { from: "All" } } },
      { created: times[1] },
    )
  ),
);

const setParentRef = fc.record({
  name: fc.constantFrom("gw", "gw", "gw2", "wide"),
  namespace: otherNamespace,
  kind: fc.constantFrom(undefined, undefined, undefined, undefined, "Service"),
}).map(present);

/** ListenerSets with anything. */
export const randomListenerSets: fc.Arbitrary<KubeObject> = fc.record({
  name: fc.constantFrom("set", "set2"),
  parentRef: setParentRef,
  listeners,
  meta: drawnMeta,
}).map(({ name, parentRef, listeners, meta }) => listenerSet(name, listeners, { parentRef }, meta));

/** What is in nobody's way, and what is in that of one listener. */
const variedPlaces = fc.constantFrom<Json>(
  { port: 8081 },
  { port: 8081 },
  { port: 8082, protocol: "TCP" },
  { port: 9000, protocol: "TCP" },
  { port: 80, hostname: "b.a.example.com" },
  { port: 80 },
  {
    port: 443,
    protocol: "HTTPS",
    hostname: "a.example.com",
    tls: { certificateRefs: [{ name: "one", namespace: "default" }] },
  },
);

/** ListenerSets like that of the initial world, at one Gateway or another, of either namespace. */
export const variedListenerSets: fc.Arbitrary<KubeObject> = fc.record({
  name: fc.constantFrom("set", "set2"),
  parent: fc.constantFrom("gw", "gw", "wide", "gw2"),
  listeners: fc.array(variedPlaces, { minLength: 1, maxLength: 2 }),
  meta: drawnMeta,
}).map(({ name, parent, listeners, meta }) =>
  listenerSet(
    name,
    listeners.map((place, index) => listener(["main", "extra"][index] ?? "", place)),
    {
      parentRef: { name: parent, namespace: "default" },
    },
    meta,
  )
);
