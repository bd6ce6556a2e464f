/**
 * The queries of the computation in words, and what each concluded: the faults that it found.
 *
 * Of a result nothing is told but reasons and messages, which are made for statuses; so nothing of a
 * Secret can be. Pure and bounded.
 */

import type { ReadNode } from "../../query/explain.ts";
import { routeKinds } from "../route_kinds.ts";

/** Faults that are told of one result. */
const findingsMax = 3;
/** Parts of a result that are looked at. */
const partsMax = 500;
/** Characters of one message. */
const messageMax = 300;

const words: Readonly<Record<string, (key: string) => string>> = {
  "own listeners": (key) => `listeners of Gateway "${key}" on their own`,
  "set listeners": (key) => `listeners of ListenerSet "${key}" on their own`,
  "joined listeners": (key) => `listeners of Gateway "${key}" and its ListenerSets`,
  listeners: (key) => `listeners of Gateway "${key}" beside other Gateways`,
  "port losers": (key) => `ports at address ${key}`,
  "port losses": (key) => `ports that Gateway "${key}" lost to others`,
  "Service port": (key) => {
    const [use = "", name = ""] = key.split(" ");
    return `${use} at port ${portOf(name)} of Service "${serviceOf(name)}"`;
  },
  "backend TLS": (key) => `TLS towards port ${portOf(key)} of Service "${serviceOf(key)}"`,
  "policy terms": (key) => `what BackendTLSPolicy "${key}" asks for`,
  "Gateways of Service": (key) => `Gateways that send to Service "${key}"`,
  "Gateway frame": (key) => `what Gateway "${key}" shall serve`,
  "attached routes": (key) => `number of routes of "${key}"`,
  isolators: (key) => `listeners of Gateway "${key}" that take requests from others`,
  "host rivals": (key) => `hostnames that routes of different kinds want at "${key}"`,
  ...Object.fromEntries(routeKinds.flatMap((kind) => [
    [`${kind} rules`, (key: string) => `rules of ${kind} "${key}"`],
    [`${kind} bindings`, (key: string) => `listeners that take ${kind} "${key}"`],
    [`${kind} meetings`, (key: string) => `listeners that may take ${kind} "${key}"`],
    [`${kind}s of parent`, (key: string) => `${kind}s of "${key}"`],
  ])),
};

function serviceOf(key: string): string {
  return key.slice(0, key.lastIndexOf("/"));
}

function portOf(key: string): string {
  return key.slice(key.lastIndexOf("/") + 1);
}

/** What is computed there, for a person. */
export function describeQuery({ name, key }: ReadNode): string {
  return words[name]?.(key) ?? `${name} of "${key}"`;
}

/** What faults are looked for: those that bear on one condition. */
export interface FindingScope {
  /** Of the condition. */
  readonly type: string;
  /** What is found of other listeners is left out; absent: of none. */
  readonly listener?: string;
}

/** The faults in a result that bear on a condition, or that there is none. */
export function describeResult({ value }: ReadNode, scope: FindingScope): string {
  const findings = [...findingsIn(value, scope)];
  if (findings.length === 0) return "no fault";
  const shown = findings.slice(0, findingsMax);
  return shown.join("; ") + (findings.length > findingsMax ? "; and more" : "");
}

/** The fields of results that hold faults. */
const faultFields: readonly string[] = ["fault", "conflict", "unresolved", "overlap", "dropped"];

/** Those of them that a condition of this type is made from; all of them for other types. */
const fieldsOfType: Readonly<Record<string, readonly string[]>> = {
  Accepted: ["fault", "conflict", "dropped"],
  Conflicted: ["conflict"],
  ResolvedRefs: ["unresolved"],
  OverlappingTLSConfig: ["overlap"],
  PartiallyInvalid: ["dropped"],
};

/** Reasons with their messages, each once, the first ones. */
function findingsIn(value: unknown, { type, listener }: FindingScope): ReadonlySet<string> {
  const wanted = fieldsOfType[type] ?? faultFields;
  const findings = new Set<string>();
  const queue: unknown[] = [value];
  for (const part of queue) {
    if (typeof part !== "object" || part === null) continue;
    if (findings.size > findingsMax) break;
    if (isFinding(part)) {
      findings.add(`${part.reason}: ${part.message.slice(0, messageMax)}`);
      continue;
    }
    if (listener !== undefined && isOfOther(part, listener)) continue;
    for (const [field, inner] of part instanceof Map ? part : Object.entries(part)) {
      if (faultFields.includes(field) && !wanted.includes(field)) continue;
      if (queue.length < partsMax) queue.push(inner);
    }
  }
  return findings;
}

/** Whether `part` is about another listener, as results hold them: with their spec. */
function isOfOther(part: object, listener: string): boolean {
  if (!("spec" in part)) return false;
  const { spec } = part;
  return typeof spec === "object" && spec !== null && "name" in spec && spec.name !== listener;
}

function isFinding(part: object): part is { readonly reason: string; readonly message: string } {
  return "reason" in part && typeof part.reason === "string" &&
    "message" in part && typeof part.message === "string";
}
