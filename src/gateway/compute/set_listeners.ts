/** A ListenerSet and its listeners, judged alone but for what its Gateway says of all of them. */

import { type ObjectKey, parseObjectKey } from "../../kube/object.ts";
import { gatewaySlices } from "../kinds/gateway.ts";
import { listenerSetSlices } from "../kinds/listener_set.ts";
import { gatewayOfSet } from "../parent_keys.ts";
import { allowsNamespace, unknownLabels } from "./allowed_namespaces.ts";
import type { ComputeView, SetListeners } from "./compute_view.ts";
import type { Finding } from "./finding.ts";
import { judgeListeners } from "./judge_listener.ts";

/**
 * Judges the listeners of the set `key`, conflicts aside; whether its Gateway takes sets of its
 * namespace is the fault. Undefined: there is no such set, or its Gateway is not ours.
 */
export function computeSetListeners(view: ComputeView, key: ObjectKey): SetListeners | undefined {
  const parentRef = view.read(listenerSetSlices.parentRef, key);
  if (!parentRef) return undefined;
  const { namespace = "", name } = parseObjectKey(key);
  const gateway = gatewayOfSet({ metadata: { namespace }, spec: { parentRef } });
  if (gateway === undefined || view.read(gatewaySlices.uid, gateway) === undefined) {
    return undefined;
  }
  const fault = findNotAllowed(view, gateway, namespace);
  const prefix = `${namespace}/${name}/`;
  const owner = {
    kind: "ListenerSet",
    namespace,
    gateway,
    idOf: (listener: string) => `${prefix}${listener}`,
  };
  const specs = view.read(listenerSetSlices.listeners, key) ?? [];
  return { gateway, ...(fault && { fault }), listeners: judgeListeners(view, owner, specs) };
}

function findNotAllowed(
  view: ComputeView,
  gateway: ObjectKey,
  namespace: string,
): Finding | undefined {
  const { namespace: ownNamespace = "" } = parseObjectKey(gateway);
  const allowed = view.read(gatewaySlices.allowedListeners, gateway)?.namespaces ?? noNamespaces;
  if (allowsNamespace(view, allowed, ownNamespace, namespace)) return undefined;
  const why = unknownLabels(view, [allowed], namespace);
  return {
    reason: "NotAllowed",
    message: `The Gateway takes no ListenerSets from namespace "${namespace}"${why}`,
  };
}

const noNamespaces = { from: "None" };
