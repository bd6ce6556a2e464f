/**
 * Which listeners take a route, for each parent reference that is ours (Gateway API, attachment).
 *
 * The listeners of the parent are narrowed down step by step: section and port, kind, namespace,
 * hostname. The first step that leaves none gives the reason. Whether a listener is itself accepted
 * plays no part. A route none of whose rules is in service is taken by nobody.
 */

import type { HTTPRoute, ParentReference } from "../../kube/decode/http_route.ts";
import { type ObjectKey, objectKey } from "../../kube/object.ts";
import type { InputReader } from "../input_reader.ts";
import { gatewayGroup, isGatewayReference, parentKey } from "../parent_keys.ts";
import type { BoundHostnames, ComputeView, OwnListener, ParentBinding } from "./compute_view.ts";
import type { Finding } from "./finding.ts";
import { intersectHostnames } from "./hostnames.ts";
import { describeSelectorFault, selectorMatches } from "./label_selector.ts";

/** Binds the route `key` to its parents. */
export function computeRouteBindings(
  view: ComputeView,
  key: ObjectKey,
): readonly ParentBinding[] {
  const route = view.get("HTTPRoute", key);
  if (!route) return [];
  const bindings: ParentBinding[] = [];
  for (const reference of route.spec.parentRefs) {
    if (!isGatewayReference(reference)) continue;
    const gateway = parentKey(reference, route.metadata.namespace);
    if (!view.get("Gateway", gateway)) continue;
    bindings.push(bindToGateway(view, key, route, reference, gateway));
  }
  return bindings;
}

function bindToGateway(
  view: ComputeView,
  key: ObjectKey,
  route: HTTPRoute,
  reference: ParentReference,
  gateway: ObjectKey,
): ParentBinding {
  const found = findListeners(view, route, reference, gateway);
  const fault = "reason" in found ? found : findRulesFault(view, key);
  if (fault || "reason" in found) return { reference, gateway, ...(fault && { fault }), bound: [] };
  return { reference, gateway, bound: found.bound };
}

function findListeners(
  view: ComputeView,
  route: HTTPRoute,
  reference: ParentReference,
  gateway: ObjectKey,
): { readonly bound: readonly BoundHostnames[] } | Finding {
  const { sectionName, port } = reference;
  const { namespace } = route.metadata;
  const gatewayNamespace = reference.namespace ?? namespace;
  const bound: BoundHostnames[] = [];
  // How far the best listener came, as no listener gets past the step that gives the reason.
  let isSelected = false;
  let takesKind = false;
  let takesFrom = false;
  for (const listener of view.ownListeners(gateway).listeners) {
    const { spec } = listener;
    if (sectionName !== undefined && spec.name !== sectionName) continue;
    if (port !== undefined && spec.port !== port) continue;
    isSelected = true;
    if (!takesHttpRoutes(listener)) continue;
    takesKind = true;
    if (!takesNamespace(view, listener, gatewayNamespace, namespace)) continue;
    takesFrom = true;
    const hostnames = intersectHostnames(spec.hostname, route.spec.hostnames);
    if (hostnames.length > 0) bound.push({ listener: spec.name, hostnames });
  }
  if (bound.length > 0) return { bound };
  if (!isSelected) return noMatchingParent(reference);
  if (!takesKind) return notAllowed("No listener of the parent takes routes of kind HTTPRoute");
  if (!takesFrom) {
    return notAllowed(`No listener of the parent takes routes from namespace "${namespace}"`);
  }
  return {
    reason: "NoMatchingListenerHostname",
    message: "No hostname of the route matches one of the parent's listeners",
  };
}

function noMatchingParent({ sectionName, port }: ParentReference): Finding {
  const wanted = [
    ...(sectionName === undefined ? [] : [`name "${sectionName}"`]),
    ...(port === undefined ? [] : [`port ${port}`]),
  ];
  return {
    reason: "NoMatchingParent",
    message: `The parent has no listener${wanted.length > 0 ? " with " : ""}${
      wanted.join(" and ")
    }`,
  };
}

function notAllowed(message: string): Finding {
  return { reason: "NotAllowedByListeners", message };
}

function takesHttpRoutes({ supportedKinds }: OwnListener): boolean {
  return supportedKinds.some(({ group, kind }) => kind === "HTTPRoute" && group === gatewayGroup);
}

function takesNamespace(
  reader: InputReader,
  { spec }: OwnListener,
  gatewayNamespace: string,
  routeNamespace: string,
): boolean {
  const { from, selector } = spec.allowedRoutes.namespaces;
  switch (from) {
    case "All":
      return true;
    case "Same":
      return gatewayNamespace === routeNamespace;
    case "Selector": {
      const namespace = reader.get("Namespace", objectKey(undefined, routeNamespace));
      return namespace !== undefined && selector !== undefined &&
        describeSelectorFault(selector) === undefined &&
        selectorMatches(selector, namespace.metadata.labels);
    }
    default:
      return false;
  }
}

/** The reason why no rule of the route is in service, if so. */
function findRulesFault(view: ComputeView, key: ObjectKey): Finding | undefined {
  const { rules, dropped } = view.routeRules(key);
  const [first] = dropped;
  const isServed = rules.some(({ ruleIndex }) =>
    !dropped.some((drop) => drop.ruleIndex === ruleIndex)
  );
  if (!first || isServed) return undefined;
  return {
    reason: first.reason,
    message: `No rule can be served: ${dropped.map(({ message }) => message).join("; ")}`,
  };
}
