/**
 * What the in-memory cluster promises to those who read and write it.
 *
 * The semantics are those of the Kubernetes API server: one resourceVersion counter for all kinds,
 * uid and creationTimestamp given at creation, generation bumped by changes of the spec only, status
 * as a subresource, optimistic concurrency by resourceVersion, a bounded history for watches.
 * Everything is synchronous; watch handlers run after the commit, in order, one at a time.
 */

import type { StoredKind } from "../kube/kinds.ts";
import type { KubeObject, ObjectKey } from "../kube/object.ts";

/** One cause of a refusal, as in `Status.details.causes` of the API. */
export interface StatusCause {
  /** The API's cause type, such as `FieldValueInvalid`. */
  readonly reason: string;
  /** A path in the API server's form, such as `spec.rules[0].matches[1].path.value`. */
  readonly field: string;
  readonly message: string;
}

/** A refusal in the API server's words: code, `Status.reason`, message, causes. */
export interface StatusError {
  /** HTTP status: 404, 409, 410, 413, 422 … */
  readonly code: number;
  /** `NotFound`, `AlreadyExists`, `Conflict`, `Expired`, `Invalid` … */
  readonly reason: string;
  readonly message: string;
  readonly causes?: readonly StatusCause[];
  /** What it is about where that is not the resource of the request; no kind: nothing. */
  readonly about?: { readonly kind: string; readonly name: string };
}

/** The object as it is stored now, or why nothing was stored. */
export type WriteResult =
  | {
    readonly ok: true;
    readonly object: KubeObject;
    readonly changed: boolean;
    /** What admission had to say of an object that it let in, such as a field it pruned. */
    readonly warnings?: readonly string[];
  }
  | {
    readonly ok: false;
    readonly error: StatusError;
    /** What admission had to say besides, such as fields that it does not know. */
    readonly warnings?: readonly string[];
  };

/** A change in the order of its commit. */
export interface WatchEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly kind: StoredKind;
  /** The object after the change; for DELETED the last state with the deletion's resourceVersion. */
  readonly object: KubeObject;
  /** What was stored before, for MODIFIED: whether an object enters or leaves a selection. */
  readonly previous?: KubeObject;
}

/** How a write is made. */
export interface WriteOptions {
  /** Everything is checked and answered as if it were stored, and nothing is. */
  readonly isDryRun?: boolean;
}

/** An object as a client sends it: metadata that the server owns may be missing. */
export interface ObjectInput {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

/** What admission answers: the object checked, defaulted and pruned, or all its faults. */
export type AdmissionResult =
  | { readonly ok: true; readonly object: ObjectInput; readonly warnings: readonly string[] }
  | {
    readonly ok: false;
    readonly causes: readonly StatusCause[];
    readonly warnings?: readonly string[];
  };

/** Checks an object as the API server would. Pure. */
export interface Admission {
  /**
   * @param kind the kind of `object`
   * @param object the object as sent; not mutated
   * @param old the stored object on an update; transition rules compare with it
   */
  admit(kind: StoredKind, object: ObjectInput, old: KubeObject | undefined): AdmissionResult;
}

/** Stops a watch; may be called again. */
export type StopWatch = () => void;

/** The in-memory cluster. */
export interface LocalCluster {
  /** Items sorted by namespace and name, and the resourceVersion to watch from. */
  list(
    kind: StoredKind,
    namespace?: string,
  ): { readonly items: readonly KubeObject[]; readonly resourceVersion: string };
  get(kind: StoredKind, key: ObjectKey): KubeObject | undefined;
  /** Admits and stores a new object; 409 AlreadyExists, 422 Invalid. */
  create(kind: StoredKind, object: ObjectInput, options?: WriteOptions): WriteResult;
  /**
   * Replaces all but status. With `metadata.resourceVersion` set: 409 Conflict unless it is current.
   * An update that changes nothing keeps the resourceVersion and emits no event.
   */
  update(kind: StoredKind, object: ObjectInput, options?: WriteOptions): WriteResult;
  /**
   * Replaces only status, with the same rule for `metadata.resourceVersion`; of the metadata only
   * `managedFields`, when there are any.
   */
  updateStatus(kind: StoredKind, object: ObjectInput, options?: WriteOptions): WriteResult;
  /** Creates or updates: what a loader of manifests does. `metadata.managedFields` are dropped. */
  apply(kind: StoredKind, object: ObjectInput): WriteResult;
  delete(kind: StoredKind, key: ObjectKey): WriteResult;
  /**
   * Calls `handler` for each later change of `kind`, after replaying those since
   * `fromResourceVersion`; 410 Expired when the history no longer reaches back so far.
   */
  watch(
    kind: StoredKind,
    fromResourceVersion: string,
    handler: (event: WatchEvent) => void,
  ): { readonly ok: true; readonly stop: StopWatch } | {
    readonly ok: false;
    readonly error: StatusError;
  };
}

/** Where something in a manifest is wrong, for a person. */
export interface Problem {
  /** File (relative to the folder that was given) and line, `FILE:LINE`; `-` for standard input. */
  readonly source: string;
  /** `Kind namespace/name` as far as known, else the empty string. */
  readonly object: string;
  /** Field path in the API server's form, else the empty string. */
  readonly field: string;
  readonly message: string;
}
