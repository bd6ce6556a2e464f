/**
 * Which listeners would take a route, for each parent reference that is ours (Gateway API, attachment).
 *
 * The listeners of the parent are narrowed down step by step: section and port, kind, namespace,
 * hostname. The first step that leaves none gives the reason. Whether a listener is itself accepted
 * plays no part. A reference to a Gateway means its own listeners only, never those of its sets. A
 * route none of whose rules is in service is taken by nobody; where a filter of it that is not served
 * may be a guard, it keeps out what it matches all the same (HTTPRouteFilter, `type`).
 */

import { append } from "../../base/append.ts";
import type { ParentReference } from "../../kube/decode/parent_reference.ts";
import { type ObjectKey, parseObjectKey } from "../../kube/object.ts";
import { gatewaySlices } from "../kinds/gateway.ts";
import {
  gatewayGroup,
  gatewayParent,
  isDefaultScope,
  type ParentKey,
  parentOf,
  parseParentKey,
} from "../parent_keys.ts";
import type { RouteKind } from "../route_kinds.ts";
import { allowsNamespace, unknownLabels } from "./allowed_namespaces.ts";
import type {
  ComputeView,
  Meeting,
  OwnListener,
  ParentMeetings,
  RouteRules,
} from "./compute_view.ts";
import type { Finding } from "./finding.ts";
import { intersectHostnames } from "./hostnames.ts";
import { endsTls } from "./listener_tls.ts";
import { routeSlices } from "./route_slices.ts";

/** The route `key` of `kind` at each of its parents. */
export function computeRouteMeetings<K extends RouteKind>(
  view: ComputeView,
  kind: K,
  key: ObjectKey,
): readonly ParentMeetings[] {
  const { namespace = "" } = parseObjectKey(key);
  let meetings: ParentMeetings[] | undefined;
  const slices = routeSlices[kind];
  for (const reference of referencesOf(view, kind, key)) {
    const parent = parentOf(reference, namespace);
    const found = parent === undefined ? undefined : findParent(view, parent);
    if (parent === undefined || !found) continue;
    const { gateway, fault } = found;
    const hostnames = slices.hostnames && view.read(slices.hostnames, key);
    const taken = fault ?? findListeners(view, found, reference, { kind, namespace, hostnames });
    const result = "reason" in taken
      ? { fault: taken, meetings: [] }
      : meetWithRules(view.routeRules(kind, key), taken);
    meetings = append(meetings, { reference, parent, gateway, ...result });
  }
  return meetings ?? [];
}

/** What the route names, and the default Gateways that it asks for and does not name (GEP-3793). */
function referencesOf<K extends RouteKind>(
  view: ComputeView,
  kind: K,
  key: ObjectKey,
): readonly ParentReference[] {
  const slices = routeSlices[kind];
  const named = view.read(slices.parentRefs, key) ?? [];
  if (!isDefaultScope(view.read(slices.useDefaultGateways, key))) return named;
  const { namespace = "" } = parseObjectKey(key);
  const parents = new Set(named.map((reference) => parentOf(reference, namespace)));
  const defaults = view.defaultGateways().filter((gateway) => !parents.has(gatewayParent(gateway)));
  return [...named, ...defaults.map(referenceTo)];
}

function referenceTo(gateway: ObjectKey): ParentReference {
  const { namespace = "", name } = parseObjectKey(gateway);
  return { group: gatewayGroup, kind: "Gateway", namespace, name };
}

/** A parent that is ours. */
interface FoundParent {
  readonly gateway: ObjectKey;
  readonly namespace: string;
  readonly listeners: readonly OwnListener[];
  /** Why it takes no routes at all. */
  readonly fault?: Finding;
}

function findParent(view: ComputeView, parent: ParentKey): FoundParent | undefined {
  const { kind, key } = parseParentKey(parent);
  const { namespace = "" } = parseObjectKey(key);
  if (kind === "Gateway") {
    if (view.read(gatewaySlices.uid, key) === undefined) return undefined;
    return { gateway: key, namespace, listeners: view.ownListeners(key).listeners };
  }
  const set = view.setListeners(key);
  if (!set) return undefined;
  const { gateway, listeners } = set;
  if (!set.fault) return { gateway, namespace, listeners };
  const fault = notAllowed("The ListenerSet is not allowed by its Gateway");
  return { gateway, namespace, listeners, fault };
}

type RouteNamespaces = OwnListener["spec"]["allowedRoutes"]["namespaces"];

/** What of a route decides who takes it. */
interface Applicant {
  readonly kind: RouteKind;
  readonly namespace: string;
  readonly hostnames: readonly string[] | undefined;
}

function findListeners(
  view: ComputeView,
  parent: FoundParent,
  reference: ParentReference,
  { kind, namespace, hostnames: routeHostnames = [] }: Applicant,
): readonly Meeting[] | Finding {
  const { sectionName, port } = reference;
  let bound: Meeting[] | undefined;
  let refusing: RouteNamespaces[] | undefined;
  // How far the best listener came, as no listener gets past the step that gives the reason.
  let isSelected = false;
  let takesKind = false;
  let takesFrom = false;
  for (const { id, spec, supportedKinds } of parent.listeners) {
    if (sectionName !== undefined && spec.name !== sectionName) continue;
    if (port !== undefined && spec.port !== port) continue;
    isSelected = true;
    if (!supportedKinds.some((supported) => supported.kind === kind)) continue;
    takesKind = true;
    const { namespaces } = spec.allowedRoutes;
    if (!allowsNamespace(view, namespaces, parent.namespace, namespace)) {
      refusing = append(refusing, namespaces);
      continue;
    }
    takesFrom = true;
    const hostnames = intersectHostnames(spec.hostname, routeHostnames);
    if (hostnames.length > 0) {
      bound = append(bound, {
        listener: id,
        endsTls: spec.protocol === "TLS" && endsTls(spec),
        hostnames,
      });
    }
  }
  if (bound) return bound;
  const which = describeSelection(reference);
  if (!isSelected) {
    return { reason: "NoMatchingParent", message: `The parent has no listener${which}` };
  }
  if (!takesKind) {
    return notAllowed(`No listener of the parent${which} takes routes of kind ${kind}`);
  }
  if (!takesFrom) {
    const why = unknownLabels(view, refusing ?? [], namespace);
    return notAllowed(
      `No listener of the parent${which} takes routes from namespace "${namespace}"${why}`,
    );
  }
  return {
    reason: "NoMatchingListenerHostname",
    message: `No hostname of the route matches one of the parent's listeners${which}`,
  };
}

/** A route without a rule in service is refused; its rules that are left bar what they match. */
function meetWithRules(
  rules: RouteRules<{ readonly ruleIndex: number }>,
  meetings: readonly Meeting[],
): Pick<ParentMeetings, "fault" | "meetings"> {
  const fault = findRulesFault(rules);
  if (!fault) return { meetings };
  return { fault, meetings: rules.rules.length > 0 ? meetings : [] };
}

/** The reason why no rule of the route is in service, if so. */
function findRulesFault(
  { rules, dropped }: RouteRules<{ readonly ruleIndex: number }>,
): Finding | undefined {
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

/** Which listeners of its parent `reference` names; empty: all of them. */
function describeSelection({ sectionName, port }: ParentReference): string {
  const named = [
    ...(sectionName === undefined ? [] : [`name "${sectionName}"`]),
    ...(port === undefined ? [] : [`port ${port}`]),
  ];
  return named.length === 0 ? "" : ` with ${named.join(" and ")}`;
}

function notAllowed(message: string): Finding {
  return { reason: "NotAllowedByListeners", message };
}
