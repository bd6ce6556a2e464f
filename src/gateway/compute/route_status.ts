/**
 * The status of a route of any kind: an entry for each parent that is ours, and for no other.
 */

import type { DesiredCondition, DesiredStatus, ParentsStatus } from "../../kube/desired_status.ts";
import type { ParentReference } from "../../kube/decode/parent_reference.ts";
import { type ObjectKey, parseObjectKey } from "../../kube/object.ts";
import type { RouteEntry } from "../../dataplane/model.ts";
import { gatewayGroup } from "../parent_keys.ts";
import type { RouteKind } from "../route_kinds.ts";
import type { BoundRoute, ComputeView, ParentBinding, RouteRules } from "./compute_view.ts";
import { conditionOf, conditionUnless, trueCondition } from "./finding.ts";
import { pending, type Programmed, programmed, refused } from "./programmed.ts";
import { refusesListener } from "./refusals.ts";
import { routeSlices } from "./route_slices.ts";
import { computeShadowed } from "./shadowed.ts";
import type { ServiceState } from "./service_state.ts";

/** The status of the route `key` of `kind`; `serviceOf` answers for the Gateways of its parents. */
export function computeRouteStatus<K extends RouteKind>(
  view: ComputeView,
  kind: K,
  key: ObjectKey,
  serviceOf: (gateway: ObjectKey) => ServiceState,
): DesiredStatus | undefined {
  const slices = routeSlices[kind];
  const uid = view.read(slices.uid, key);
  if (uid === undefined) return undefined;
  const { namespace = "" } = parseObjectKey(key);
  const rules: RouteRules<unknown> = view.routeRules(kind, key);
  let isPending = false;
  const bindings: readonly ParentBinding<RouteEntry>[] = view.routeBindings(kind, key);
  const parents = bindings.map((binding) => {
    const service = serviceOf(binding.gateway);
    const serving = binding.fault
      ? []
      : binding.bound.filter(({ listener }) => service.serves(listener));
    const progress = computeProgrammed(kind, key, binding, serving, service);
    isPending ||= progress === pending;
    const conditions = parentConditions(binding, rules, view.programmed.ofRoute(progress));
    const shadowed = computeShadowed(view, kind, key, binding, serving);
    if (shadowed) conditions.push(shadowed);
    return { parentRef: binding.reference, conditions };
  });
  return {
    kind,
    key,
    uid,
    generation: view.read(slices.generation, key) ?? 0,
    revision: view.revision,
    pending: isPending,
    body: {
      shape: "parents",
      controllerName: view.controllerName,
      parents: parents.length > 1 ? sortUnique(parents, namespace) : parents,
    },
  };
}

const accepted = trueCondition("Accepted", "Accepted", "The parent takes the route");
const resolvedRefs = trueCondition("ResolvedRefs", "ResolvedRefs", "All references are resolved");

function parentConditions(
  binding: ParentBinding<RouteEntry>,
  rules: RouteRules<unknown>,
  programmed: DesiredCondition,
): DesiredCondition[] {
  const taken = conditionUnless(binding.fault, accepted);
  const resolved = conditionUnless(rules.unresolved, resolvedRefs);
  if (binding.fault || rules.dropped.length === 0) return [taken, resolved, programmed];
  const partly = conditionOf("PartiallyInvalid", "True", {
    reason: "UnsupportedValue",
    message: `Dropped Rule ${rules.dropped.map(({ message }) => message).join("; ")}`,
  });
  return [taken, resolved, partly, programmed];
}

/** Whether this generation of the route is really served by the parent. */
function computeProgrammed(
  kind: RouteKind,
  key: ObjectKey,
  { fault }: ParentBinding<RouteEntry>,
  serving: readonly BoundRoute<RouteEntry>[],
  service: ServiceState,
): Programmed {
  if (fault) return refused("NotAccepted", "The parent does not take the route");
  if (!service.isServed) return refused("ParentNotServed", "The parent is not served");
  if (serving.length === 0) {
    return refused("ParentNotServed", "No listener that took the route is served");
  }
  if (
    !service.isRouteAcknowledged(kind, key) ||
    !serving.every(({ listener }) => service.isListenerAcknowledged(listener))
  ) return pending;
  const [refusal] = service.routeRefusals(kind, key);
  if (refusal) return refused(refusal.reason, refusal.message);
  const refusals = service.gatewayRefusals;
  if (refusals.length === 0) return programmed;
  const isUnreachable = serving.every(({ listener }) =>
    refusals.some((found) => refusesListener(found, listener))
  );
  return isUnreachable
    ? refused("ParentNotServed", "The data plane refused the listeners that took the route")
    : programmed;
}

type Parents = ParentsStatus["parents"];

/**
 * Sorted by reference. References that mean the same, one of them with a default spelled out, are
 * told once, as the first of them in the spec.
 */
function sortUnique(parents: Parents, routeNamespace: string): Parents {
  const compare = (a: ParentReference, b: ParentReference): number =>
    compareReferences(a, b, routeNamespace);
  const sorted = [...parents].sort((a, b) => compare(a.parentRef, b.parentRef));
  return sorted.filter((parent, index) => {
    const before = sorted[index - 1];
    return before === undefined || compare(before.parentRef, parent.parentRef) !== 0;
  });
}

function compareReferences(a: ParentReference, b: ParentReference, routeNamespace: string): number {
  return compareText(a.group ?? gatewayGroup, b.group ?? gatewayGroup) ||
    compareText(a.kind ?? "Gateway", b.kind ?? "Gateway") ||
    compareText(a.namespace ?? routeNamespace, b.namespace ?? routeNamespace) ||
    compareText(a.name, b.name) ||
    compareText(a.sectionName ?? "", b.sectionName ?? "") ||
    (a.port ?? 0) - (b.port ?? 0);
}

function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
