/**
 * The rule of a TLSRoute, TCPRoute or UDPRoute: where its connections go.
 *
 * A reference that does not resolve keeps its share, whose connections are refused.
 */

import type { StreamBackend } from "../../dataplane/model.ts";
import type { BackendReference } from "../../kube/decode/backend_reference.ts";
import { type ObjectKey, parseObjectKey } from "../../kube/object.ts";
import { tcpRouteSlices } from "../kinds/tcp_route.ts";
import { tlsRouteSlices } from "../kinds/tls_route.ts";
import { udpRouteSlices } from "../kinds/udp_route.ts";
import { resolveBackend } from "./backends.ts";
import type { ComputeView, RouteRules, StreamRule } from "./compute_view.ts";
import { type Finding, joinFindings, uniqueFindings } from "./finding.ts";

type StreamKind = "TLSRoute" | "TCPRoute" | "UDPRoute";

/** Compiles the rules of the route `key` of `kind`. */
export function computeStreamRules(
  view: ComputeView,
  kind: StreamKind,
  key: ObjectKey,
): RouteRules<StreamRule> {
  const { namespace = "" } = parseObjectKey(key);
  const unresolved: Finding[] = [];
  const rules = readRules(view, kind, key).map(({ name, backendRefs }, ruleIndex): StreamRule => ({
    ruleIndex,
    ...(name === undefined ? {} : { name }),
    backends: backendRefs.flatMap((reference): StreamBackend[] => {
      const from = { kind, namespace, use: kind === "UDPRoute" ? "UDP" : "TCP" } as const;
      const resolved = resolveBackend(view, from, reference);
      const { weight } = reference;
      if ("reason" in resolved) unresolved.push(resolved);
      // A share of nothing is no share.
      if (weight === 0) return [];
      if ("reason" in resolved || resolved.isUnusable) return [{ weight }];
      return [{ weight, cluster: resolved.cluster }];
    }),
  }));
  const joined = joinFindings(uniqueFindings(unresolved));
  return joined ? { rules, dropped: [], unresolved: joined } : { rules, dropped: [] };
}

interface Rule {
  readonly name?: string;
  readonly backendRefs: readonly BackendReference[];
}

function readRules(view: ComputeView, kind: StreamKind, key: ObjectKey): readonly Rule[] {
  switch (kind) {
    case "TLSRoute":
      return view.read(tlsRouteSlices.rules, key) ?? [];
    case "TCPRoute":
      return view.read(tcpRouteSlices.rules, key) ?? [];
    case "UDPRoute":
      return view.read(udpRouteSlices.rules, key) ?? [];
  }
}
