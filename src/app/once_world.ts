/** The world of a command that computes once and ends: manifests that are loaded, or a cluster's copy. */

import type { ObjectSource } from "../gateway/feed.ts";
import type { Problem } from "../localkube/store_contract.ts";
import type { UnreadNote } from "./unread_note.ts";
import type { ClusterObjects } from "./world.ts";

/** What is computed from once. */
export interface OnceWorld {
  readonly objects: ClusterObjects;
  readonly source: ObjectSource;
  /** Brings in what there is. */
  load(): Promise<void>;
  /** Why an object that counts as absent may be there. */
  readonly unread: UnreadNote;
  /** What of it was refused. */
  problems(): readonly Problem[];
}
