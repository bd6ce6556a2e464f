/**
 * The objects of the local cluster as they stand, with one counter of versions, the history of changes
 * and the watchers. What may be stored is decided before: nothing here fails.
 */

import { KindTable } from "../kube/kind_table.ts";
import type { StoredKind } from "../kube/kinds.ts";
import { keyOf, type KubeObject, type ObjectKey } from "../kube/object.ts";
import { EventHistory } from "./event_history.ts";
import type { StatusError, StopWatch, WatchEvent } from "./store_contract.ts";
import { atVersion, deepFreeze } from "./stored_object.ts";
import { WatchHub } from "./watch_hub.ts";
import { replayFrom } from "./watch_start.ts";

/** Of an empty cluster; `0` would mean "any" to clients. */
const firstVersion = 1;

/** See the file's header. */
export class CommittedObjects {
  readonly #freezesObjects: boolean;
  readonly #tables = new Map<StoredKind, KindTable>();
  readonly #history: EventHistory;
  readonly #hub = new WatchHub();
  #version = firstVersion;

  constructor(options: { readonly historyMax: number; readonly freezesObjects: boolean }) {
    this.#freezesObjects = options.freezesObjects;
    this.#history = new EventHistory(options.historyMax, firstVersion);
  }

  /** The version of the newest change of any kind. */
  get version(): string {
    return String(this.#version);
  }

  /** The objects of a kind; changed by {@linkcode commit} and {@linkcode remove} alone. */
  table(kind: StoredKind): Omit<KindTable, "set" | "delete"> {
    return this.#table(kind);
  }

  /** Takes the next version, for an object that is about to be committed. */
  nextVersion(): string {
    this.#version += 1;
    return this.version;
  }

  /** Stores an object at the newest version. Watchers hear of it with {@linkcode deliver}. */
  commit(type: WatchEvent["type"], kind: StoredKind, object: KubeObject): void {
    if (this.#freezesObjects) deepFreeze(object);
    const table = this.#table(kind);
    const key: ObjectKey = keyOf(object);
    const previous = type === "MODIFIED" ? table.get(key) : undefined;
    if (type === "DELETED") table.delete(key);
    else table.set(object);
    const event = { type, kind, object, ...(previous ? { previous } : {}) };
    const entry = { resourceVersion: this.#version, event };
    this.#history.add(entry);
    this.#hub.publish(entry);
  }

  /** Removes an object; its last state, at the version of the removal. */
  remove(kind: StoredKind, old: KubeObject): KubeObject {
    const last = atVersion(old, this.nextVersion());
    this.commit("DELETED", kind, last);
    return last;
  }

  /** Tells watchers, when all of a write is committed. */
  deliver(): void {
    this.#hub.deliver();
  }

  /** As the local cluster's `watch`. */
  watch(
    kind: StoredKind,
    fromResourceVersion: string,
    handler: (event: WatchEvent) => void,
  ): { readonly ok: true; readonly stop: StopWatch } | {
    readonly ok: false;
    readonly error: StatusError;
  } {
    const replay = replayFrom(this.#history, kind, fromResourceVersion, this.#version);
    if (!replay.ok) return replay;
    return { ok: true, stop: this.#hub.watch(kind, replay.entries, this.#version, handler) };
  }

  #table(kind: StoredKind): KindTable {
    const table = this.#tables.get(kind) ?? new KindTable();
    this.#tables.set(kind, table);
    return table;
  }
}
