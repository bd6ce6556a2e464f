/**
 * What the engine lives in: the local cluster with its manifests, or a real cluster.
 *
 * Whoever shows or explains objects reads them here and need not know which of the two it is.
 */

import type { MetricsRegistry } from "../base/metrics.ts";
import type { Clock } from "../base/clock.ts";
import type { Logger } from "../base/log.ts";
import type { EventRecorder } from "../gateway/event_recorder.ts";
import type { ObjectSource } from "../gateway/feed.ts";
import type { Kind } from "../kube/kinds.ts";
import type { KubeObject, ObjectKey } from "../kube/object.ts";
import type { LeaderGate } from "../kube/leader_gate.ts";
import type { StatusClient } from "../kube/status_client.ts";
import type { WritePermits } from "../kube/write_permits.ts";
import type { Problem } from "../localkube/store_contract.ts";
import type { ForkBase } from "./fork_base.ts";
import type { Subsystem } from "./subsystem.ts";
import type { UnreadNote } from "./unread_note.ts";

/** The objects of a cluster as last seen. Synchronous; what is handed out is never mutated. */
export interface ClusterObjects {
  get(kind: Kind, key: ObjectKey): KubeObject | undefined;
  /** Sorted by namespace and name. */
  list(kind: Kind, namespace?: string): { readonly items: readonly KubeObject[] };
}

/** What is wrong in the world now. */
export interface WorldProblems {
  /** In the order of files and lines; perhaps not all of it. */
  list(): readonly Problem[];
  count(): number;
}

/** See the file's header. */
export interface World {
  readonly objects: ClusterObjects;
  readonly source: ObjectSource;
  readonly statusClient: StatusClient;
  /** Whether this process may write. */
  readonly gate: LeaderGate;
  /** How much it may write, by the same gate: one for all that it writes. */
  readonly permits: WritePermits;
  /** Where Events go; absent where there are none. */
  readonly events?: EventRecorder;
  /** In the order of their start. */
  readonly subsystems: readonly Subsystem[];
  /** Resolves when the objects may be listed for the first time. */
  readonly loaded: Promise<void>;
  readonly problems: WorldProblems;
  /** What a fork is told of the cluster; the releases of its CRDs come from the engine. */
  readonly forkBase: () => Omit<ForkBase, "apiBundle">;
  /** Why an object that counts as absent may be in the cluster. */
  readonly unread: UnreadNote;
  /**
   * Whether an object of `kind` that is not in `objects` is not in the cluster either. Nothing is
   * taken away from anybody because of an object that could not be read.
   */
  knowsAbsence(kind: Kind): boolean;
  /**
   * Whether `kind` was read at least once: without that, what is missing in `objects` may have been
   * in the cluster all the time, and an earlier process may have spoken of it.
   */
  wasRead(kind: Kind): boolean;
}

/** What every world is built with. */
export interface WorldSurroundings {
  readonly registry: MetricsRegistry;
  readonly clock: Clock;
  readonly log: Logger;
}
