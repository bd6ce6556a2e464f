/**
 * Collects what may have changed on disk until things are quiet, so that one save is one look.
 *
 * Sources are watchers, a regular rescan, and the loader's own appointments. What is collected is
 * paths, not contents: a look reads what is there then. A watcher that fails is opened again at the
 * next rescan; until then rescans alone find changes.
 */

import type { Clock } from "../../base/clock.ts";
import type { Logger } from "../../base/log.ts";
import { Wakeup } from "../../base/wakeup.ts";
import type { FileSystem } from "./file_system.ts";

/** How long the feed waits, in milliseconds. */
export interface FeedTimes {
  /** No change for so long ends the waiting … */
  readonly quietMs: number;
  /** … and so does this since the first change. */
  readonly quietMaxMs: number;
  /** Everything is looked at this often, watchers or not. */
  readonly rescanMs: number;
}

/** What to look at. */
export interface ChangeBatch {
  /** Look for files that came and went, and at every file whose version differs. */
  readonly scansAll: boolean;
  /** Read these whatever their version says. */
  readonly paths: ReadonlySet<string>;
}

/** Remembered between two looks; beyond, everything is looked at. */
const pathsMax = 10_000;

/** See the file's header. */
export class ChangeFeed {
  readonly #fileSystem: FileSystem;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #times: FeedTimes;
  readonly #wakeup = new Wakeup();
  readonly #reopen = new Map<string, AbortController>();
  #paths = new Set<string>();
  #scansAll = false;
  #changeCount = 0;
  #cancelAppointment: () => void = () => {};

  constructor(fileSystem: FileSystem, clock: Clock, log: Logger, times: FeedTimes) {
    this.#fileSystem = fileSystem;
    this.#clock = clock;
    this.#log = log;
    this.#times = times;
  }

  /** Watches `roots` and rescans until `signal` aborts. */
  async run(roots: readonly string[], signal: AbortSignal): Promise<void> {
    await Promise.all([
      this.#rescan(signal),
      ...roots.map((root) => this.#watch(root, signal)),
    ]);
    this.#cancelAppointment();
  }

  /** The next batch, once things are quiet; undefined when `signal` aborted. */
  async next(signal: AbortSignal): Promise<ChangeBatch | undefined> {
    await this.#wakeup.wait(signal);
    const startMs = this.#clock.monotonicMs();
    for (let count = -1; count !== this.#changeCount && !signal.aborted;) {
      const leftMs = startMs + this.#times.quietMaxMs - this.#clock.monotonicMs();
      if (leftMs <= 0) break;
      count = this.#changeCount;
      await this.#pause(Math.min(this.#times.quietMs, leftMs), signal);
    }
    if (signal.aborted) return undefined;
    const batch = { scansAll: this.#scansAll, paths: this.#paths };
    this.#scansAll = false;
    this.#paths = new Set();
    return batch;
  }

  /** Asks for a look at everything. */
  requestScan(): void {
    this.#scansAll = true;
    this.#changed();
  }

  /** Wakes the loader at a time of the monotonic clock; a later call replaces an earlier one. */
  wakeAt(dueMs: number): void {
    this.#cancelAppointment();
    this.#cancelAppointment = () => {};
    if (dueMs === Infinity) return;
    const waitMs = Math.max(0, dueMs - this.#clock.monotonicMs());
    this.#cancelAppointment = this.#clock.after(waitMs, () => this.#wakeup.signal());
  }

  /** Opens the watcher of `root` anew, because something else is there now. */
  reopen(root: string): void {
    this.#reopen.get(root)?.abort(new DOMException("The folder was replaced", "AbortError"));
  }

  async #rescan(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#pause(this.#times.rescanMs, signal);
      if (!signal.aborted) this.requestScan();
    }
  }

  async #watch(root: string, signal: AbortSignal): Promise<void> {
    let isWorking = true;
    while (!signal.aborted) {
      const reopen = new AbortController();
      this.#reopen.set(root, reopen);
      const either = AbortSignal.any([signal, reopen.signal]);
      try {
        const listener = {
          onOpen: () => this.requestScan(),
          onChange: (paths: readonly string[]) => this.#onChange(paths),
        };
        await this.#fileSystem.watch(root, listener, either);
        isWorking = true;
      } catch (error) {
        // A path that does not exist yet is a problem of its own, told by the scan.
        const { ok: exists } = await this.#fileSystem.stat(root);
        if (exists && isWorking) {
          this.#log.warn("Watching failed; changes are found by rescans", { root, error });
        }
        isWorking &&= !exists;
      }
      await this.#pause(this.#times.rescanMs, either);
    }
  }

  #onChange(paths: readonly string[]): void {
    for (const path of paths) this.#paths.add(path);
    if (this.#paths.size > pathsMax) {
      this.#scansAll = true;
      this.#paths.clear();
    }
    this.#changed();
  }

  #changed(): void {
    this.#changeCount += 1;
    this.#wakeup.signal();
  }

  /** Resolves after `ms` or when `signal` aborts. */
  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    try {
      await this.#clock.sleep(ms, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}
