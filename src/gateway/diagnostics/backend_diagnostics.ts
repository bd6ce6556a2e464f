/** Backends that cannot answer: without a ready endpoint, or without a weight. Pure. */

import type { ClusterName } from "../../dataplane/model.ts";
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
  const users = new Map<ClusterName, Set<string>>(empty.map(({ name }) => [name, new Set()]));
  for (const { route, entries } of rules) {
    for (const { entry: { action } } of entries) {
      for (const { cluster } of action.backends) {
        if (cluster !== undefined) users.get(cluster)?.add(routeId(route));
      }
    }
  }
  return empty.map(({ name: cluster, origin: { kind, namespace, name }, port }) => ({
    code: "BackendWithoutEndpoint",
    kind,
    namespace,
    name,
    part: `port ${port}`,
    message: `It has no ready endpoint, its share is answered 503 (used by ` +
      `${someOf([...users.get(cluster) ?? []].sort())})`,
  }));
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
