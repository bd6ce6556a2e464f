/**
 * A cluster of a few objects for status writers: it stores what is written, checks resourceVersions
 * like an API server, and fails as scripted.
 *
 * `reads` and `writes` count what reached the cluster, which is what an operator pays for.
 */

import type { Kind } from "../../src/kube/kinds.ts";
import { keyOf, type KubeObject, type ObjectKey } from "../../src/kube/object.ts";
import type { StatusClient, StatusRead, StatusWrite } from "../../src/kube/status_client.ts";

/** What the next calls answer instead of the truth. */
export type ScriptedAnswer = Exclude<StatusWrite, { outcome: "ok" }>;

/** See the file's header. */
export class ScriptedStatusClient implements StatusClient {
  readonly #objects = new Map<ObjectKey, KubeObject>();
  /** Answers of the next writes, the first first. */
  readonly failWrites: ScriptedAnswer[] = [];
  /** Answers of the next reads. */
  readonly failReads: Exclude<StatusRead, { outcome: "ok" }>[] = [];
  /** What a cached read answers; live reads see the stored state. */
  readonly cached = new Map<ObjectKey, KubeObject>();
  /** The reads, as `cached` or `live`. */
  readonly reads: ("cached" | "live")[] = [];
  /** The statuses that were stored, in order. */
  readonly writes: unknown[] = [];
  /** Called within each write before it is answered; a promise holds the write. */
  onWrite: () => void | Promise<void> = () => {};
  /** Called within each read before it is answered. */
  onRead: () => void | Promise<void> = () => {};
  busy = 0;
  busyMax = 0;

  /** Stores `object` as if somebody else had written it. */
  put(object: KubeObject): void {
    this.#objects.set(keyOf(object), object);
  }

  stored(key: ObjectKey): KubeObject | undefined {
    return this.#objects.get(key);
  }

  async get(_kind: Kind, key: ObjectKey, options: { readonly live: boolean }): Promise<StatusRead> {
    this.reads.push(options.live ? "live" : "cached");
    await this.onRead();
    const failure = this.failReads.shift();
    if (failure) return failure;
    const cached = options.live ? undefined : this.cached.get(key);
    const object = cached ?? this.#objects.get(key);
    return object ? { outcome: "ok", object } : { outcome: "gone" };
  }

  async updateStatus(_kind: Kind, object: KubeObject): Promise<StatusWrite> {
    this.busy++;
    this.busyMax = Math.max(this.busyMax, this.busy);
    await this.onWrite();
    this.busy--;
    const failure = this.failWrites.shift();
    if (failure) return failure;
    const stored = this.#objects.get(keyOf(object));
    if (!stored) return { outcome: "gone" };
    if (stored.metadata.resourceVersion !== object.metadata.resourceVersion) {
      return { outcome: "conflict" };
    }
    const resourceVersion = String(Number(stored.metadata.resourceVersion) + 1);
    this.put({
      ...stored,
      status: object.status,
      metadata: { ...stored.metadata, resourceVersion },
    });
    this.writes.push(object.status);
    return { outcome: "ok" };
  }
}
