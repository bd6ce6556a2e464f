/**
 * What a status writer needs around it: the computed outputs, the cluster, counters; leadership is in
 * leader_gate.ts.
 *
 * The writer owns these interfaces; whoever composes the process fills them. Failures of the cluster
 * are values here, in the classes that decide what the writer does next.
 */

import type { DesiredStatus } from "./desired_status.ts";
import type { JsonRecord } from "./json_value.ts";
import type { Kind } from "./kinds.ts";
import type { KubeObject, ObjectKey } from "./object.ts";

/** The published outputs of the engine. Synchronous; a look-up never computes. */
export interface StatusOutputs {
  /** What the object's status should say; undefined: weir has nothing to say about the object. */
  desired(kind: Kind, key: ObjectKey): DesiredStatus | undefined;
  /** The revision of the outputs, for logs. */
  revision(): number;
  /**
   * Whether the data plane's answer is on its way: it is at work, or what it said is being computed.
   * Absent: nobody knows.
   */
  isAnswerComing?(): boolean;
}

/** Where keys go. */
export interface StatusKeySink {
  /** Never blocks, never drops; adding twice is once. */
  add(key: ObjectKey): void;
}

/** Keys of one kind whose status may need a write. */
export interface StatusKeySource {
  /**
   * Hands over the keys that were collected before the start, then each further one as it comes.
   */
  start(queue: StatusKeySink): void;
}

/** Why the cluster did not do what was asked. */
export type StatusFailure =
  /** The object is not there (404), or its kind is not. */
  | { readonly outcome: "gone" }
  /** 403: the message names what is not allowed. */
  | { readonly outcome: "forbidden"; readonly message: string }
  /** 429 or 5xx with the server's wish when to come back, if it had one. */
  | { readonly outcome: "overloaded"; readonly retryAfterMs?: number }
  /** Network, timeout, or an answer that makes no sense. */
  | { readonly outcome: "failed"; readonly message: string };

/** An object as read, or why it could not be read. */
export type StatusRead = { readonly outcome: "ok"; readonly object: KubeObject } | StatusFailure;

/** The kinds of 409, as far as they are told apart by who writes. */
export type WriteConflict =
  /** The object changed since it was read. */
  | "stale-write"
  /** Fields belong to another manager, and were not taken over. */
  | "field-owned"
  /** Another object has the name now. */
  | "recreated"
  /** The name is taken, in the case of `being-deleted` by an object on its way out. */
  | "already-exists"
  | "being-deleted";

/** Every kind, for metrics. */
export const writeConflicts: readonly WriteConflict[] = [
  "stale-write",
  "field-owned",
  "recreated",
  "already-exists",
  "being-deleted",
];

/** What became of a write. */
export type StatusWrite =
  | { readonly outcome: "ok"; readonly object: KubeObject }
  /** 409: what the write was computed from is not what is there. */
  | { readonly outcome: "conflict"; readonly reason: WriteConflict }
  /** 400 or 422: the server refuses this status, and will again. */
  | { readonly outcome: "invalid"; readonly message: string }
  | StatusFailure;

/** How a write is sent. */
export interface StatusWriteOptions {
  /** The write has no effect after this time, as far as that can be had, milliseconds. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Reads objects and writes their status. No method rejects, except with the signal's reason. All are
 * bounded in time.
 */
export interface StatusClient {
  /**
   * The newest state known, which includes the effect of our own writes; with `live` the state that
   * the cluster has now, as a cache may lag behind the write that a conflict was about.
   */
  get(
    kind: Kind,
    key: ObjectKey,
    options: { readonly live: boolean; readonly signal: AbortSignal },
  ): Promise<StatusRead>;
  /** Replaces the status of exactly the state that `object` carries, by its resourceVersion. */
  updateStatus(
    kind: Kind,
    object: KubeObject,
    options: StatusWriteOptions,
  ): Promise<StatusWrite>;
  /**
   * Makes `intent` what this manager says of the status of the object that is `target`, whatever its
   * version: fields of others stay, fields that this manager no longer names go, and what it names is
   * taken over (server-side apply, forced). The object in the answer may be another one of that name,
   * as the API server does not check the uid of an apply to a status. Absent: this cluster keeps no
   * owners of fields.
   */
  applyStatus?(
    kind: Kind,
    target: KubeObject,
    intent: JsonRecord,
    options: StatusWriteOptions,
  ): Promise<StatusWrite>;
}

/** How one run of a key ended. */
export type StatusWriteOutcome =
  /** The stored status already said it. */
  | "noop"
  | "ok"
  | "conflict"
  /** The object was recreated, or its stored status is newer than the outputs. */
  | "dropped-stale"
  | "gone"
  | "forbidden"
  | "invalid"
  | "overloaded"
  | "failed";

/** Counts what writers do. */
export interface StatusWriteMetrics {
  outcome(kind: Kind, outcome: StatusWriteOutcome): void;
  /** A write met a conflict; it is tried again, and counts as an outcome of its own at the end. */
  conflict(kind: Kind, reason: WriteConflict): void;
  /** A list of the stored status had no room for all of ours; `list` is a field path. */
  limited(kind: Kind, list: string): void;
}
