/**
 * The lowest layer: a Gateway and its listeners, judged without routes and without other Gateways.
 */

import type { GatewayListener } from "../../kube/decode/gateway.ts";
import { type ObjectKey, objectKey } from "../../kube/object.ts";
import { gatewaySlices } from "../kinds/gateway.ts";
import { gatewayClassSlices } from "../kinds/gateway_class.ts";
import { secretSlices } from "../kinds/secret.ts";
import { gatewayGroup } from "../parent_keys.ts";
import { resolveListenerCertificates } from "./certificate_refs.ts";
import type { ComputeView, GatewayOwnListeners, OwnListener, RouteKind } from "./compute_view.ts";
import { type Finding, joinFindings, quoteAll } from "./finding.ts";
import { describeSelectorFault } from "./label_selector.ts";
import { findListenerConflicts } from "./listener_conflicts.ts";
import { findOverlappingTls } from "./overlapping_tls.ts";

/** Judges the listeners of `key` on their own. */
export function computeOwnListeners(view: ComputeView, key: ObjectKey): GatewayOwnListeners {
  const specs = view.read(gatewaySlices.listeners, key);
  if (!specs) return { listeners: [] };
  const fault = findGatewayFault(view, key);
  const judged = specs.map((spec) => judgeListener(view, key, spec));
  const accepted = judged.filter((listener) => !listener.fault);
  const conflicts = findListenerConflicts(accepted.map(({ spec }) => spec));
  const overlaps = findOverlaps(view, accepted.filter(({ spec }) => !conflicts.has(spec.name)));
  const listeners = judged.map((listener): OwnListener => {
    const conflict = conflicts.get(listener.spec.name);
    const overlap = overlaps.get(listener.spec.name);
    if (!conflict && !overlap) return listener;
    return { ...listener, ...(conflict && { conflict }), ...(overlap && { overlap }) };
  });
  return { ...(fault && { fault }), listeners };
}

function findGatewayFault(view: ComputeView, key: ObjectKey): Finding | undefined {
  const gatewayClassName = view.read(gatewaySlices.gatewayClassName, key) ?? "";
  const gatewayClass = objectKey(undefined, gatewayClassName);
  if (view.read(gatewayClassSlices.parametersRef, gatewayClass)) {
    return {
      reason: "InvalidParameters",
      message: `GatewayClass "${gatewayClassName}" is not accepted: its parametersRef is unknown`,
    };
  }
  const parameters = view.read(gatewaySlices.infrastructure, key)?.parametersRef;
  if (parameters) {
    return {
      reason: "InvalidParameters",
      message: `Cannot use parametersRef: kind "${parameters.kind}" is unknown, wanted none`,
    };
  }
  const addresses = view.read(gatewaySlices.addresses, key) ?? [];
  const foreign = addresses.find(({ type }) => type !== "IPAddress");
  if (!foreign) return undefined;
  return {
    reason: "UnsupportedAddress",
    message: `Address type "${foreign.type}" is not supported, wanted "IPAddress"`,
  };
}

function judgeListener(
  view: ComputeView,
  gateway: ObjectKey,
  spec: GatewayListener,
): OwnListener {
  const isServed = view.dataPlane.protocols.some((protocol) => protocol === spec.protocol);
  if (!isServed) {
    const served = view.dataPlane.protocols.join(", ");
    const message = `Protocol "${spec.protocol}" is not served by data plane ` +
      `"${view.dataPlane.name}", which serves ${served}`;
    const fault = { reason: "UnsupportedProtocol", message };
    return { spec, supportedKinds: [], fault, certificates: [] };
  }
  const fault = findUnsupportedValue(view, gateway, spec);
  const kinds = resolveKinds(spec);
  const certificates = resolveListenerCertificates(view, gateway, spec);
  const unresolved = joinFindings([...certificates.faults, ...kinds.faults]);
  return {
    spec,
    supportedKinds: kinds.supported,
    ...(fault && { fault }),
    ...(unresolved && { unresolved }),
    certificates: certificates.secrets,
  };
}

function findUnsupportedValue(
  view: ComputeView,
  gateway: ObjectKey,
  spec: GatewayListener,
): Finding | undefined {
  const reason = "UnsupportedValue";
  if (spec.protocol === "HTTPS") {
    const mode = spec.tls?.mode ?? "Terminate";
    if (mode !== "Terminate") {
      return { reason, message: `TLS mode "${mode}" is not possible with protocol "HTTPS"` };
    }
    const options = Object.keys(spec.tls?.options ?? {}).sort();
    if (options.length > 0) {
      return { reason, message: `TLS options are unknown: ${quoteAll(options)}` };
    }
    if (validatesClients(view, gateway, spec.port)) {
      const message = "Validation of client certificates (spec.tls.frontend) is not implemented";
      return { reason, message };
    }
  }
  const { selector } = spec.allowedRoutes.namespaces;
  const selectorFault = selector && describeSelectorFault(selector);
  return selectorFault === undefined
    ? undefined
    : { reason, message: `The namespace selector is invalid: ${selectorFault}` };
}

/** A setting for the port wins over the default (GEP-91). */
function validatesClients(view: ComputeView, gateway: ObjectKey, port: number): boolean {
  const frontend = view.read(gatewaySlices.tls, gateway)?.frontend;
  if (!frontend) return false;
  const own = frontend.perPort.find((entry) => entry.port === port);
  return (own?.tls ?? frontend.default).validation !== undefined;
}

/** The kinds that listeners for HTTP and HTTPS take. */
const httpRouteKinds: readonly RouteKind[] = [{ group: gatewayGroup, kind: "HTTPRoute" }];

function resolveKinds(
  spec: GatewayListener,
): { readonly supported: readonly RouteKind[]; readonly faults: readonly Finding[] } {
  const { kinds } = spec.allowedRoutes;
  if (kinds.length === 0) return { supported: httpRouteKinds, faults: [] };
  const supported = httpRouteKinds.filter((known) =>
    kinds.some((asked) => isSameKind(asked, known))
  );
  const unknown = kinds.filter((asked) =>
    !httpRouteKinds.some((known) => isSameKind(asked, known))
  );
  if (unknown.length === 0) return { supported, faults: [] };
  const names = quoteAll(unknown.map(({ group, kind }) => `${kind}.${group}`));
  const message = `Route kinds are unknown or not possible with ${spec.protocol}: ${names}`;
  return { supported, faults: [{ reason: "InvalidRouteKinds", message }] };
}

function isSameKind(a: RouteKind, b: RouteKind): boolean {
  return a.kind === b.kind && a.group === b.group;
}

function findOverlaps(
  view: ComputeView,
  listeners: readonly OwnListener[],
): ReadonlyMap<string, Finding> {
  const https = listeners.filter(({ spec }) => spec.protocol === "HTTPS");
  if (https.length < 2) return new Map();
  return findOverlappingTls(https.map(({ spec, certificates }) => ({
    name: spec.name,
    port: spec.port,
    ...(spec.hostname === undefined ? {} : { hostname: spec.hostname }),
    dnsNames: certificates.flatMap((key) => dnsNamesOf(view, key)),
  })));
}

function dnsNamesOf(view: ComputeView, key: ObjectKey): readonly string[] {
  const tls = view.read(secretSlices.tls, key);
  return tls && !("invalid" in tls) ? tls.dnsNames : [];
}
