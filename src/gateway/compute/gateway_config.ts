/** The configuration of one Gateway: what is its own, and the routes of its listeners. */

import {
  type CertificateName,
  certificateName,
  type GatewayConfig,
  gatewayKey,
  type HttpRouteEntry,
} from "../../dataplane/model.ts";
import { type ObjectKey, parseObjectKey } from "../../kube/object.ts";
import type { GatewayFrame, ListenerFrame } from "../gateway_frame.ts";
import { gatewaySlices } from "../kinds/gateway.ts";
import type { ComputeView, EffectiveListener } from "./compute_view.ts";

/** What the Gateway `key` shall serve, without routes; undefined: it cannot be served. */
export function computeGatewayFrame(
  view: Pick<ComputeView, "read" | "addressesOf" | "listeners">,
  key: ObjectKey,
): GatewayFrame | undefined {
  const creationTimestamp = view.read(gatewaySlices.creationTimestamp, key);
  const addresses = view.addressesOf(key)?.addresses ?? [];
  const { fault, listeners } = view.listeners(key);
  if (creationTimestamp === undefined || fault || addresses.length === 0) return undefined;
  const servable = listeners.filter(({ isServable }) => isServable);
  if (servable.length === 0) return undefined;
  const { namespace = "", name } = parseObjectKey(key);
  return {
    key: gatewayKey(namespace, name),
    creationTimestamp,
    addresses,
    listeners: servable.map((listener) => frameListener(namespace, name, listener)),
  };
}

function frameListener(
  namespace: string,
  name: string,
  { spec, certificates }: EffectiveListener,
): ListenerFrame {
  return {
    name: spec.name,
    origin: { kind: "Gateway", namespace, name },
    port: spec.port,
    protocol: spec.protocol === "HTTPS" ? "HTTPS" : "HTTP",
    ...(spec.hostname === undefined ? {} : { hostname: spec.hostname }),
    ...(spec.protocol === "HTTPS" ? { certificates: certificates.map(nameOfCertificate) } : {}),
  };
}

function nameOfCertificate(secret: ObjectKey): CertificateName {
  const { namespace, name } = parseObjectKey(secret);
  return certificateName(namespace ?? "", name);
}

/** `frame` with the routes of each listener, by precedence. */
export function withRoutes(
  frame: GatewayFrame,
  routesOf: (listener: string) => readonly HttpRouteEntry[],
): GatewayConfig {
  return {
    ...frame,
    listeners: frame.listeners.map((listener) => ({
      ...listener,
      routes: routesOf(listener.name),
    })),
  };
}
