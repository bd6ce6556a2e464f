/**
 * Tells the log when a status begins to say that something does not work, and when it ceases to.
 *
 * A manifest that is valid is not thereby served: its Gateway has no certificate or no port, its
 * route a backend that is not there. Statuses say so; whoever watches the log hears of it as well.
 * Told a moment after the change, so that what heals itself meanwhile (a certificate that is being
 * issued) is no news. A status that a data plane has yet to answer is left for its answer. What a
 * deleted object said is forgotten without a word. Limits: lines at a time; the rest is counted.
 */

import type { Clock } from "../base/clock.ts";
import type { LogFields, Logger } from "../base/log.ts";
import { Wakeup } from "../base/wakeup.ts";
import type { OutputChanges } from "../gateway/diff.ts";
import { byStatusKind, type Outputs, statusKinds } from "../gateway/outputs.ts";
import type { ObjectKey } from "../kube/object.ts";
import { type Faults, faultsOf } from "./status_faults.ts";

/** From a change to the look at what is left of it. */
const settleMs = 200;

/** Lines that one look may write besides the one that counts the rest. */
const linesMax = 20;

const none: Faults = new Map();

/** See the file's header. */
export class StatusLog {
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #outputs: () => Outputs;
  readonly #wakeup = new Wakeup();
  readonly #changed = byStatusKind(() => new Set<ObjectKey>());
  /** Only objects with faults. */
  readonly #told = byStatusKind(() => new Map<ObjectKey, Faults>());

  /** @param outputs the outputs in force */
  constructor(log: Logger, clock: Clock, outputs: () => Outputs) {
    this.#log = log;
    this.#clock = clock;
    this.#outputs = outputs;
  }

  /** Takes note of a commit. */
  onCommit({ statuses }: OutputChanges): void {
    for (const kind of statusKinds) {
      for (const key of statuses[kind]) this.#changed[kind].add(key);
      if (statuses[kind].length > 0) this.#wakeup.signal();
    }
  }

  /** Tells until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#wakeup.wait(signal);
      try {
        await this.#clock.sleep(settleMs, signal);
      } catch {
        // It is over: what did not settle is not told.
        return;
      }
      this.#tell();
    }
  }

  #tell(): void {
    const news: LogFields[] = [];
    const resolved: LogFields[] = [];
    const { statuses } = this.#outputs();
    for (const kind of statusKinds) {
      const told = this.#told[kind];
      for (const key of this.#changed[kind]) {
        const desired = statuses[kind].get(key);
        if (desired?.pending) continue;
        const before = told.get(key) ?? none;
        const now = desired === undefined ? none : faultsOf(desired);
        for (const [about, fields] of now) {
          const known = before.get(about);
          if (known?.problem !== fields.problem || known?.reason !== fields.reason) {
            news.push(fields);
          }
        }
        if (desired !== undefined) {
          for (const [about, fields] of before) if (!now.has(about)) resolved.push(fields);
        }
        if (now.size > 0) told.set(key, now);
        else told.delete(key);
      }
      this.#changed[kind].clear();
    }
    this.#write(news, resolved);
  }

  #write(news: readonly LogFields[], resolved: readonly LogFields[]): void {
    for (const fields of news.slice(0, linesMax)) this.#log.warn("Status problem", fields);
    const left = Math.max(0, linesMax - news.length);
    for (const fields of resolved.slice(0, left)) {
      this.#log.info("Status problem resolved", fields);
    }
    const moreNews = Math.max(0, news.length - linesMax);
    const moreResolved = Math.max(0, resolved.length - left);
    if (moreNews + moreResolved === 0) return;
    this.#log.warn("More statuses changed than are logged at once", {
      problems: moreNews,
      resolved: moreResolved,
      see: "/api/v1/state",
    });
  }
}
