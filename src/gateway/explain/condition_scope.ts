/**
 * Which of the recorded reads of a status bear on one of its conditions.
 *
 * Reads are recorded for a whole status, and a status says several things. What is left out here is
 * left out by rule: a condition of this type is not computed from that, or another parent or listener
 * is. Whatever no rule names is kept, so a part of the computation that the rules do not know makes
 * the answer wider, never wrong; a condition type without rules is told as a superset. A simulation
 * holds the rules to it: no condition changes without a change of what is told of it.
 */

import type { ReadNode } from "../../query/explain.ts";
import { routeKinds } from "../route_kinds.ts";
import type { ConditionGroup } from "./condition_groups.ts";
import {
  ancestorRules,
  type ConditionRule,
  type ConditionRules,
  gatewayFaults,
  listenerRules,
  objectRules,
  parentRules,
} from "./condition_rules.ts";
import type { ListenerReferences, OtherParents } from "./condition_subjects.ts";

/** Where a condition stands. */
export interface ConditionPlace {
  /** The object's. */
  readonly kind: string;
  readonly key: string;
  readonly group: ConditionGroup;
  readonly type: string;
  readonly reason: string;
  /** The parents of the route that the condition is not about. */
  readonly others: OtherParents;
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

/** They decide whether there is a status, and of which generation; never what it says. */
const identity = ["metadata.uid", "metadata.generation"];
const noRule: ConditionRule = { without: new Set(), notDirectly: new Set() };

/** What bears on the condition at `place`; `status` is what the status itself read. */
export function conditionScope(place: ConditionPlace, status: ReadNode): ConditionScope {
  const { group, type, references, sharesAddress } = place;
  const isListener = group.listener !== undefined;
  const known = ruleOf(place);
  const { without, notDirectly, onlyDirectly } = known ?? noRule;
  const isWithout = (names: readonly string[]): boolean =>
    names.some((name) => without.has(name)) &&
    // A neighbour that is not accepted takes no ports.
    !(sharesAddress && isListener && names.some((name) => faultNames.has(name)));
  const own = isListener && type === "ResolvedRefs" ? references : undefined;
  const isLeftOut = byNames((reader, read, slice) => {
    const names = namesOf(read, slice);
    return isWithout([...names, ...names.map((name) => `${reader} > ${name}`)]);
  });
  return {
    isSuperset: known === undefined || isListener && references === undefined,
    allows: (input, slices) =>
      onlyDirectly === undefined &&
      slices.some((slice) => !identity.includes(slice) && !isWithout(namesOf(input, slice))),
    follows(reader, read) {
      const slice = read.input?.slice ?? "";
      if (identity.includes(slice) || isLeftOut(reader.name, read.name, slice)) return false;
      if (reader === status) {
        const names = namesOf(read.name, slice);
        if (names.some((name) => notDirectly.has(name))) return false;
        if (onlyDirectly && !names.some((name) => onlyDirectly.has(name))) return false;
      }
      if ((reader === status || readsByParent.has(reader.name)) && isOfOther(place.others, read)) {
        return false;
      }
      if (isJoining(place, reader, read)) return false;
      return own === undefined || isOwnReference(own, read);
    },
  };
}

function namesOf(name: string, slice: string): readonly string[] {
  return slice === "" ? [name] : [name, slice, `${name} ${slice}`];
}

/**
 * `judge`, asked once for the same names: a status has thousands of reads of few names, and many
 * conditions.
 */
function byNames(
  judge: (reader: string, read: string, slice: string) => boolean,
): (reader: string, read: string, slice: string) => boolean {
  const known = new Map<string, Map<string, Map<string, boolean>>>();
  return (reader, read, slice) => {
    let byRead = known.get(reader);
    if (!byRead) known.set(reader, byRead = new Map());
    let bySlice = byRead.get(read);
    if (!bySlice) byRead.set(read, bySlice = new Map());
    let verdict = bySlice.get(slice);
    if (verdict === undefined) bySlice.set(slice, verdict = judge(reader, read, slice));
    return verdict;
  };
}

const faultNames: ReadonlySet<string> = new Set(gatewayFaults);

function ruleOf(place: ConditionPlace): ConditionRule | undefined {
  const rules = rulesOf(place);
  return rules[`${place.type} ${place.reason}`] ?? rules[place.type];
}

function rulesOf({ kind, group }: ConditionPlace): ConditionRules {
  if (group.parentRef) return parentRules;
  if (group.ancestorRef) return ancestorRules;
  return group.listener === undefined ? objectRules[kind] ?? {} : listenerRules;
}

/** They read of one parent after the other. */
const readsByParent: ReadonlySet<string> = new Set(routeKinds.map((kind) => `${kind} bindings`));
/** Read for one Gateway: by its key, or by a pair with it in front. */
const keyedByGateway: ReadonlySet<string> = new Set([
  ...["own listeners", "joined listeners", "listeners", "Gateway", "Gateway frame", "addresses"],
  ...["acknowledgements", "acknowledged routes", "isolators"],
]);

/** What is read for another parent of the route. */
function isOfOther({ gateways, sets, parents }: OtherParents, { name, key }: ReadNode): boolean {
  const [first = ""] = key.split(" ");
  if (keyedByGateway.has(name)) return gateways.has(first);
  if (name === "set listeners" || name === "ListenerSet") return sets.has(key);
  if (name === "host rivals") return parents.has(key);
  // The kind, the parent and the route.
  return name === "shadows" &&
    parents.has(key.slice(key.indexOf(" ") + 1, key.lastIndexOf(" ")));
}

/** Listeners of ListenerSets come after those of their Gateway and take nothing from them. */
function isJoining(
  { kind, key, type, sharesAddress }: ConditionPlace,
  reader: ReadNode,
  { name }: ReadNode,
): boolean {
  if (kind !== "Gateway" || sharesAddress || joinedTypes.has(type)) return false;
  return reader.name === "joined listeners" && reader.key === key && name !== "own listeners";
}

/** Types that are about all listeners of a Gateway, those of its ListenerSets included. */
const joinedTypes: ReadonlySet<string> = new Set([
  ...["Programmed", "weir.dev/listening", "OverlappingTLSConfig"],
]);

/** What other listeners refer to has no part in this one's references. */
function isOwnReference(
  { secrets, configMaps, namespaces }: ListenerReferences,
  { name, key }: ReadNode,
): boolean {
  switch (name) {
    case "Secret":
      return secrets.has(key);
    case "ConfigMap":
      return configMaps.has(key);
    case "grants":
      return namespaces.has(key);
    case "ReferenceGrant":
      return namespaces.has(key.split("/")[0] ?? "");
    default:
      return true;
  }
}
