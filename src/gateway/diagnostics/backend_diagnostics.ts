/** Backends that cannot answer: without a ready endpoint, or without a weight. Pure. */

import type { ClusterName, HttpRouteAction, Origin } from "../../dataplane/model.ts";
import { objectKey } from "../../kube/object.ts";
import type { InputReader } from "../input_reader.ts";
import type { Outputs } from "../outputs.ts";
import type { Diagnostic } from "./diagnostic_codes.ts";
import { routeId, type ServedRule, someOf } from "./served_rules.ts";

/** BackendWithoutEndpoint, for what a served route leads to. */
export function findBackendDiagnostics(
  rules: readonly ServedRule[],
  { dataPlane }: Outputs,
): readonly Diagnostic[] {
  const empty = [...dataPlane.clusters.values()].filter(({ endpoints }) => endpoints.length === 0);
  if (empty.length === 0) return [];
  const uses = new Map<ClusterName, UsesOfCluster>(empty.map(({ name }) => [name, new Map()]));
  const note = (route: Origin, [cluster, use]: readonly [ClusterName, ClusterUse]): void => {
    const known = uses.get(cluster);
    known?.set(use, (known.get(use) ?? new Set()).add(routeId(route)));
  };
  for (const { route, entries } of rules) {
    for (const { entry } of entries) for (const use of usesOf(entry.action)) note(route, use);
  }
  for (const { listeners } of dataPlane.gateways.values()) {
    for (const { origin, backends } of listeners.flatMap(({ streams }) => streams)) {
      for (const { cluster } of backends) if (cluster) note(origin, [cluster, "connections"]);
    }
  }
  return empty.map(({ name: cluster, origin: { kind, namespace, name }, port }) => ({
    code: "BackendWithoutEndpoint",
    kind,
    namespace,
    name,
    part: `port ${port}`,
    message: `It has no ready endpoint, ${describeUses(uses.get(cluster) ?? new Map())}`,
  }));
}

/** What a route needs a cluster for. */
type ClusterUse = "share" | "connections" | "RequestMirror" | "ExternalAuth";

/** The routes that need a cluster for each use. */
type UsesOfCluster = Map<ClusterUse, Set<string>>;

function* usesOf({ filters, backends }: HttpRouteAction): Generator<[ClusterName, ClusterUse]> {
  for (const { cluster } of backends) if (cluster !== undefined) yield [cluster, "share"];
  for (const filter of [...filters, ...backends.flatMap((backend) => backend.filters)]) {
    if (filter.type === "RequestMirror") yield [filter.mirror.cluster, filter.type];
    else if (filter.type === "ExternalAuth") yield [filter.auth.cluster, filter.type];
  }
}

const consequences = {
  share: "its share is answered 503",
  connections: "its share of connections is closed",
  RequestMirror: "copies of requests are not sent",
  ExternalAuth: "requests that it shall decide about are refused",
} as const satisfies Record<ClusterUse, string>;

function describeUses(uses: UsesOfCluster): string {
  return [...uses].map(([use, routes]) =>
    `${consequences[use]} (used by ${someOf([...routes].sort())})`
  ).sort().join(", ");
}

/** WeightSumZero, for rules in service that name backends and give a weight to none. */
export function findWeightDiagnostics(
  rules: readonly ServedRule[],
  inputs: InputReader,
): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const { route: { kind, namespace, name }, ruleIndex } of rules) {
    if (kind !== "HTTPRoute") continue;
    const rule = inputs.get("HTTPRoute", objectKey(namespace, name))?.spec.rules[ruleIndex];
    const weights = rule?.backendRefs.map(({ weight }) => weight) ?? [];
    if (weights.length === 0 || weights.some((weight) => weight > 0)) continue;
    found.push({
      code: "WeightSumZero",
      kind,
      namespace,
      name,
      part: `rule ${ruleIndex}`,
      message: "Every backend has weight 0, its requests are answered 500",
    });
  }
  return found;
}
