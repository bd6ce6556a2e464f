/**
 * What the engine reads of a kind, as named slices.
 *
 * An object changed when one of its slices did; nothing else of it counts. The names are those of
 * the API's fields, so that a change can be told to a person.
 */

import { equal } from "../../base/equal.ts";

/** One part of an object that is read on its own. */
export interface InputSlice<T> {
  /** The API's field, such as `spec.listeners`, or `identity`. */
  readonly name: string;
  /** Reads the slice; cheap, allocates nothing that `equal` would have to look into twice. */
  readonly read: (object: T) => unknown;
}

/** A kind of input: its slices. */
export interface InputKind<T> {
  readonly slices: readonly InputSlice<T>[];
}

interface Identified {
  readonly metadata: {
    readonly uid: string;
    readonly creationTimestamp: string;
    readonly generation: number;
  };
}

/**
 * Which object it is and in which generation. A deletion and a creation under one name differ here
 * even when all else is equal; age decides between rivals.
 */
export const identitySlices: readonly InputSlice<Identified>[] = [
  { name: "metadata.uid", read: (object) => object.metadata.uid },
  { name: "metadata.creationTimestamp", read: (object) => object.metadata.creationTimestamp },
  { name: "metadata.generation", read: (object) => object.metadata.generation },
];

/** Whether no query could tell `before` from `after`. */
export function isUnchanged<T>(kind: InputKind<T>, before: T, after: T): boolean {
  return before === after ||
    kind.slices.every(({ read }) => equal(read(before), read(after)));
}
