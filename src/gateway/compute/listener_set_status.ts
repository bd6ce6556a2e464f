/** The status of a ListenerSet (GEP-1713): whether its Gateway takes it, and what its listeners are. */

import type { DesiredCondition, DesiredStatus } from "../../kube/desired_status.ts";
import type { ObjectKey } from "../../kube/object.ts";
import { listenerSetSlices } from "../kinds/listener_set.ts";
import { setParent } from "../parent_keys.ts";
import type { ComputeView, EffectiveListener, GatewayListeners, SetOf } from "./compute_view.ts";
import { conditionOf, type Finding, quoteAll, trueCondition } from "./finding.ts";
import { isValidSetListener } from "./gateway_listeners.ts";
import { computeParentProgrammed } from "./gateway_status.ts";
import { computeListenerProgrammed, computeListenerStatus } from "./listener_status.ts";
import { type Programmed, refused } from "./programmed.ts";
import type { ServiceState } from "./service_state.ts";

/** The status of the set `key`; undefined when its Gateway is not ours. */
export function computeListenerSetStatus(
  view: ComputeView,
  key: ObjectKey,
  serviceOf: (gateway: ObjectKey) => ServiceState,
): DesiredStatus | undefined {
  const uid = view.read(listenerSetSlices.uid, key);
  const gateway = view.setListeners(key)?.gateway;
  if (uid === undefined || gateway === undefined) return undefined;
  const joined = view.listeners(gateway);
  const set = joined.sets.find((found) => found.key === key);
  if (!set) return undefined;
  const service = serviceOf(gateway);
  const fault = findSetFault(joined, set);
  const parent = computeParentProgrammed(view, gateway, service);
  const programmed = computeProgrammed(fault, set, parent, service);
  const attached = view.attachedRoutes(setParent(key));
  // What the Gateway does not take has no listeners there.
  const entries = set.fault
    ? []
    : set.listeners.map((listener) =>
      computeListenerStatus(listener, service, attached.get(listener.id) ?? 0, view.programmed)
    );
  return {
    kind: "ListenerSet",
    key,
    uid,
    generation: view.read(listenerSetSlices.generation, key) ?? 0,
    revision: view.revision,
    pending: programmed.state === "pending" || view.programmed.isPending(entries),
    body: {
      shape: "conditions",
      conditions: [acceptedCondition(fault, set), view.programmed.of(programmed)],
      listeners: entries,
      fields: {},
    },
  };
}

/** Why nothing of the set is served. */
function findSetFault(
  { fault, listeners }: GatewayListeners,
  set: SetOf<EffectiveListener>,
): Finding | undefined {
  if (set.fault) return set.fault;
  if (fault || listeners.every((listener) => listener.fault || listener.conflict)) {
    return { reason: "ParentNotAccepted", message: "The Gateway is not accepted" };
  }
  if (set.listeners.some(isValidSetListener)) return undefined;
  const names = quoteAll(set.listeners.map(({ spec }) => spec.name));
  return { reason: "ListenersNotValid", message: `No listener is valid: ${names}` };
}

function acceptedCondition(
  fault: Finding | undefined,
  { listeners }: SetOf<EffectiveListener>,
): DesiredCondition {
  if (fault) return conditionOf("Accepted", "False", fault);
  const invalid = listeners.filter((listener) => !isValidSetListener(listener));
  if (invalid.length === 0) {
    return trueCondition("Accepted", "Accepted", "The ListenerSet is valid");
  }
  const names = quoteAll(invalid.map(({ spec }) => spec.name));
  const message = `Listeners are not valid: ${names}`;
  return conditionOf("Accepted", "True", { reason: "ListenersNotValid", message });
}

function computeProgrammed(
  fault: Finding | undefined,
  { listeners }: SetOf<EffectiveListener>,
  parent: Programmed,
  service: ServiceState,
): Programmed {
  if (fault?.reason === "ParentNotAccepted") {
    return refused("ParentNotProgrammed", "The Gateway is not accepted");
  }
  if (fault?.reason === "ListenersNotValid" && listeners.every(hasNoPort)) {
    return refused("PortUnavailable", "The ports of all listeners are taken");
  }
  if (fault) return { state: "refused", fault };
  if (parent.state === "refused") {
    return refused("ParentNotProgrammed", "The Gateway is not programmed");
  }
  const states = listeners.filter(({ isServable }) => isServable)
    .map((listener) => computeListenerProgrammed(listener, service));
  if (states.some(({ state }) => state === "programmed")) return { state: "programmed" };
  if (states.some(({ state }) => state === "pending")) return { state: "pending" };
  const [first] = states;
  return first ?? refused("ListenersNotValid", "No listener can be served");
}

function hasNoPort({ fault }: EffectiveListener): boolean {
  return fault?.reason === "PortUnavailable";
}
