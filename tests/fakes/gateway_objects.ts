/**
 * Builders of Kubernetes objects as an API server would return them, deeply frozen.
 *
 * Only what a test is about has to be said; the rest is valid and boring. Equal arguments build
 * equal objects.
 */

import type { KubeObject } from "../../src/kube/object.ts";

/** JSON of a spec or of a part of it. */
export type Json = Readonly<Record<string, unknown>>;

/** What may be said about an object's metadata. */
export interface MetaOptions {
  readonly namespace?: string;
  readonly uid?: string;
  readonly generation?: number;
  readonly created?: string;
  readonly resourceVersion?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** The controller of the class that {@linkcode gatewayClass} builds. */
export const controllerName = "weir.dev/gateway-controller";

const gatewayApi = "gateway.networking.k8s.io/v1";

/** Freezes `value` and all that it holds. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}

/** Any object. Namespaced ones are in `default` unless told otherwise. */
export function object(
  apiVersion: string,
  kind: string,
  name: string,
  meta: MetaOptions & { readonly scope?: "cluster" },
  rest: Json,
): KubeObject {
  const namespace = meta.scope === "cluster" ? undefined : meta.namespace ?? "default";
  const place = namespace === undefined ? name : `${namespace}/${name}`;
  return deepFreeze({
    apiVersion,
    kind,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      uid: meta.uid ?? `uid-${kind}-${place}`,
      resourceVersion: meta.resourceVersion ?? "1",
      ...(meta.generation === undefined && !("spec" in rest)
        ? {}
        : { generation: meta.generation ?? 1 }),
      creationTimestamp: meta.created ?? "2026-01-01T00:00:00Z",
      ...(meta.labels && { labels: meta.labels }),
      ...(meta.annotations && { annotations: meta.annotations }),
    },
    ...rest,
  });
}

/** A GatewayClass, ours by default. */
export function gatewayClass(name = "weir", spec: Json = {}, meta: MetaOptions = {}): KubeObject {
  return object(gatewayApi, "GatewayClass", name, { ...meta, scope: "cluster" }, {
    spec: { controllerName, ...spec },
  });
}

/** A listener; for HTTP on port 80, open to all namespaces, by default. */
export function listener(name: string, rest: Json = {}): Json {
  return {
    name,
    port: 80,
    protocol: "HTTP",
    allowedRoutes: { namespaces: { from: "All" } },
    ...rest,
  };
}

/** An HTTPS listener on port 443 with certificates from the Secrets named. */
export function httpsListener(
  name: string,
  secrets: readonly (string | Json)[],
  rest: Json = {},
): Json {
  const certificateRefs = secrets.map((secret) =>
    typeof secret === "string" ? { name: secret } : secret
  );
  return listener(name, {
    port: 443,
    protocol: "HTTPS",
    tls: { mode: "Terminate", certificateRefs },
    ...rest,
  });
}

/** A Gateway of class `weir`. */
export function gateway(
  name: string,
  listeners: readonly Json[] = [listener("http")],
  spec: Json = {},
  meta: MetaOptions = {},
): KubeObject {
  return object(gatewayApi, "Gateway", name, meta, {
    spec: { gatewayClassName: "weir", listeners, ...spec },
  });
}

/** A backend reference to a port of a Service. */
export function backend(name: string, rest: Json = {}): Json {
  return { name, port: 80, ...rest };
}

/** A rule with one path prefix and one backend. */
export function rule(path: string, service = "web", rest: Json = {}): Json {
  return {
    matches: [{ path: { type: "PathPrefix", value: path } }],
    backendRefs: [backend(service)],
    ...rest,
  };
}

/** An HTTPRoute; by default attached to Gateway `gw` with one rule for `/` to Service `web`. */
export function httpRoute(
  name: string,
  spec: Json = {},
  meta: MetaOptions = {},
): KubeObject {
  return object(gatewayApi, "HTTPRoute", name, meta, {
    spec: { parentRefs: [{ name: "gw" }], rules: [rule("/")], ...spec },
  });
}

/** A ReferenceGrant; `from` and `to` as in the API, with the usual groups filled in. */
export function referenceGrant(
  name: string,
  from: Json,
  to: Json,
  meta: MetaOptions = {},
): KubeObject {
  return object(gatewayApi, "ReferenceGrant", name, meta, {
    spec: {
      from: [{ group: "gateway.networking.k8s.io", ...from }],
      to: [{ group: "", ...to }],
    },
  });
}

/** A Namespace. */
export function namespace(name: string, labels: Readonly<Record<string, string>> = {}): KubeObject {
  return object("v1", "Namespace", name, { scope: "cluster", labels }, {});
}

/** A Service with TCP port 80 named `http`. */
export function service(name: string, spec: Json = {}, meta: MetaOptions = {}): KubeObject {
  return object("v1", "Service", name, meta, {
    spec: { type: "ClusterIP", ports: [{ name: "http", port: 80, protocol: "TCP" }], ...spec },
  });
}

/** An EndpointSlice of Service `serviceName`, with its addresses ready on port 8080 `http`. */
export function endpointSlice(
  name: string,
  serviceName: string,
  addresses: readonly string[],
  rest: Json = {},
  meta: MetaOptions = {},
): KubeObject {
  return object("discovery.k8s.io/v1", "EndpointSlice", name, {
    labels: { "kubernetes.io/service-name": serviceName },
    ...meta,
  }, {
    addressType: "IPv4",
    ports: [{ name: "http", port: 8080, protocol: "TCP" }],
    endpoints: addresses.map((address) => ({ addresses: [address], conditions: { ready: true } })),
    ...rest,
  });
}

/** A Secret of type `kubernetes.io/tls` with these PEM texts. */
export function tlsSecret(
  name: string,
  pem: { readonly certificate: string; readonly key: string },
  meta: MetaOptions = {},
): KubeObject {
  return object("v1", "Secret", name, meta, {
    type: "kubernetes.io/tls",
    data: { "tls.crt": btoa(pem.certificate), "tls.key": btoa(pem.key) },
  });
}
