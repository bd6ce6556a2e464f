/** One difference between two outputs, in the words of objects and fields. */

/** See the file's header. A value of a Secret is never among the values. */
export interface OutputChange {
  readonly kind: string;
  /** Absent for a cluster-scoped object. */
  readonly namespace?: string;
  readonly name: string;
  /** Such as `status.parents[default/edge].conditions[Accepted]` or `endpoints[80]`. */
  readonly path: string;
  /** Null: there was nothing. */
  readonly before: unknown;
  /** Null: there is nothing any more. */
  readonly after: unknown;
}

/** What is said of one object, by path. Values are plain data. */
export type Facts = ReadonlyMap<string, unknown>;

/** Nothing is said. */
export const noFacts: Facts = new Map();
