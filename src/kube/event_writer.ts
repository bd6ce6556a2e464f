/**
 * Writes Events about objects to the cluster, for people who look with `kubectl describe`.
 *
 * Telling is synchronous and never waits or fails; writing goes on behind it, one request at a time,
 * by the leader only. The same Event again becomes a series with a count, written now and then. Events
 * are worth less than anything else that is written, so each limit drops some, under a name: too many
 * of one object, too many of all, too many that wait, nobody leads for long, the API does not take
 * them. What a stopping process has not written yet is lost.
 */

import type { Clock } from "../base/clock.ts";
import type { Logger } from "../base/log.ts";
import { Wakeup } from "../base/wakeup.ts";
import { ClusterError } from "./cluster_error.ts";
import type { ClusterTransport } from "./cluster_transport.ts";
import { EventBudget } from "./event_budget.ts";
import {
  eventName,
  eventNamespace,
  type EventOrigin,
  eventsPath,
  type EventToWrite,
  renderEvent,
  renderSeries,
} from "./event_object.ts";
import { type EventWriteOutcome, outcomeOf } from "./event_outcome.ts";
import type { LeaderGate } from "./leader_gate.ts";

/** What a writer is made of. */
export interface EventWriterOptions {
  readonly transport: Pick<ClusterTransport, "request">;
  readonly gate: LeaderGate;
  readonly origin: EventOrigin;
  readonly onOutcome: (outcome: EventWriteOutcome) => void;
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly log: Logger;
}

/** Events that wait to be written. */
const waitingMax = 500;
/** Events of which a further one is counted instead of written anew. */
const seriesMax = 2_000;
/** A series ends when nothing of it was told for so long, milliseconds. */
const seriesEndMs = 600_000;
/** Between the writes of one series, milliseconds: at first, and later. */
const seriesWriteMs = [10_000, 60_000] as const;
/** How long an Event waits for this replica to lead, milliseconds. */
const leadWaitMs = 600_000;
const answerMs = 5_000;
const triesMax = 3;
/** After a failure, milliseconds; after the right was missing. */
const failurePauseMs = 1_000;
const forbiddenPauseMs = 60_000;

interface Series {
  readonly event: EventToWrite;
  readonly toldAtMs: number;
  /** Its path, once it is written. */
  path?: string;
  count: number;
  writtenCount: number;
  lastMs: number;
  lastEpochMs: number;
  /** When the count is written next. */
  dueMs: number;
  writes: number;
  tries: number;
}

/** See the file's header. */
export class EventWriter {
  readonly #options: EventWriterOptions;
  readonly #budget: EventBudget;
  readonly #wakeup = new Wakeup();
  /** Told longest ago first. */
  readonly #series = new Map<string, Series>();
  readonly #waiting: Series[] = [];
  /** Series whose count has grown. */
  readonly #grown = new Set<Series>();
  readonly #logged = new Set<EventWriteOutcome>();
  #pausedUntilMs = -Infinity;

  constructor(options: EventWriterOptions) {
    this.#options = options;
    this.#budget = new EventBudget(options.clock);
  }

  /** Takes an Event. Synchronous; never throws. */
  record(event: EventToWrite): void {
    const { clock, onOutcome } = this.#options;
    const nowMs = clock.monotonicMs();
    const key = keyOf(event);
    const known = this.#series.get(key);
    this.#series.delete(key);
    if (known && nowMs - known.lastMs < seriesEndMs) {
      this.#series.set(key, known);
      known.count++;
      known.lastMs = nowMs;
      known.lastEpochMs = clock.now();
      this.#grow(known);
      return;
    }
    if (this.#waiting.length >= waitingMax) return onOutcome("queue-full");
    const left = this.#budget.take(objectOf(event), event.type);
    if (left !== "ok") return onOutcome(`${left}-rate`);
    const counts = { count: 1, writtenCount: 0, writes: 0, tries: 0 };
    const times = { toldAtMs: nowMs, lastMs: nowMs, lastEpochMs: clock.now(), dueMs: 0 };
    const series: Series = { event, ...counts, ...times };
    this.#series.set(key, series);
    this.#waiting.push(series);
    this.#forget();
    this.#wakeup.signal();
  }

  /** Writes until `signal` aborts. Rejects only for a fault of the program. */
  async run(signal: AbortSignal): Promise<void> {
    const { gate, clock } = this.#options;
    const unsubscribe = gate.onChange(() => this.#wakeup.signal());
    try {
      while (!signal.aborted) {
        const waitMs = await this.#step(signal);
        if (waitMs <= 0) continue;
        const cancel = waitMs === Infinity
          ? () => {}
          : clock.after(waitMs, () => this.#wakeup.signal());
        await this.#wakeup.wait(signal);
        cancel();
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      unsubscribe();
    }
  }

  /** Writes at most one; the milliseconds until there may be another, Infinity: when one is told. */
  async #step(signal: AbortSignal): Promise<number> {
    const { gate, clock } = this.#options;
    const nowMs = clock.monotonicMs();
    if (!gate.isLeader()) return this.#idle(nowMs);
    if (nowMs < this.#pausedUntilMs) return this.#pausedUntilMs - nowMs;
    const [next] = this.#waiting;
    if (next) {
      await this.#write(next, signal);
      return 0;
    }
    let dueMs = Infinity;
    for (const series of this.#grown) {
      dueMs = Math.min(dueMs, series.dueMs);
      if (series.dueMs > nowMs) continue;
      await this.#write(series, signal);
      return 0;
    }
    return dueMs - nowMs;
  }

  /** Lets go of what has waited too long for this replica to lead. */
  #idle(nowMs: number): number {
    // Another replica tells what happens from now on.
    this.#grown.clear();
    while (this.#waiting[0] && nowMs - this.#waiting[0].toldAtMs >= leadWaitMs) {
      this.#waiting.shift();
      this.#options.onOutcome("not-leader");
    }
    const [oldest] = this.#waiting;
    return oldest ? oldest.toldAtMs + leadWaitMs - nowMs : Infinity;
  }

  async #write(series: Series, signal: AbortSignal): Promise<void> {
    const { transport, gate, clock } = this.#options;
    const { path, count } = series;
    const timeoutMs = Math.min(answerMs, gate.remainingMs());
    try {
      if (path === undefined) {
        const created = this.#creation(series);
        await transport.request({ ...created.request, timeoutMs, signal });
        series.path = created.path;
        this.#settle(series, 1, "created");
      } else {
        const body = renderSeries(count, series.lastEpochMs);
        const contentType = "application/merge-patch+json";
        await transport.request({ method: "PATCH", path, body, contentType, timeoutMs, signal });
        this.#settle(series, count, "series");
      }
    } catch (error) {
      if (!(error instanceof ClusterError)) throw error;
      this.#fail(series, error, clock.monotonicMs());
    }
  }

  #creation({ event, lastEpochMs: epochMs }: Series) {
    const { origin, random } = this.#options;
    const name = eventName(event.regarding.name, epochMs, random());
    const collection = eventsPath(eventNamespace(event.regarding));
    const body = renderEvent(event, origin, { name, epochMs });
    return {
      path: `${collection}/${name}`,
      request: { method: "POST", path: collection, body } as const,
    };
  }

  /** The cluster knows of `count` of the series. */
  #settle(series: Series, count: number, outcome: "created" | "series"): void {
    this.#options.onOutcome(outcome);
    this.#leave(series);
    series.writtenCount = count;
    series.tries = 0;
    series.dueMs = this.#options.clock.monotonicMs() + seriesWriteMs[series.writes === 0 ? 0 : 1];
    series.writes++;
    this.#logged.clear();
    this.#grow(series);
  }

  #grow(series: Series): void {
    if (series.path === undefined || series.count <= Math.max(1, series.writtenCount)) return;
    this.#grown.add(series);
    this.#wakeup.signal();
  }

  #leave(series: Series): void {
    this.#grown.delete(series);
    const index = this.#waiting.indexOf(series);
    if (index >= 0) this.#waiting.splice(index, 1);
  }

  #fail(series: Series, error: ClusterError, nowMs: number): void {
    const { clock, onOutcome } = this.#options;
    if (error.kind === "not-found" && series.path !== undefined) {
      // The API server forgets Events after an hour: what happens again is told anew.
      this.#leave(series);
      this.#series.delete(keyOf(series.event));
      return;
    }
    const outcome = outcomeOf(error);
    if (outcome === "forbidden") this.#pausedUntilMs = nowMs + forbiddenPauseMs;
    series.tries++;
    if (outcome === "failed") {
      const waitMs = Math.max(failurePauseMs * series.tries, error.retryAfterMs ?? 0);
      this.#pausedUntilMs = clock.monotonicMs() + waitMs;
      if (series.tries < triesMax) return;
    }
    this.#leave(series);
    this.#series.delete(keyOf(series.event));
    onOutcome(outcome);
    if (this.#logged.has(outcome)) return;
    this.#logged.add(outcome);
    const { message } = error;
    this.#options.log.warn("Cannot write Events; further ones are only counted", {
      ...{ outcome, message },
    });
  }

  #forget(): void {
    for (const [key, series] of this.#series) {
      if (this.#series.size <= seriesMax) return;
      this.#series.delete(key);
      this.#grown.delete(series);
    }
  }
}

function objectOf({ regarding: { kind, namespace = "", name } }: EventToWrite): string {
  return `${kind} ${namespace}/${name}`;
}

/** Equal for Events that say the same of the same object. */
function keyOf(event: EventToWrite): string {
  const { regarding, type, reason, action, note } = event;
  return [objectOf(event), regarding.uid ?? "", type, reason, action, note].join("\n");
}
