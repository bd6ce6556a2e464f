/** The status entry of a listener, in a Gateway or in a ListenerSet. */

import { formatHostPort } from "../../base/ip_address.ts";
import type { DesiredCondition, DesiredListener } from "../../kube/desired_status.ts";
import type { EffectiveListener } from "./compute_view.ts";
import { hasCertificate } from "./gateway_listeners.ts";
import { conditionOf, conditionUnless, trueCondition } from "./finding.ts";
import { type Programmed, type ProgrammedConditions, refused } from "./programmed.ts";
import { refusesListener } from "./refusals.ts";
import type { ServiceState } from "./service_state.ts";

/** Whether a listener is in service. */
export function computeListenerProgrammed(
  listener: EffectiveListener,
  service: ServiceState,
): Programmed {
  if (listener.conflict) return { state: "refused", fault: listener.conflict };
  if (listener.fault) {
    // Of a Gateway's own listener `Programmed` has no such reason (ListenerEntryReasonPortUnavailable).
    const isTaken = listener.fault.reason === "PortUnavailable" && isEntry(listener);
    return isTaken
      ? { state: "refused", fault: listener.fault }
      : refused("Invalid", "The listener is not accepted");
  }
  if (!listener.isServable) {
    return refused(
      "Invalid",
      hasCertificate(listener)
        ? "The ListenerSet is not accepted"
        : "The listener has no usable certificate",
    );
  }
  if (!service.isServed) return refused("Invalid", "The Gateway is not served");
  if (!service.isGatewayAcknowledged) return { state: "pending" };
  const refusal = service.gatewayRefusals.find((found) => refusesListener(found, listener.id));
  return refusal ? { state: "refused", fault: refusal } : { state: "programmed" };
}

/** Whether the listener stands in a ListenerSet: only there its id is more than its name. */
function isEntry({ id, spec }: EffectiveListener): boolean {
  return id !== spec.name;
}

/** The entry of `listener` in the status of its object. */
export function computeListenerStatus(
  listener: EffectiveListener,
  service: ServiceState,
  attachedRoutes: number,
  programmed: ProgrammedConditions,
): DesiredListener {
  const { id, spec, conflict, overlap, unresolved } = listener;
  const fault = conflict ?? listener.fault;
  const conditions: DesiredCondition[] = [
    conditionUnless(fault, accepted),
    programmed.of(computeListenerProgrammed(listener, service)),
    conditionUnless(unresolved, resolvedRefs),
    conflict ? conditionOf("Conflicted", "True", conflict) : noConflicts,
  ];
  if (overlap) conditions.push(conditionOf("OverlappingTLSConfig", "True", overlap));
  const listening = computeListening(id, service);
  if (listening) conditions.push(listening);
  return { name: spec.name, supportedKinds: listener.supportedKinds, attachedRoutes, conditions };
}

const accepted = trueCondition("Accepted", "Accepted", "The listener is valid");
const resolvedRefs = trueCondition("ResolvedRefs", "ResolvedRefs", "All references are resolved");

const noConflicts: DesiredCondition = {
  type: "Conflicted",
  status: "False",
  reason: "NoConflicts",
  message: "The listener has no conflicts",
};

/** Present when the data plane listens on another port than the spec's. */
function computeListening(id: string, service: ServiceState): DesiredCondition | undefined {
  const shifted = service.boundListeners(id).filter(({ port, boundPort }) => port !== boundPort);
  if (shifted.length === 0) return undefined;
  const where = shifted.map(({ address, boundPort }) => formatHostPort(address, boundPort));
  return conditionOf("weir.dev/listening", "True", {
    reason: "Shifted",
    message: `Listening on ${where.join(", ")} instead of port ${shifted[0]?.port}`,
  });
}
