/**
 * Lists of a status in which each controller has an entry of its own for each thing that it answers
 * for: the parents of a route and the ancestors of a policy (Gateway API, RouteStatus, PolicyStatus).
 *
 * The two differ in names and limits only; what is true of both is written once, over this file.
 */

import type { AncestorsStatus, DesiredEntry, ParentsStatus } from "./desired_status.ts";

/** How the API names one of the lists, and how much it takes. */
export interface EntryList {
  /** The field of `status`. */
  readonly field: "parents" | "ancestors";
  /** The field of an entry that says what it is about. */
  readonly reference: "parentRef" | "ancestorRef";
  /** What one entry is about, for messages. */
  readonly noun: "parent" | "ancestor";
  /** The most entries that the API takes, of all controllers together. */
  readonly entriesMax: number;
}

/** `status.parents` of a route. */
export const parentList: EntryList = {
  field: "parents",
  reference: "parentRef",
  noun: "parent",
  entriesMax: 32,
};

/** `status.ancestors` of a policy. */
export const ancestorList: EntryList = {
  field: "ancestors",
  reference: "ancestorRef",
  noun: "ancestor",
  entriesMax: 16,
};

/** Our entries of one object. */
export interface DesiredEntries {
  readonly list: EntryList;
  readonly controllerName: string;
  readonly entries: readonly DesiredEntry[];
}

/** The list that objects of `kind` have in their status; undefined when they have none. */
export function entryListOf(kind: string): EntryList | undefined {
  if (kind.endsWith("Route")) return parentList;
  return kind.endsWith("Policy") ? ancestorList : undefined;
}

/** What `body` wants in its list. */
export function desiredEntries(body: ParentsStatus | AncestorsStatus): DesiredEntries {
  const { controllerName } = body;
  if (body.shape === "parents") {
    const entries = body.parents.map(({ parentRef, conditions }) => ({
      reference: parentRef,
      conditions,
    }));
    return { list: parentList, controllerName, entries };
  }
  const entries = body.ancestors.map(({ ancestorRef, conditions }) => ({
    reference: ancestorRef,
    conditions,
  }));
  return { list: ancestorList, controllerName, entries };
}
