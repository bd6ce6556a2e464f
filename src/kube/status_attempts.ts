/**
 * Brings one stored status to what is wanted: reads, merges, writes, and does all of it again, from
 * what the cluster has now, when somebody else was faster.
 *
 * A status whose lists have keys is applied: it can lose no race, and keeps to what is ours. What an
 * apply cannot take away, because somebody else owns it as well, is then replaced at the version that
 * the apply left. A status with a list that the API takes as one piece is replaced at the version that
 * was read. Not here: when to begin, and what follows a failure.
 */

import type { Clock } from "../base/clock.ts";
import type { Kind } from "./kinds.ts";
import type { KubeObject, ObjectKey } from "./object.ts";
import type {
  StatusClient,
  StatusFailure,
  StatusWrite,
  StatusWriteOptions,
  WriteConflict,
} from "./status_client.ts";
import type { StatusMerge } from "./status_merge.ts";
import type { WritePermits } from "./write_permits.ts";

/** What it works with. */
export interface StatusAttemptsOptions<Wanted> {
  readonly kind: Kind;
  readonly client: StatusClient;
  readonly permits: WritePermits;
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** What is wanted now. */
  readonly wanted: (key: ObjectKey) => Wanted;
  /** What to store of it, given what is stored. */
  readonly merge: (wanted: Wanted, live: KubeObject) => StatusMerge;
  /** Called with the object as it was read and as it was stored, after each write that succeeded. */
  readonly onWritten?: (before: KubeObject, after: KubeObject) => void;
  readonly onConflict: (key: ObjectKey, reason: WriteConflict) => void;
  /** A list of the stored status had no room. */
  readonly onLimit: (list: string) => void;
}

/** How it ended. */
export type AttemptResult<Wanted> =
  /** The cluster holds `wanted` whole. */
  | { readonly outcome: "noop" | "ok"; readonly wanted: Wanted }
  /** The object was recreated, or its stored status is newer than what is wanted. */
  | { readonly outcome: "dropped-stale" }
  /** Nothing may be sent for the moment: see WritePermits. */
  | { readonly outcome: "held" }
  /** The cluster does not find the object, and nobody was told that it was deleted. */
  | { readonly outcome: "missing" }
  | Exclude<StatusWrite, { readonly outcome: "ok" }>
  | StatusFailure;

/** Writes of one run; then others have their turn. */
const attemptsMax = 4;
/** The longest waits between them, milliseconds; chance takes up to half away. */
const betweenMs: readonly number[] = [10, 50, 250];

/** See the file's header. */
export class StatusAttempts<Wanted> {
  readonly #options: StatusAttemptsOptions<Wanted>;

  constructor(options: StatusAttemptsOptions<Wanted>) {
    this.#options = options;
  }

  /**
   * Works on `key`. Rejects with the signal's reason only.
   *
   * @param options.isLive whether what a cache says is known to be too old
   */
  async run(
    key: ObjectKey,
    { isLive, signal }: { readonly isLive: boolean; readonly signal: AbortSignal },
  ): Promise<AttemptResult<Wanted>> {
    const { clock, random, onConflict } = this.#options;
    let readsLive = isLive;
    for (let attempt = 0;; attempt++) {
      const result = await this.#attempt(key, readsLive, signal);
      if (result.outcome === "gone") return await this.#gone(key, signal);
      if (result.outcome !== "conflict") return result;
      onConflict(key, result.reason);
      const waitMs = betweenMs[attempt];
      // Who owns a field does not change by trying again.
      if (result.reason === "field-owned" || waitMs === undefined || attempt + 1 >= attemptsMax) {
        return result;
      }
      readsLive = true;
      await clock.sleep(waitMs * (1 - random() / 2), signal);
    }
  }

  /** A deletion is told; a 404 alone may be a proxy's, or of a server that is about to know better. */
  async #gone(key: ObjectKey, signal: AbortSignal): Promise<AttemptResult<Wanted>> {
    const { kind, client } = this.#options;
    const known = await client.get(kind, key, { live: false, signal });
    return { outcome: known.outcome === "ok" ? "missing" : "gone" };
  }

  async #attempt(
    key: ObjectKey,
    isLive: boolean,
    signal: AbortSignal,
  ): Promise<AttemptResult<Wanted>> {
    const first = await this.#look(key, isLive, signal);
    if (first.outcome !== "write") return first;
    const { permits } = this.#options;
    const permit = await permits.acquire(signal);
    try {
      // Time has passed: what is written is what is wanted now, merged with the newest.
      const found = permit.hasWaited ? await this.#look(key, false, signal) : first;
      if (found.outcome !== "write") return found;
      const timeoutMs = permits.pausedForMs() > 0 ? undefined : permit.timeoutMs();
      if (timeoutMs === undefined) return { outcome: "held" };
      const options = { timeoutMs, signal };
      const written = await this.#write(found, options);
      if (written.outcome !== "ok") return written;
      const { live } = found;
      const isSame = written.object.metadata.uid === live.metadata.uid;
      if (isSame) this.#options.onWritten?.(live, written.object);
      const timeLeftMs = permit.timeoutMs();
      if (timeLeftMs === undefined) return { outcome: "held" };
      return await this.#takeOut(found, written.object, { timeoutMs: timeLeftMs, signal });
    } finally {
      permit.release();
    }
  }

  async #look(key: ObjectKey, isLive: boolean, signal: AbortSignal): Promise<Found<Wanted>> {
    const { kind, client, wanted, merge, onLimit } = this.#options;
    const read = await client.get(kind, key, { live: isLive, signal });
    if (read.outcome !== "ok") return read;
    // Looked up after the read, so that it is the newest there is.
    const newest = wanted(key);
    const merged = merge(newest, read.object);
    if (merged.outcome === "stale") return { outcome: "dropped-stale" };
    for (const list of merged.limits) onLimit(list);
    if (merged.outcome === "unchanged") return { outcome: "noop", wanted: newest };
    return { outcome: "write", wanted: newest, live: read.object, merge: merged };
  }

  #write({ live, merge }: ToWrite<Wanted>, options: StatusWriteOptions): Promise<StatusWrite> {
    const { kind, client } = this.#options;
    return merge.intent === undefined || client.applyStatus === undefined
      ? client.updateStatus(kind, { ...live, status: merge.status }, options)
      : client.applyStatus(kind, live, merge.intent, options);
  }

  /** Takes out of `stored` what should not be there and the apply has left. */
  async #takeOut(
    { wanted, live, merge }: ToWrite<Wanted>,
    stored: KubeObject,
    options: StatusWriteOptions,
  ): Promise<AttemptResult<Wanted>> {
    if (stored.metadata.uid !== live.metadata.uid) {
      return { outcome: "conflict", reason: "recreated" };
    }
    if (merge.intent === undefined) return { outcome: "ok", wanted };
    const rest = this.#options.merge(wanted, stored);
    if (rest.outcome !== "write") return { outcome: "ok", wanted };
    const { kind, client } = this.#options;
    const put = await client.updateStatus(kind, { ...stored, status: rest.status }, options);
    return put.outcome === "ok" ? { outcome: "ok", wanted } : put;
  }
}

interface ToWrite<Wanted> {
  readonly outcome: "write";
  readonly wanted: Wanted;
  readonly live: KubeObject;
  readonly merge: Extract<StatusMerge, { readonly outcome: "write" }>;
}

type Found<Wanted> = ToWrite<Wanted> | Exclude<AttemptResult<Wanted>, { outcome: "ok" }>;
