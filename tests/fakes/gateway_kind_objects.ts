/**
 * Builders of the kinds beside Gateways and HTTPRoutes, in the way of gateway_objects.ts: valid and
 * boring but for what a test is about, deeply frozen, equal for equal arguments.
 */

import type { KubeObject } from "../../src/kube/object.ts";
import { backend, type Json, listener, type MetaOptions, object } from "./gateway_objects.ts";

const gatewayApi = "gateway.networking.k8s.io/v1";

/** A GRPCRoute; by default attached to Gateway `gw` with one rule to Service `web`. */
export function grpcRoute(name: string, spec: Json = {}, meta: MetaOptions = {}): KubeObject {
  return object(gatewayApi, "GRPCRoute", name, meta, {
    spec: { parentRefs: [{ name: "gw" }], rules: [{ backendRefs: [backend("web")] }], ...spec },
  });
}

/** A TLSRoute for `a.example.com`; the rest as for {@linkcode tcpRoute}. */
export function tlsRoute(name: string, spec: Json = {}, meta: MetaOptions = {}): KubeObject {
  return streamRoute("TLSRoute", name, { hostnames: ["a.example.com"], ...spec }, meta);
}

/** A TCPRoute; by default attached to Gateway `gw` with one rule to Service `web`. */
export function tcpRoute(name: string, spec: Json = {}, meta: MetaOptions = {}): KubeObject {
  return streamRoute("TCPRoute", name, spec, meta);
}

/** A UDPRoute, as {@linkcode tcpRoute}. */
export function udpRoute(name: string, spec: Json = {}, meta: MetaOptions = {}): KubeObject {
  return streamRoute("UDPRoute", name, spec, meta);
}

function streamRoute(kind: string, name: string, spec: Json, meta: MetaOptions): KubeObject {
  return object(gatewayApi, kind, name, meta, {
    spec: { parentRefs: [{ name: "gw" }], rules: [{ backendRefs: [backend("web")] }], ...spec },
  });
}

/** A ListenerSet that joins Gateway `gw` with an HTTP listener on port 80, unless told otherwise. */
export function listenerSet(
  name: string,
  listeners: readonly Json[] = [listener("http")],
  spec: Json = {},
  meta: MetaOptions = {},
): KubeObject {
  return object(gatewayApi, "ListenerSet", name, meta, {
    spec: { parentRef: { name: "gw" }, listeners, ...spec },
  });
}

/** A BackendTLSPolicy for Service `web`, which trusts ConfigMap `ca`, unless told otherwise. */
export function backendTLSPolicy(
  name: string,
  spec: Json = {},
  meta: MetaOptions = {},
): KubeObject {
  return object(gatewayApi, "BackendTLSPolicy", name, meta, {
    spec: {
      targetRefs: [{ group: "", kind: "Service", name: "web" }],
      validation: {
        hostname: "web.example.com",
        caCertificateRefs: [{ group: "", kind: "ConfigMap", name: "ca" }],
      },
      ...spec,
    },
  });
}

/** A ConfigMap with these data. */
export function configMap(name: string, data: Json, meta: MetaOptions = {}): KubeObject {
  return object("v1", "ConfigMap", name, meta, { data });
}
