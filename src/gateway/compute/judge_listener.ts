/** The judgement of one listener by its own spec and references, wherever the spec stands. */

import type { ClientValidation } from "../../dataplane/model.ts";
import type { GatewayListener } from "../../kube/decode/gateway.ts";
import type { ObjectKey } from "../../kube/object.ts";
import { secretSlices } from "../kinds/secret.ts";
import { gatewayGroup } from "../parent_keys.ts";
import { type ListenerOwner, resolveListenerCertificates } from "./certificate_refs.ts";
import type { ComputeView, OwnListener, RouteGroupKind } from "./compute_view.ts";
import { type Finding, joinFindings, quoteAll } from "./finding.ts";
import { type FrontendTls, resolveFrontendTls } from "./frontend_tls.ts";
import { describeSelectorFault } from "./label_selector.ts";
import { findListenerConflicts, portClassOf } from "./listener_conflicts.ts";
import { findOverlappingTls, type TlsListener } from "./overlapping_tls.ts";

/** An object with listeners, and the Gateway that it is or belongs to. */
export interface JudgedObject extends ListenerOwner {
  readonly gateway: ObjectKey;
  /** The id of its listener `name`. */
  readonly idOf: (name: string) => string;
}

/** Judges the listeners of one object, conflicts among them aside. */
export function judgeListeners(
  view: ComputeView,
  owner: JudgedObject,
  specs: readonly GatewayListener[],
): readonly OwnListener[] {
  return specs.map((spec) => judgeListener(view, owner, spec));
}

/** The same with the conflicts among them, and how their TLS settings overlap. */
export function withConflicts(
  view: ComputeView,
  judged: readonly OwnListener[],
): readonly OwnListener[] {
  const accepted = judged.filter((listener) => !listener.fault && !listener.conflict);
  const conflicts = findListenerConflicts(accepted.map(({ spec }) => spec));
  for (const [name, conflict] of findMixedModes(view, accepted)) conflicts.set(name, conflict);
  const overlaps = findOverlaps(view, accepted.filter(({ spec }) => !conflicts.has(spec.name)));
  if (conflicts.size === 0 && overlaps.size === 0) return judged;
  return judged.map((listener) => {
    const conflict = listener.conflict ?? conflicts.get(listener.spec.name);
    const overlap = overlaps.get(listener.spec.name);
    if (!conflict && !overlap) return listener;
    return { ...listener, ...(conflict && { conflict }), ...(overlap && { overlap }) };
  });
}

const noValidation: FrontendTls = {};

function judgeListener(
  view: ComputeView,
  owner: JudgedObject,
  spec: GatewayListener,
): OwnListener {
  const id = owner.idOf(spec.name);
  const isServed = view.dataPlane.protocols.some((protocol) => protocol === spec.protocol);
  if (!isServed) {
    const served = view.dataPlane.protocols.join(", ");
    const message = `Protocol "${spec.protocol}" is not served by data plane ` +
      `"${view.dataPlane.name}", which serves ${served}`;
    const fault = { reason: "UnsupportedProtocol", message };
    return { id, spec, supportedKinds: [], fault, certificates: [] };
  }
  const kinds = resolveKinds(view, spec);
  const certificates = resolveListenerCertificates(view, owner, spec);
  const frontend = spec.protocol === "HTTPS"
    ? resolveFrontendTls(view, owner.gateway, spec.port)
    : noValidation;
  const fault = findUnsupportedValue(view, spec) ?? frontend.fault;
  const unresolved = joinFindings([
    ...certificates.faults,
    ...(frontend.unresolved ? [frontend.unresolved] : []),
    ...kinds.faults,
  ]);
  const clientValidation: ClientValidation | undefined = frontend.validation;
  return {
    id,
    spec,
    supportedKinds: kinds.supported,
    ...(fault && { fault }),
    ...(unresolved && { unresolved }),
    certificates: certificates.secrets,
    ...(clientValidation && { clientValidation }),
  };
}

function findUnsupportedValue(view: ComputeView, spec: GatewayListener): Finding | undefined {
  const message = findTlsFault(view, spec) ?? findNamespacesFault(spec);
  return message === undefined ? undefined : { reason: "UnsupportedValue", message };
}

function findNamespacesFault({ allowedRoutes }: GatewayListener): string | undefined {
  const { selector } = allowedRoutes.namespaces;
  const fault = selector && describeSelectorFault(selector);
  return fault === undefined ? undefined : `The namespace selector is invalid: ${fault}`;
}

function findTlsFault(view: ComputeView, spec: GatewayListener): string | undefined {
  const { protocol, tls } = spec;
  if (protocol !== "HTTPS" && protocol !== "TLS") return undefined;
  const mode = tls?.mode ?? "Terminate";
  if (mode !== "Terminate" && (protocol === "HTTPS" || mode !== "Passthrough")) {
    return `TLS mode "${mode}" is not possible with protocol "${protocol}"`;
  }
  const needsTerminate = protocol === "TLS" && mode === "Terminate";
  if (needsTerminate && !view.dataPlane.features.has("TLSRouteModeTerminate")) {
    return `TLS mode "Terminate" with protocol "TLS" is not served by data plane ` +
      `"${view.dataPlane.name}"`;
  }
  const options = Object.keys(tls?.options ?? {}).sort();
  return options.length > 0 ? `TLS options are unknown: ${quoteAll(options)}` : undefined;
}

/** Listeners of one port with both TLS modes, where a data plane cannot serve them together. */
function findMixedModes(
  view: ComputeView,
  listeners: readonly OwnListener[],
): ReadonlyMap<string, Finding> {
  const conflicts = new Map<string, Finding>();
  if (view.dataPlane.features.has("TLSRouteModeMixed")) return conflicts;
  const secure = listeners.filter(({ spec }) => spec.protocol === "TLS");
  if (secure.length < 2) return conflicts;
  for (const [port, sharers] of Map.groupBy(secure, ({ spec }) => spec.port)) {
    const modes = new Set(sharers.map(({ spec }) => spec.tls?.mode));
    if (modes.size < 2) continue;
    const message =
      `Port ${port} is used with TLS modes Passthrough and Terminate at once, which ` +
      `data plane "${view.dataPlane.name}" cannot serve`;
    for (const { spec } of sharers) {
      conflicts.set(spec.name, { reason: "ProtocolConflict", message });
    }
  }
  return conflicts;
}

function routeGroupKind(kind: string): RouteGroupKind {
  return { group: gatewayGroup, kind };
}

const kindsByProtocol: Readonly<Record<string, readonly RouteGroupKind[]>> = {
  HTTP: ["HTTPRoute", "GRPCRoute"].map(routeGroupKind),
  HTTPS: ["HTTPRoute", "GRPCRoute"].map(routeGroupKind),
  TLS: [routeGroupKind("TLSRoute")],
  TCP: [routeGroupKind("TCPRoute")],
  UDP: [routeGroupKind("UDPRoute")],
};

function kindsOf(view: ComputeView, protocol: string): readonly RouteGroupKind[] {
  const kinds = kindsByProtocol[protocol] ?? [];
  return kinds.filter(({ kind }) => view.dataPlane.routeKinds.includes(kind));
}

function resolveKinds(
  view: ComputeView,
  spec: GatewayListener,
): { readonly supported: readonly RouteGroupKind[]; readonly faults: readonly Finding[] } {
  const { kinds } = spec.allowedRoutes;
  const possible = kindsOf(view, spec.protocol);
  if (kinds.length === 0) return { supported: possible, faults: [] };
  const supported = possible.filter((known) => kinds.some((asked) => isSameKind(asked, known)));
  const unknown = kinds.filter((asked) => !possible.some((known) => isSameKind(asked, known)));
  if (unknown.length === 0) return { supported, faults: [] };
  const names = quoteAll(
    unknown.map(({ group, kind }) => group === "" ? kind : `${kind}.${group}`),
  );
  const message = `Route kinds are unknown or not possible with ${spec.protocol}: ${names}`;
  return { supported, faults: [{ reason: "InvalidRouteKinds", message }] };
}

function isSameKind(a: RouteGroupKind, b: RouteGroupKind): boolean {
  return a.kind === b.kind && a.group === b.group;
}

function findOverlaps(
  view: ComputeView,
  listeners: readonly OwnListener[],
): ReadonlyMap<string, Finding> {
  return findOverlappingTls(tlsListenersOf(view, listeners, ({ spec }) => spec.name));
}

/** The listeners with TLS among `listeners`, as far as overlaps are concerned. */
export function tlsListenersOf(
  view: ComputeView,
  listeners: readonly OwnListener[],
  nameOf: (listener: OwnListener) => string,
): readonly TlsListener[] {
  const secure = listeners.filter(({ spec }) => portClassOf(spec.protocol) === "TLS");
  if (secure.length < 2) return [];
  return secure.map((listener) => ({
    name: nameOf(listener),
    port: listener.spec.port,
    ...(listener.spec.hostname === undefined ? {} : { hostname: listener.spec.hostname }),
    dnsNames: listener.certificates.flatMap((key) => dnsNamesOf(view, key)),
  }));
}

function dnsNamesOf(view: ComputeView, key: ObjectKey): readonly string[] {
  const tls = view.read(secretSlices.tls, key);
  return tls && !("invalid" in tls) ? tls.dnsNames : [];
}
