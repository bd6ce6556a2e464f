/**
 * The lowest layer: a Gateway and its listeners, judged without routes, without ListenerSets and
 * without other Gateways.
 */

import { type ObjectKey, objectKey, parseObjectKey } from "../../kube/object.ts";
import { gatewaySlices } from "../kinds/gateway.ts";
import { gatewayClassSlices } from "../kinds/gateway_class.ts";
import type { ComputeView, OwnListeners } from "./compute_view.ts";
import type { Finding } from "./finding.ts";
import { judgeListeners, withConflicts } from "./judge_listener.ts";
import { describeSelectorFault } from "./label_selector.ts";

/** Judges the listeners of the Gateway `key` on their own. */
export function computeOwnListeners(view: ComputeView, key: ObjectKey): OwnListeners {
  const specs = view.read(gatewaySlices.listeners, key);
  if (!specs) return { listeners: [] };
  const fault = findGatewayFault(view, key);
  const { namespace = "" } = parseObjectKey(key);
  const owner = { kind: "Gateway", namespace, gateway: key, idOf: (name: string) => name };
  const listeners = withConflicts(view, judgeListeners(view, owner, specs));
  return { ...(fault && { fault }), listeners };
}

function findGatewayFault(view: ComputeView, key: ObjectKey): Finding | undefined {
  const gatewayClassName = view.read(gatewaySlices.gatewayClassName, key) ?? "";
  const gatewayClass = objectKey(undefined, gatewayClassName);
  if (view.read(gatewayClassSlices.parametersRef, gatewayClass)) {
    return {
      reason: "InvalidParameters",
      message: `GatewayClass "${gatewayClassName}" is not accepted: its parametersRef is unknown`,
    };
  }
  const parameters = view.read(gatewaySlices.infrastructure, key)?.parametersRef;
  if (parameters) {
    return {
      reason: "InvalidParameters",
      message: `Cannot use parametersRef: kind "${parameters.kind}" is unknown, wanted none`,
    };
  }
  const selector = view.read(gatewaySlices.allowedListeners, key)?.namespaces.selector;
  const selectorFault = selector && describeSelectorFault(selector);
  if (selectorFault !== undefined) {
    const message = `The selector of allowedListeners is invalid: ${selectorFault}`;
    return { reason: "Invalid", message };
  }
  const addresses = view.read(gatewaySlices.addresses, key) ?? [];
  const foreign = addresses.find(({ type }) => type !== "IPAddress");
  if (!foreign) return undefined;
  return {
    reason: "UnsupportedAddress",
    message: `Address type "${foreign.type}" is not supported, wanted "IPAddress"`,
  };
}
