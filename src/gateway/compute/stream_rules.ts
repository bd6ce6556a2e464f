/**
 * The rule of a TLSRoute, TCPRoute or UDPRoute: where its connections go.
 *
 * A reference that does not resolve keeps its share, whose connections are refused.
 */

import { type ClusterName, clusterName, type StreamBackend } from "../../dataplane/model.ts";
import type { BackendReference } from "../../kube/decode/backend_reference.ts";
import { type ObjectKey, objectKey, parseObjectKey } from "../../kube/object.ts";
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
  const rules = readRules(view, kind, key).map(({ name, backendRefs }, ruleIndex): StreamRule => {
    const resolved = backendRefs.map((reference) => {
      const from = { kind, namespace, use: kind === "UDPRoute" ? "UDP" : "TCP" } as const;
      return { reference, found: resolveBackend(view, from, reference) };
    });
    for (const { found } of resolved) if ("reason" in found) unresolved.push(found);
    // A share of nothing is no share.
    const shares = resolved.filter(({ reference }) => reference.weight > 0);
    const backends = shares.map(({ reference: { weight }, found }): StreamBackend =>
      "reason" in found ? { weight } : { weight, cluster: found.cluster }
    );
    const secured = kind === "TLSRoute"
      ? shares.map(({ reference, found }, index) =>
        "reason" in found
          ? backends[index] ?? { weight: reference.weight }
          : secureBackend(view, namespace, reference, found.cluster)
      )
      : backends;
    return {
      ruleIndex,
      ...(name === undefined ? {} : { name }),
      backends,
      ...(secured.some(({ cluster }, index) => cluster !== backends[index]?.cluster) && {
        backendsBehindTls: secured,
      }),
    };
  });
  const joined = joinFindings(uniqueFindings(unresolved));
  return joined ? { rules, dropped: [], unresolved: joined } : { rules, dropped: [] };
}

/** The share of a backend with what policies say of it, where TLS has ended before. */
function secureBackend(
  view: ComputeView,
  namespace: string,
  { name, namespace: target = namespace, port = 0, weight }: BackendReference,
  cluster: ClusterName,
): StreamBackend {
  const tls = view.backendTls(objectKey(target, name), port);
  if (!tls) return { weight, cluster };
  return "reason" in tls ? { weight } : { weight, cluster: clusterName(target, name, port, "TLS") };
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
