/**
 * The status of a BackendTLSPolicy: an entry for each Gateway that sends to a Service that the policy
 * is about (GEP-713, GEP-1897).
 */

import type { DesiredCondition, DesiredStatus } from "../../kube/desired_status.ts";
import type { BackendTLSPolicy } from "../../kube/decode/backend_tls_policy.ts";
import { type ObjectKey, objectKey, parseObjectKey } from "../../kube/object.ts";
import { backendTLSPolicySlices } from "../kinds/backend_tls_policy.ts";
import { gatewayGroup } from "../parent_keys.ts";
import { findWinner } from "./backend_tls.ts";
import type { ComputeView, PolicyTerms } from "./compute_view.ts";
import { conditionUnless, type Finding, trueCondition, uniqueFindings } from "./finding.ts";
import { gatewaysThatMaySend } from "./service_gateways.ts";

type Target = BackendTLSPolicy["spec"]["targetRefs"][number];

const accepted = trueCondition("Accepted", "Accepted", "Connections to the backend use the policy");
const resolvedRefs = trueCondition("ResolvedRefs", "ResolvedRefs", "All references are resolved");

/** The status of the policy `key`; undefined when no Gateway of ours sends to its targets. */
export function computeBackendTlsPolicyStatus(
  view: ComputeView,
  key: ObjectKey,
): DesiredStatus | undefined {
  const uid = view.read(backendTLSPolicySlices.uid, key);
  if (uid === undefined) return undefined;
  const { namespace = "" } = parseObjectKey(key);
  const targets = (view.read(backendTLSPolicySlices.targetRefs, key) ?? []).filter(
    ({ group, kind }) => group === "" && kind === "Service",
  );
  const byGateway = new Map<ObjectKey, Target[]>();
  for (const target of targets) {
    for (const gateway of gatewaysThatMaySend(view, objectKey(namespace, target.name))) {
      const known = byGateway.get(gateway);
      if (known) known.push(target);
      else byGateway.set(gateway, [target]);
    }
  }
  if (byGateway.size === 0) return undefined;
  const terms = view.policyTerms(key);
  return {
    kind: "BackendTLSPolicy",
    key,
    uid,
    generation: view.read(backendTLSPolicySlices.generation, key) ?? 0,
    revision: view.revision,
    pending: false,
    body: {
      shape: "ancestors",
      controllerName: view.controllerName,
      ancestors: [...byGateway].sort(([a], [b]) => a < b ? -1 : 1).map(([gateway, used]) => ({
        ancestorRef: ancestorOf(gateway),
        conditions: conditionsOf(terms, findTargetFaults(view, key, used)),
      })),
    },
  };
}

function ancestorOf(gateway: ObjectKey) {
  const { namespace = "", name } = parseObjectKey(gateway);
  return { group: gatewayGroup, kind: "Gateway", namespace, name };
}

function conditionsOf(
  { fault, unresolved }: PolicyTerms,
  { fault: targetFault, partial }: TargetFaults,
): readonly DesiredCondition[] {
  const taken = partial === undefined ? accepted : { ...accepted, message: partial };
  return [
    conditionUnless(targetFault ?? fault, taken),
    conditionUnless(unresolved, resolvedRefs),
  ];
}

/** What keeps targets from getting what the policy asks for. */
interface TargetFaults {
  /** Why none of them gets it. */
  readonly fault?: Finding;
  /** Some get it: the message that says why others do not. */
  readonly partial?: string;
}

function findTargetFaults(
  view: ComputeView,
  key: ObjectKey,
  targets: readonly Target[],
): TargetFaults {
  const faults = targets.flatMap((target) => findTargetFault(view, key, target) ?? []);
  const [first] = faults;
  if (!first) return {};
  if (faults.length === targets.length) return { fault: first };
  const why = uniqueFindings(faults).map(({ message }) => message).join("; ");
  return { partial: `The policy is not in effect for all of its targets: ${why}` };
}

function findTargetFault(
  view: ComputeView,
  key: ObjectKey,
  { name, sectionName }: Target,
): Finding | undefined {
  const { namespace = "" } = parseObjectKey(key);
  const service = objectKey(namespace, name);
  const section = sectionName || undefined;
  const found = view.get("Service", service);
  const reason = "TargetNotFound";
  if (!found) return { reason, message: `Service "${service}" does not exist` };
  if (section !== undefined && !found.spec.ports.some((port) => port.name === section)) {
    return { reason, message: `Service "${service}" has no port with name "${section}"` };
  }
  const winner = findWinner(view, service, section);
  if (winner === undefined || winner === key) return undefined;
  return {
    reason: "Conflicted",
    message: `Policy "${winner}" is about the same target and comes first`,
  };
}
