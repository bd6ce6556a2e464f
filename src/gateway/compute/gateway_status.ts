/** The status of a Gateway. */

import type { DesiredCondition, DesiredStatus } from "../../kube/desired_status.ts";
import type { ObjectKey } from "../../kube/object.ts";
import { gatewaySlices } from "../kinds/gateway.ts";
import { findClientCertificateFault } from "./certificate_refs.ts";
import type { ComputeView, EffectiveListener } from "./compute_view.ts";
import { conditionOf, conditionUnless, type Finding, quoteAll, trueCondition } from "./finding.ts";
import { computeListenerStatus } from "./listener_status.ts";
import { type Programmed, refused } from "./programmed.ts";
import type { ServiceState } from "./service_state.ts";

/** The status of the Gateway `key`, which is ours. */
export function computeGatewayStatus(
  view: ComputeView,
  key: ObjectKey,
  service: ServiceState,
): DesiredStatus | undefined {
  const uid = view.read(gatewaySlices.uid, key);
  if (uid === undefined) return undefined;
  const { fault, listeners } = view.listeners(key);
  const attached = view.attachedRoutes(key);
  const accepted = acceptedCondition(view.read(gatewaySlices.defaultScope, key), fault, listeners);
  const programmed = computeProgrammed(view, key, accepted, service);
  const addresses = accepted.status === "True" ? view.addressesOf(key)?.addresses ?? [] : [];
  return {
    kind: "Gateway",
    key,
    uid,
    generation: view.read(gatewaySlices.generation, key) ?? 0,
    revision: view.revision,
    pending: programmed.state === "pending",
    body: {
      shape: "conditions",
      conditions: [
        accepted,
        view.programmed.of(programmed),
        resolvedRefsCondition(view, key, listeners),
      ],
      listeners: listeners.map((listener) =>
        computeListenerStatus(
          listener,
          service,
          attached.get(listener.spec.name) ?? 0,
          view.programmed,
        )
      ),
      fields: { addresses: addresses.map((value) => ({ type: "IPAddress", value })) },
    },
  };
}

function acceptedCondition(
  defaultScope: string | undefined,
  fault: Finding | undefined,
  listeners: readonly EffectiveListener[],
): DesiredCondition {
  if (fault) return conditionOf("Accepted", "False", fault);
  const invalid = listeners.filter((listener) => listener.fault || listener.conflict);
  if (invalid.length > 0) {
    const names = quoteAll(invalid.map(({ spec }) => spec.name));
    const isPartial = invalid.length < listeners.length;
    return conditionOf("Accepted", isPartial ? "True" : "False", {
      reason: "ListenersNotValid",
      message: isPartial
        ? `Listeners are not valid and left out: ${names}`
        : `No listener is valid: ${names}`,
    });
  }
  const note = defaultScope === undefined || defaultScope === "None"
    ? ""
    : `; defaultScope "${defaultScope}" is not implemented and has no effect`;
  const message = `The Gateway is valid${note}`;
  return trueCondition("Accepted", "Accepted", message);
}

const resolvedRefs = trueCondition("ResolvedRefs", "ResolvedRefs", "All references are resolved");

function resolvedRefsCondition(
  view: ComputeView,
  gateway: ObjectKey,
  listeners: readonly EffectiveListener[],
): DesiredCondition {
  const unresolved = listeners.filter((listener) => listener.unresolved);
  const fault = findClientCertificateFault(view, gateway) ??
    (unresolved.length === 0 ? undefined : {
      reason: "ListenersNotResolved",
      message: `Listeners have references that do not resolve: ${
        quoteAll(unresolved.map(({ spec }) => spec.name))
      }`,
    });
  return conditionUnless(fault, resolvedRefs);
}

function computeProgrammed(
  view: ComputeView,
  key: ObjectKey,
  accepted: DesiredCondition,
  service: ServiceState,
): Programmed {
  if (accepted.status !== "True") return refused("Invalid", "The Gateway is not accepted");
  const assignment = view.addressesOf(key);
  if (assignment && assignment.unusable.length > 0) {
    const addresses = quoteAll(assignment.unusable);
    return refused("AddressNotUsable", `Requested addresses cannot be used: ${addresses}`);
  }
  if (!assignment || assignment.addresses.length === 0) {
    return refused("AddressNotAssigned", "No address is assigned to the Gateway");
  }
  if (!service.isServed) return refused("Invalid", "No listener can be served");
  if (!service.isGatewayAcknowledged) return { state: "pending" };
  const [refusal] = service.gatewayRefusals;
  if (!refusal) return { state: "programmed" };
  const where = refusal.listener === undefined ? "" : `Listener "${refusal.listener}": `;
  return refused(refusal.reason, `${where}${refusal.message}`);
}
