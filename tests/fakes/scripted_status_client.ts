/**
 * A cluster of a few objects for status writers: it stores what is written, checks resourceVersions
 * like an API server, and fails as scripted.
 *
 * `reads` and `writes` count what reached the cluster, which is what an operator pays for.
 */

import { asList, isRecord, type JsonRecord } from "../../src/kube/json_value.ts";
import type { Kind } from "../../src/kube/kinds.ts";
import { keyOf, type KubeObject, type ObjectKey } from "../../src/kube/object.ts";
import type {
  StatusClient,
  StatusRead,
  StatusWrite,
  StatusWriteOptions,
} from "../../src/kube/status_client.ts";

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
  /** What was applied, in order. */
  readonly intents: JsonRecord[] = [];
  /** What each write was given, milliseconds. */
  readonly timeoutsMs: number[] = [];
  applyStatus?: Exclude<StatusClient["applyStatus"], undefined>;
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

  /** Removes an object as if somebody had deleted it. */
  remove(key: ObjectKey): void {
    this.#objects.delete(key);
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

  /** From now on it takes applies: conditions are merged by type, other fields replaced. */
  applies(): void {
    this.applyStatus = async (_kind, target, intent, { timeoutMs }) => {
      this.timeoutsMs.push(timeoutMs);
      await this.onWrite();
      const failure = this.failWrites.shift();
      if (failure) return failure;
      const stored = this.#objects.get(keyOf(target));
      if (!stored) return { outcome: "gone" };
      const status = isRecord(stored.status) ? stored.status : {};
      const ours = asList(intent.conditions).filter(isRecord);
      const others = asList(status.conditions).filter(isRecord)
        .filter(({ type }) => !ours.some((condition) => condition.type === type));
      this.intents.push(intent);
      const merged = { ...status, ...intent, conditions: [...ours, ...others] };
      return { outcome: "ok", object: this.#store(stored, merged) };
    };
  }

  async updateStatus(
    _kind: Kind,
    object: KubeObject,
    { timeoutMs }: StatusWriteOptions,
  ): Promise<StatusWrite> {
    this.timeoutsMs.push(timeoutMs);
    this.busy++;
    this.busyMax = Math.max(this.busyMax, this.busy);
    await this.onWrite();
    this.busy--;
    const failure = this.failWrites.shift();
    if (failure) return failure;
    const stored = this.#objects.get(keyOf(object));
    if (!stored) return { outcome: "gone" };
    if (stored.metadata.resourceVersion !== object.metadata.resourceVersion) {
      return { outcome: "conflict", reason: "stale-write" };
    }
    this.writes.push(object.status);
    return { outcome: "ok", object: this.#store(stored, object.status) };
  }

  #store(stored: KubeObject, status: unknown): KubeObject {
    const resourceVersion = String(Number(stored.metadata.resourceVersion) + 1);
    const written = { ...stored, status, metadata: { ...stored.metadata, resourceVersion } };
    this.put(written);
    return written;
  }
}
