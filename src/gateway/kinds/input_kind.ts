/**
 * What the engine reads of a kind, as named slices.
 *
 * An object changed when one of its slices did; nothing else of it counts. A query that reads some of
 * the slices is woken by these alone. The names are those of the API's fields, so that a change can
 * be told to a person.
 */

import type { ObjectOf } from "../../kube/decode/decode.ts";
import type { Kind } from "../../kube/kinds.ts";
import type { Slice } from "../../query/input_table.ts";

/** One part of the objects of a kind, read on its own. */
export interface KindSlice<K extends Kind, Part> extends Slice<ObjectOf[K], Part> {
  readonly kind: K;
}

/** All slices of a kind, in the order of their index. */
export type KindSlices<K extends Kind> = readonly KindSlice<K, unknown>[];

/** A slice; `index` is its place among those of its kind. */
export function slice<K extends Kind, Part>(
  kind: K,
  index: number,
  name: string,
  read: (object: ObjectOf[K]) => Part,
): KindSlice<K, Part> {
  return { kind, index, name, read };
}

/** The first three slices of every kind. */
export interface IdentitySlices<K extends Kind> {
  readonly uid: KindSlice<K, string>;
  readonly creationTimestamp: KindSlice<K, string>;
  readonly generation: KindSlice<K, number>;
}

/**
 * Which object it is and in which generation. A deletion and a creation under one name differ here
 * even when all else is equal; age decides between rivals.
 */
export function identitySlices<K extends Kind>(kind: K): IdentitySlices<K> {
  return {
    uid: slice(kind, 0, "metadata.uid", ({ metadata }) => metadata.uid),
    creationTimestamp: slice(
      kind,
      1,
      "metadata.creationTimestamp",
      ({ metadata }) => metadata.creationTimestamp,
    ),
    generation: slice(kind, 2, "metadata.generation", ({ metadata }) => metadata.generation),
  };
}
