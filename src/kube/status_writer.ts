/**
 * Writes the computed statuses of one kind to the cluster, and nothing else.
 *
 * Keys come in; for each the newest desired status is looked up, merged with the stored one and
 * written when that changes something. The writer never computes a status, and never writes one that
 * the outputs do not hold. What follows a failure depends on its class: a conflict comes back soon
 * after a fixed time and never slows later work, overload and network faults back off, what is gone
 * is forgotten (its return is an event), what the cluster does not find although nobody deleted it is
 * looked for again, what is refused is looked at again rarely, and of what is forbidden one of each
 * namespace.
 *
 * While a data plane has yet to answer, a write waits a little, so that one write says both; it waits
 * longer while the answer is known to come. A key
 * that arrives while another replica leads is held until this one does. What somebody else took away
 * of a written status is written again, at a pace that ends no fight but makes it cheap; and a status
 * that changes all the time is written at the distance that the cluster wants.
 */

import { type Clock, toTimestamp } from "../base/clock.ts";
import type { Logger } from "../base/log.ts";
import { WorkQueue } from "../base/work_queue.ts";
import type { DesiredStatus } from "./desired_status.ts";
import type { Kind } from "./kinds.ts";
import type { LeaderGate } from "./leader_gate.ts";
import { keyOf, type KubeObject, type ObjectKey } from "./object.ts";
import type { OwnsParent } from "./entry_merge.ts";
import { RestorePace } from "./restore_pace.ts";
import type {
  StatusClient,
  StatusKeySource,
  StatusOutputs,
  StatusWriteMetrics,
  StatusWriteOutcome,
  WriteConflict,
} from "./status_client.ts";
import { mergeStatus, retractStatus, type StatusMerge, withdrawStatus } from "./status_merge.ts";
import { type RetryableFailure, RetryPolicy } from "./status_retry.ts";
import { type AttemptResult, StatusAttempts } from "./status_attempts.ts";
import { WriteBars } from "./write_bars.ts";
import type { WritePermits } from "./write_permits.ts";
import { WriteSpacing } from "./write_spacing.ts";

/** How long a write waits for a data plane that has yet to answer, milliseconds. */
export const pendingWaitMs = 100;

/** How long it waits while an answer is on its way: ten thousand take their time. */
export const answerWaitMs = 1000;

/** Over how long the keys that waited for the server come back, milliseconds. */
const pauseSpreadMs = 1000;

/** Writes of one kind at a time when the options do not say. */
const statusWorkersDefault = 8;

const missing = { outcome: "failed", message: "The cluster does not find the object" } as const;

/** What a writer is made of. */
export interface StatusWriterOptions {
  readonly kind: Kind;
  readonly controllerName: string;
  readonly source: StatusKeySource;
  readonly outputs: StatusOutputs;
  readonly client: StatusClient;
  readonly gate: LeaderGate;
  /** Of the same gate, and shared by the writers of all kinds. */
  readonly permits: WritePermits;
  readonly metrics: StatusWriteMetrics;
  readonly log: Logger;
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** Writes at a time; {@linkcode statusWorkersDefault} when absent. */
  readonly workers?: number;
  /** Which entries of our controller name this instance answers for; all when absent. */
  readonly ownsParent?: OwnsParent;
  /**
   * Whether no controller answers for a Gateway or ListenerSet that weir has nothing to say about any
   * more: what weir said of it is then taken back. Absent: never, as another controller may have
   * taken over.
   */
  readonly isUnanswered?: (object: KubeObject) => boolean;
  /** Called with the object before and after each write; never throws, never waits. */
  readonly onWritten?: (before: KubeObject, after: KubeObject) => void;
}

/** See the file's header for the promises. */
export class StatusWriter {
  readonly #options: StatusWriterOptions;
  readonly #queue: WorkQueue<ObjectKey>;
  readonly #retry: RetryPolicy;
  /** Until when each key waits for a data plane, in monotonic milliseconds. */
  readonly #waitUntilMs = new Map<ObjectKey, number>();
  /** Keys that arrived while another replica led. */
  readonly #held = new Set<ObjectKey>();
  /** Keys whose conflict was told. */
  readonly #conflicting = new Set<ObjectKey>();
  readonly #attempts: StatusAttempts<DesiredStatus | undefined>;
  /** Whether the failure of this class was logged since the last success. */
  readonly #logged = new Set<StatusWriteOutcome>();
  /** Statuses that the cluster has held whole. */
  readonly #settled = new WeakSet<DesiredStatus>();
  readonly #restorePace = new RestorePace();
  readonly #spacing: WriteSpacing;
  readonly #bars: WriteBars;

  constructor(options: StatusWriterOptions) {
    this.#options = options;
    this.#queue = new WorkQueue(options.clock);
    this.#retry = new RetryPolicy(options.random);
    this.#bars = new WriteBars(options.random);
    this.#spacing = new WriteSpacing(options.permits.distanceMs);
    const { kind, outputs, metrics } = options;
    this.#attempts = new StatusAttempts({
      ...options,
      wanted: (key) => outputs.desired(kind, key),
      merge: (desired, live) => this.#merge(desired, live),
      onConflict: (key, reason) => this.#onConflict(key, reason),
      onLimit: (list) => metrics.limited(kind, list),
    });
  }

  /** Keys that wait, are worked on or are held for the leader; delayed ones are not counted. */
  get depth(): number {
    return this.#queue.size + this.#held.size;
  }

  /**
   * Writes until `signal` aborts; resolves when the writes in flight have ended. Rejects only for a
   * fault of the program. A writer runs once: keys that waited for a retry end with the run.
   */
  async run(signal: AbortSignal): Promise<void> {
    const { source, gate, workers = statusWorkersDefault } = this.#options;
    const unsubscribe = gate.onChange(() => this.#release());
    try {
      source.start(this.#queue);
      await this.#queue.run((key) => this.#process(key, signal), signal, workers);
    } finally {
      unsubscribe();
    }
  }

  /**
   * Looks at `object` as the cluster has it now. When it lacks what was written of the status that is
   * still wanted, the key comes back. Synchronous and cheap; never writes by itself.
   */
  observe(object: KubeObject): void {
    const key = keyOf(object);
    const { kind, outputs, clock } = this.#options;
    const desired = outputs.desired(kind, key);
    // A new generation gets a new status by itself.
    if (!desired || !this.#settled.has(desired)) return;
    if (desired.generation !== (object.metadata.generation ?? 0)) return;
    if (this.#merge(desired, object).outcome !== "write") return;
    this.#queue.addAfter(key, this.#restorePace.delayMs(key, clock.monotonicMs()));
  }

  /** Synchronous: hands back what was held, when this replica leads now. */
  #release(): void {
    if (!this.#options.gate.isLeader()) return;
    for (const key of this.#held) this.#queue.add(key);
    this.#held.clear();
  }

  async #process(key: ObjectKey, signal: AbortSignal): Promise<void> {
    const { kind, outputs } = this.#options;
    if (this.#isPutOff(key) || this.#waitsForDataPlane(key, outputs.desired(kind, key))) return;
    try {
      const isLive = this.#retry.hasConflict(key);
      const result = await this.#attempts.run(key, { isLive, signal });
      this.#end(key, result);
    } catch (error) {
      // An aborted call is the end of the run, not a failure.
      if (!signal.aborted) throw error;
    }
  }

  /** Whether nothing may be sent now: another replica leads, the server named a time, or too soon. */
  #isPutOff(key: ObjectKey): boolean {
    const { permits, random, clock } = this.#options;
    const heldMs = permits.heldForMs();
    if (heldMs === undefined) {
      this.#held.add(key);
      return true;
    }
    const nowMs = clock.monotonicMs();
    const pausedMs = permits.pausedForMs();
    // A little after it, spread, so that the keys do not come back as one burst.
    const waitMs = Math.max(
      pausedMs > 0 ? pausedMs + random() * pauseSpreadMs : heldMs,
      this.#spacing.waitMs(key, nowMs),
    ) || this.#bars.waitMs(key, nowMs);
    if (waitMs > 0) this.#queue.addAfter(key, waitMs);
    return waitMs > 0;
  }

  /** Whether the key was put off: one delayed add, which any other add of the key pulls forward. */
  #waitsForDataPlane(key: ObjectKey, desired: DesiredStatus | undefined): boolean {
    if (desired?.pending !== true) {
      this.#waitUntilMs.delete(key);
      return false;
    }
    const { clock, outputs } = this.#options;
    const nowMs = clock.monotonicMs();
    const untilMs = this.#waitUntilMs.get(key) ?? nowMs + pendingWaitMs;
    this.#waitUntilMs.set(key, untilMs);
    if (untilMs > nowMs) {
      this.#queue.addAfter(key, untilMs - nowMs);
      return true;
    }
    const remainingMs = untilMs - pendingWaitMs + answerWaitMs - nowMs;
    if (remainingMs <= 0 || !outputs.isAnswerComing?.()) return false;
    this.#queue.addAfter(key, remainingMs);
    return true;
  }

  #merge(desired: DesiredStatus | undefined, live: KubeObject): StatusMerge {
    const { kind, clock, controllerName, ownsParent, isUnanswered } = this.#options;
    const options = ownsParent ? { ownsParent } : {};
    if (desired) return mergeStatus(desired, live, toTimestamp(clock.now()), options);
    if ((kind === "Gateway" || kind === "ListenerSet") && isUnanswered?.(live)) {
      return withdrawStatus(kind, live, toTimestamp(clock.now()));
    }
    return retractStatus(controllerName, live, options);
  }

  #end(key: ObjectKey, result: AttemptResult<DesiredStatus | undefined>): void {
    switch (result.outcome) {
      case "held":
        if (!this.#isPutOff(key)) this.#queue.add(key);
        return;
      case "noop":
      case "ok":
        if (result.wanted) this.#settled.add(result.wanted);
        return this.#settle(key, result.outcome);
      case "dropped-stale":
      case "gone":
        return this.#settle(key, result.outcome);
      case "missing":
        // Mostly the deletion is told in a moment. Not logged: thousands of keys may be deleted.
        this.#options.metrics.outcome(this.#options.kind, "gone");
        return this.#queue.addAfter(key, this.#retry.delayMs(key, missing));
      default:
        return this.#fail(key, result);
    }
  }

  /** The key needs nothing more until it is added again. */
  #settle(key: ObjectKey, outcome: "noop" | "ok" | "dropped-stale" | "gone"): void {
    this.#options.metrics.outcome(this.#options.kind, outcome);
    this.#retry.forget(key);
    this.#conflicting.delete(key);
    this.#waitUntilMs.delete(key);
    if (outcome !== "ok") return;
    this.#logged.clear();
    this.#spacing.note(key, this.#options.clock.monotonicMs());
    for (const other of this.#bars.lift(key)) this.#queue.add(other);
  }

  #fail(key: ObjectKey, failure: RetryableFailure): void {
    const { kind, metrics, permits } = this.#options;
    metrics.outcome(kind, failure.outcome);
    const retryInMs = failure.outcome === "forbidden"
      ? this.#bars.refuse(key, this.#options.clock.monotonicMs())
      : this.#retry.delayMs(key, failure);
    if (failure.outcome === "overloaded" && failure.retryAfterMs !== undefined) {
      permits.pause(retryInMs);
    }
    this.#queue.addAfter(key, retryInMs);
    this.#logOnce(key, failure, retryInMs);
  }

  #onConflict(key: ObjectKey, reason: WriteConflict): void {
    const { kind, metrics, log, outputs } = this.#options;
    metrics.conflict(kind, reason);
    if (this.#conflicting.has(key)) return;
    this.#conflicting.add(key);
    log.debug("Status write met a conflict", { kind, key, reason, revision: outputs.revision() });
  }

  /** One record per class of failure until a write succeeds: thousands of keys fail alike. */
  #logOnce(key: ObjectKey, failure: RetryableFailure, retryInMs: number): void {
    const { kind, log, outputs } = this.#options;
    const { outcome } = failure;
    const fields = { kind, key, outcome, revision: outputs.revision(), retryInMs };
    if (outcome === "conflict" || this.#logged.has(outcome)) return;
    this.#logged.add(outcome);
    const why = "message" in failure ? { message: failure.message } : {};
    log.warn("Cannot write status; trying again, further ones like it are only counted", {
      ...fields,
      ...why,
    });
  }
}
