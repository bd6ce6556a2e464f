/**
 * Which listeners take a route, for each parent reference that is ours (Gateway API, attachment).
 *
 * The listeners of the parent are narrowed down step by step: section and port, kind, namespace,
 * hostname. The first step that leaves none gives the reason. Whether a listener is itself accepted
 * plays no part. A route none of whose rules is in service is taken by nobody.
 */

import type { HttpRouteEntry } from "../../dataplane/model.ts";
import type { ParentReference } from "../../kube/decode/parent_reference.ts";
import { type ObjectKey, objectKey, parseObjectKey } from "../../kube/object.ts";
import type { InputReader } from "../input_reader.ts";
import { gatewaySlices } from "../kinds/gateway.ts";
import { httpRouteSlices } from "../kinds/http_route.ts";
import { namespaceSlices } from "../kinds/namespace.ts";
import { gatewayGroup, isGatewayReference, parentKey } from "../parent_keys.ts";
import type { BoundRoute, ComputeView, OwnListener, ParentBinding } from "./compute_view.ts";
import type { Finding } from "./finding.ts";
import { intersectHostnames } from "./hostnames.ts";
import { describeSelectorFault, selectorMatches } from "./label_selector.ts";
import { computeRouteEntries } from "./route_entries.ts";

/** Binds the route `key` to its parents. */
export function computeRouteBindings(
  view: ComputeView,
  key: ObjectKey,
): readonly ParentBinding[] {
  const { namespace = "" } = parseObjectKey(key);
  const bindings: ParentBinding[] = [];
  for (const reference of view.read(httpRouteSlices.parentRefs, key) ?? []) {
    if (!isGatewayReference(reference)) continue;
    const gateway = parentKey(reference, namespace);
    if (view.read(gatewaySlices.uid, gateway) === undefined) continue;
    bindings.push(bindToGateway(view, { key, namespace }, reference, gateway));
  }
  return bindings;
}

/** A route by its key. */
interface Route {
  readonly key: ObjectKey;
  readonly namespace: string;
}

function bindToGateway(
  view: ComputeView,
  route: Route,
  reference: ParentReference,
  gateway: ObjectKey,
): ParentBinding {
  const found = findListeners(view, route, reference, gateway);
  const fault = "reason" in found ? found : findRulesFault(view, route.key);
  if (fault || "reason" in found) return { reference, gateway, ...(fault && { fault }), bound: [] };
  return { reference, gateway, bound: bindToListeners(view, route.key, found) };
}

/** Listeners at which the route has the same hostnames share its entries. */
function bindToListeners(
  view: ComputeView,
  key: ObjectKey,
  meetings: readonly Meeting[],
): readonly BoundRoute[] {
  const created = view.read(httpRouteSlices.creationTimestamp, key) ?? "";
  const { rules } = view.routeRules(key);
  const entriesOf = ({ hostnames }: Meeting): readonly HttpRouteEntry[] =>
    computeRouteEntries(key, created, rules, hostnames);
  const [only] = meetings;
  if (only && meetings.length === 1) {
    return [{ listener: only.listener, entries: entriesOf(only) }];
  }
  const byHostnames = new Map<string, readonly HttpRouteEntry[]>();
  return meetings.map((meeting) => {
    const name = meeting.hostnames.join();
    const entries = byHostnames.get(name) ?? entriesOf(meeting);
    byHostnames.set(name, entries);
    return { listener: meeting.listener, entries };
  });
}

/** A listener that takes a route, and the hostnames that they have in common; never empty. */
interface Meeting {
  readonly listener: string;
  readonly hostnames: readonly (string | undefined)[];
}

function findListeners(
  view: ComputeView,
  { key, namespace }: Route,
  reference: ParentReference,
  gateway: ObjectKey,
): readonly Meeting[] | Finding {
  const { sectionName, port } = reference;
  const gatewayNamespace = reference.namespace ?? namespace;
  const routeHostnames = view.read(httpRouteSlices.hostnames, key) ?? [];
  const bound: Meeting[] = [];
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
    const hostnames = intersectHostnames(spec.hostname, routeHostnames);
    if (hostnames.length > 0) bound.push({ listener: spec.name, hostnames });
  }
  if (bound.length > 0) return bound;
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
      const labels = reader.read(namespaceSlices.labels, objectKey(undefined, routeNamespace));
      return labels !== undefined && selector !== undefined &&
        describeSelectorFault(selector) === undefined && selectorMatches(selector, labels);
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
