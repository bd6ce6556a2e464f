/** The configuration of one Gateway without its routes. */

import { type CertificateName, certificateName, gatewayKey } from "../../dataplane/model.ts";
import { type ObjectKey, parseObjectKey } from "../../kube/object.ts";
import type { GatewayFrame, ListenerFrame } from "../gateway_frame.ts";
import { gatewaySlices } from "../kinds/gateway.ts";
import { resolveClientCertificate } from "./certificate_refs.ts";
import type { ComputeView, EffectiveListener } from "./compute_view.ts";
import { endsTls } from "./listener_tls.ts";

/** What the Gateway `key` shall serve, without routes; undefined: it cannot be served. */
export function computeGatewayFrame(view: ComputeView, key: ObjectKey): GatewayFrame | undefined {
  const creationTimestamp = view.read(gatewaySlices.creationTimestamp, key);
  const addresses = view.addressesOf(key)?.addresses ?? [];
  const { fault, listeners, sets } = view.listeners(key);
  if (creationTimestamp === undefined || fault || addresses.length === 0) return undefined;
  if (listeners.every((listener) => listener.fault || listener.conflict)) return undefined;
  const frames = [
    ...frameListeners("Gateway", key, listeners),
    ...sets.flatMap((set) => frameListeners("ListenerSet", set.key, set.listeners)),
  ];
  if (frames.length === 0) return undefined;
  const { namespace = "", name } = parseObjectKey(key);
  return {
    key: gatewayKey(namespace, name),
    creationTimestamp,
    addresses,
    ...clientCertificateOf(view, key),
    ...infrastructureOf(view, key),
    listeners: frames,
  };
}

function clientCertificateOf(
  view: ComputeView,
  key: ObjectKey,
): { readonly clientCertificate?: CertificateName } {
  if (!view.dataPlane.features.has("GatewayBackendClientCertificate")) return {};
  const found = resolveClientCertificate(view, key);
  return typeof found === "string" ? { clientCertificate: nameOfCertificate(found) } : {};
}

function infrastructureOf(view: ComputeView, key: ObjectKey): Pick<GatewayFrame, "infrastructure"> {
  const { labels = {}, annotations = {} } = view.read(gatewaySlices.infrastructure, key) ?? {};
  const isEmpty = Object.keys(labels).length === 0 && Object.keys(annotations).length === 0;
  return isEmpty ? {} : { infrastructure: { labels, annotations } };
}

function frameListeners(
  kind: "Gateway" | "ListenerSet",
  key: ObjectKey,
  listeners: readonly EffectiveListener[],
): readonly ListenerFrame[] {
  const { namespace = "", name } = parseObjectKey(key);
  const origin = { kind, namespace, name };
  return listeners.filter(({ isServable }) => isServable)
    .map((listener) => frameListener(origin, listener));
}

function frameListener(
  origin: ListenerFrame["origin"],
  listener: EffectiveListener,
): ListenerFrame {
  const { id, spec, certificates, clientValidation } = listener;
  return {
    name: id,
    origin,
    port: spec.port,
    protocol: protocolOf(spec.protocol),
    ...(spec.hostname === undefined ? {} : { hostname: spec.hostname }),
    ...(endsTls(listener.spec) ? { certificates: certificates.map(nameOfCertificate) } : {}),
    ...(clientValidation && { clientValidation }),
  };
}

/** Others are not servable. */
function protocolOf(protocol: string): ListenerFrame["protocol"] {
  switch (protocol) {
    case "HTTPS":
    case "TLS":
    case "TCP":
    case "UDP":
      return protocol;
    default:
      return "HTTP";
  }
}

function nameOfCertificate(secret: ObjectKey): CertificateName {
  const { namespace, name } = parseObjectKey(secret);
  return certificateName(namespace ?? "", name);
}
