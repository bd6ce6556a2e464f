/**
 * Which of the recorded reads of a status bear on one of its conditions.
 *
 * Reads are recorded for a whole status, and a status says several things. What is left out here is
 * left out by rule: a condition of this type is not computed from that. Whatever no rule names is
 * kept, so a part of the computation that the rules do not know makes the answer wider, never wrong;
 * a condition type without rules is told as a superset. A simulation holds the rules to it: no
 * condition changes without a change of what is told of it.
 */

import type { ReadNode } from "../../query/explain.ts";
import { routeKinds } from "../route_kinds.ts";
import type { ConditionGroup } from "./condition_groups.ts";

/** Secrets that a listener names, and the namespaces that it reaches into. */
export interface ListenerReferences {
  readonly secrets: ReadonlySet<string>;
  readonly namespaces: ReadonlySet<string>;
}

/** Where a condition stands. */
export interface ConditionPlace {
  /** The object's. */
  readonly kind: string;
  readonly key: string;
  readonly group: ConditionGroup;
  readonly type: string;
  readonly reason: string;
  /** The other parents of the route that are Gateways. */
  readonly siblings: ReadonlySet<string>;
  /** Of the listener that the condition is about; undefined: not known. */
  readonly references?: ListenerReferences;
  /** Another Gateway has one of the addresses, so that they bear on each other. */
  readonly sharesAddress: boolean;
}

/** See the file's header. */
export interface ConditionScope {
  /** Whether it matters that `reader`, the status itself or below it, read `read`. */
  follows(reader: ReadNode, read: ReadNode): boolean;
  /** Whether a change of the input could have changed the condition. */
  allows(input: string, slices: readonly string[]): boolean;
  /** Inputs of other conditions may be among what is told. */
  readonly isSuperset: boolean;
}

/** What has no part in a condition: names of inputs (or `name slice`) and of queries. */
interface Rule {
  readonly without: ReadonlySet<string>;
  /** The same for what the status reads itself, not through a query. */
  readonly notDirectly: ReadonlySet<string>;
}

/** They decide whether there is a status, and of which generation; never what it says. */
const identity = ["metadata.uid", "metadata.generation"];
/** No condition depends on how many routes there are. */
const counting = [
  "attached routes",
  ...routeKinds.flatMap((kind) => [`${kind}s of parent`, `${kind}s of`]),
];
/** Whether other routes or listeners come first: a condition of its own. */
const shadows = ["isolators", "shadows"];
const routeRules = routeKinds.map((kind) => `${kind} rules`);
const routeBindings = routeKinds.map((kind) => `${kind} bindings`);
const serving = ["Gateway frame", "acknowledgements", "acknowledged routes"];
const references = [
  ...["Secret", "ReferenceGrant", "grants", "ConfigMap"],
  ...["Service", "Service port", "EndpointSlice", "slices of Service"],
];
/** Why a Gateway as a whole is not accepted. */
const gatewayFaults = [
  ...["GatewayClass", "Gateway spec.gatewayClassName"],
  ...["Gateway spec.infrastructure", "Gateway spec.addresses"],
];
const neighbours = ["port losses", "port losers", "Gateways at", "addresses"];
/** The certificate that a Gateway shows to backends. */
const clientCertificate = ["Gateway spec.tls", "Secret", "ReferenceGrant", "grants"];

function rule(without: readonly string[], notDirectly: readonly string[] = []): Rule {
  return {
    without: new Set([...without, ...counting, ...shadows]),
    notDirectly: new Set(notDirectly),
  };
}

const routeAccepted = [...serving, ...references, ...gatewayFaults, "Gateway spec.tls"];

const acceptedRule = rule([...routeAccepted, "metadata.creationTimestamp"], routeRules);

/** By type, and by type and reason, for the entry of a parent. */
const parentRules: Readonly<Record<string, Rule>> = {
  Accepted: acceptedRule,
  PartiallyInvalid: rule([...routeAccepted, "metadata.creationTimestamp"]),
  ResolvedRefs: rule([...serving, "Gateway", "GatewayClass", "Namespace"], routeBindings),
  "weir.dev/Programmed": rule([], routeRules),
  "weir.dev/Shadowed": { without: new Set(references), notDirectly: new Set(routeRules) },
  "weir.dev/Programmed NotAccepted": acceptedRule,
};

const listenerAccepted = rule(
  [...serving, ...references, ...gatewayFaults, "Gateway spec.defaultScope"],
  ["Gateway spec.tls", "addresses"],
);

const listenerReferences = rule([
  ...[...serving, ...neighbours, ...gatewayFaults],
  ...["Gateway spec.defaultScope", "Gateway spec.tls"],
], ["Secret", "ReferenceGrant", "grants"]);

/** By type, for a listener. */
const listenerRules: Readonly<Record<string, Rule>> = {
  Accepted: listenerAccepted,
  Conflicted: listenerAccepted,
  Programmed: rule([], clientCertificate),
  ResolvedRefs: listenerReferences,
  OverlappingTLSConfig: listenerReferences,
  "weir.dev/listening": rule([], clientCertificate),
};

/** What follows from one field of a Gateway alone. */
const ownFields = [
  ...[...serving, ...references, ...neighbours, ...gatewayFaults],
  ...["own listeners", "joined listeners", "listeners", "Gateway spec.allowedListeners"],
];

/** By type, for a Gateway itself. */
const gatewayRules: Readonly<Record<string, Rule>> = {
  Accepted: rule([...serving, ...references], ["Gateway spec.tls", "addresses"]),
  Programmed: rule([], clientCertificate),
  ResolvedRefs: rule([
    ...[...serving, ...neighbours, ...gatewayFaults],
    "Gateway spec.defaultScope",
  ]),
  DefaultGateway: rule([...ownFields, "Gateway spec.tls"]),
  InsecureFrontendValidationMode: rule([...ownFields, "Gateway spec.defaultScope"]),
};

const gatewayClassRules: Readonly<Record<string, Rule>> = {
  Accepted: rule(["Gateway API"]),
  SupportedVersion: rule(["GatewayClass"]),
};

function ruleOf(place: ConditionPlace): Rule | undefined {
  const rules = rulesOf(place);
  return rules[`${place.type} ${place.reason}`] ?? rules[place.type];
}

function rulesOf({ kind, group }: ConditionPlace): Readonly<Record<string, Rule>> {
  if (group.parentRef) return parentRules;
  if (group.listener !== undefined) return listenerRules;
  return kind === "Gateway" ? gatewayRules : kind === "GatewayClass" ? gatewayClassRules : {};
}

/** Read for one parent of a route: by its key, which is the parent's. */
const keyedByParent: ReadonlySet<string> = new Set([
  ...["own listeners", "joined listeners", "listeners", "Gateway", "Gateway frame", "addresses"],
  ...["acknowledgements", "acknowledged routes"],
]);

const noRule = rule([]);

/** What bears on the condition at `place`; `status` is what the status itself read. */
export function conditionScope(place: ConditionPlace, status: ReadNode): ConditionScope {
  const { kind, type, siblings, references: own, sharesAddress } = place;
  const known = ruleOf(place);
  const { without, notDirectly } = known ?? noRule;
  const isListeners = place.group.listener !== undefined;
  const isOnlyOwn = isListeners && type === "ResolvedRefs" && own !== undefined;
  const isExcluded = (input: string, slice: string): boolean => {
    if (identity.includes(slice)) return true;
    if (sharesAddress && isListeners && isGatewayFault(input, slice)) return false;
    return without.has(input) || without.has(slice) || without.has(`${input} ${slice}`);
  };
  return {
    isSuperset: known === undefined ||
      isListeners && (type === "ResolvedRefs" && own === undefined || kind !== "Gateway"),
    allows: (input, slices) => slices.some((slice) => !isExcluded(input, slice)),
    follows(reader, read) {
      const slice = read.input?.slice ?? "";
      if (isExcluded(read.name, slice)) return false;
      const isDirect = reader === status;
      if (isDirect && (notDirectly.has(read.name) || notDirectly.has(`${read.name} ${slice}`))) {
        return false;
      }
      if (siblings.size > 0 && (isDirect || routeBindings.includes(reader.name))) {
        const [parent = ""] = read.key.split(" ");
        if (keyedByParent.has(read.name) && siblings.has(parent)) return false;
      }
      return !isOnlyOwn || isOwnReference(own, read);
    },
  };
}

const gatewayFaultNames: ReadonlySet<string> = new Set(gatewayFaults);

function isGatewayFault(input: string, slice: string): boolean {
  return gatewayFaultNames.has(input) || gatewayFaultNames.has(`${input} ${slice}`);
}

/** What other listeners of the Gateway refer to has no part in this one's references. */
function isOwnReference({ secrets, namespaces }: ListenerReferences, read: ReadNode): boolean {
  switch (read.name) {
    case "Secret":
      return secrets.has(read.key);
    case "grants":
      return namespaces.has(read.key);
    case "ReferenceGrant":
      return namespaces.has(read.key.split("/")[0] ?? "");
    default:
      return true;
  }
}
