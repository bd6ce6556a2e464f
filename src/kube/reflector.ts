/**
 * Keeps somebody told of one collection for as long as it runs: a snapshot, then every change.
 *
 * It resumes where it was whenever the server lets it, reads everything again only when it must, and
 * waits longer after each failure, with jitter, until a watch stayed healthy, or a server that was
 * away is back. It never gives up and never goes on with a gap: a stream that was cut off, went silent or made no sense is taken up again
 * at the last version that was seen, and a server whose versions went back is read anew. What was
 * told stays true for the one who was told, until the next snapshot is complete.
 */

import { Backoff } from "../base/backoff.ts";
import type { Clock } from "../base/clock.ts";
import { invariant, InvariantError } from "../base/invariant.ts";
import { ClusterError, toClusterError } from "./cluster_error.ts";
import type { ClusterEvent, ListWatch, WatchStart } from "./list_watch.ts";
import { keyOf, type KubeObject, type ObjectKey } from "./object.ts";
import type { ServerPresence } from "./server_presence.ts";
import { SilenceAlarm } from "./silence_alarm.ts";
import { isOlderVersion } from "./resource_version.ts";
import { type FaultPlan, isAwayFault, isStreamRefusal, planAfterFault } from "./watch_fault.ts";

/** Told of the objects of one collection, in order. Synchronous; never throws. */
export interface CollectionHandler {
  /** All objects that there are: at first, and whenever everything was read again. */
  snapshot(objects: readonly KubeObject[]): void;
  upsert(object: KubeObject): void;
  delete(object: KubeObject): void;
}

/** What a reflector tells about itself. */
export interface ReflectorObserver {
  /** Everything was read: page by page, or as the start of a watch. */
  onSnapshot(how: "list" | "stream"): void;
  /** A watch is open behind a snapshot: what was told is the present. */
  onLive(): void;
  /** Something failed; the next attempt comes after `waitMs`. */
  onFault(error: ClusterError, waitMs: number): void;
}

/** How a reflector waits. */
export interface ReflectorPace {
  /** The first wait and the longest one, milliseconds; each is up to half shorter by chance. */
  readonly backoffInitialMs: number;
  readonly backoffMaxMs: number;
  /** A watch that lived this long makes the failures before it forgotten, milliseconds. */
  readonly healthyMs: number;
  /** A watch that ends sooner than this counts as a failure, milliseconds. */
  readonly shortWatchMs: number;
  /** How long between attempts when the server forbids it, milliseconds. */
  readonly forbiddenMs: number;
  /** The longest wait for a server that answers and has just come back, milliseconds. */
  readonly freshMaxMs: number;
  /** Silence before all initial objects came, after which they are listed instead, milliseconds. */
  readonly initialSilenceMs: number;
  /** A watch that tells nothing, not even a bookmark, for so long is dead, whatever bytes come. */
  readonly silenceMs: number;
  /** The server is asked to end a watch after this, and up to as long again by chance, seconds. */
  readonly watchSeconds: number;
}

/** The pace of client-go's reflector, with an upper bound that is a bound. */
export const defaultReflectorPace: ReflectorPace = {
  backoffInitialMs: 800,
  backoffMaxMs: 30_000,
  healthyMs: 60_000,
  shortWatchMs: 1_000,
  forbiddenMs: 30_000,
  freshMaxMs: 5_000,
  initialSilenceMs: 30_000,
  silenceMs: 150_000,
  watchSeconds: 300,
};

/** How a reflector is built. */
export interface ReflectorOptions {
  readonly source: ListWatch;
  readonly handler: CollectionHandler;
  readonly observer: ReflectorObserver;
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly pace: ReflectorPace;
  /** Shared by all that ask this server. */
  readonly presence: ServerPresence;
}

/** See the file's header. */
export class Reflector {
  readonly #options: ReflectorOptions;
  readonly #backoff: Backoff;
  /** Everything up to this version was told; undefined: everything has to be read. */
  #version: string | undefined;
  #asksVersion = false;
  /** Until the server says that it cannot. */
  #canStream = true;
  /** Failures since the last sign of progress. */
  #repeatedCount = 0;
  /** The return of the server, since which failures are counted. */
  #countsSinceMs = -Infinity;

  constructor(options: ReflectorOptions) {
    this.#options = options;
    const { backoffInitialMs, backoffMaxMs } = options.pace;
    const growth = { initialMs: backoffInitialMs, maxMs: backoffMaxMs };
    this.#backoff = new Backoff(growth, options.random);
  }

  /**
   * Works until `signal` aborts, and resolves then.
   *
   * @throws ClusterError of kind `not-found` when there is no such collection
   */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#cycle(signal);
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof InvariantError) throw error;
        const fault = toClusterError(error, "garbled", "Cannot read the collection");
        if (fault.kind === "not-found") throw fault;
        await this.#pause(fault, signal);
      }
    }
  }

  async #cycle(signal: AbortSignal): Promise<void> {
    const { source, clock } = this.#options;
    if (this.#version !== undefined && this.#asksVersion) {
      const current = await source.currentVersion(signal);
      if (isOlderVersion(current, this.#version)) this.#version = undefined;
    }
    this.#asksVersion = false;
    const startMs = clock.monotonicMs();
    try {
      if (this.#version !== undefined || !await this.#watchFromStart(signal)) {
        if (this.#version === undefined) await this.#list(signal);
        await this.#watchFrom(this.#version, signal);
      }
    } finally {
      if (clock.monotonicMs() - startMs >= this.#options.pace.healthyMs) this.#backoff.reset();
    }
    if (clock.monotonicMs() - startMs < this.#options.pace.shortWatchMs) {
      throw new ClusterError("unavailable", "The API server ended the watch at once");
    }
  }

  async #list(signal: AbortSignal): Promise<void> {
    const { objects, resourceVersion } = await this.#options.source.list(signal);
    this.#tellAll(objects, resourceVersion, "list");
  }

  async #watchFrom(version: string | undefined, signal: AbortSignal): Promise<void> {
    invariant(version !== undefined, "A watch without a version would miss what is there");
    const { observer } = this.#options;
    const onOpen = (): void => {
      this.#noteAnswer();
      observer.onLive();
    };
    await this.#follow(
      { after: version },
      { onOpen, onEvent: (event) => this.#tell(event) },
      signal,
    );
  }

  /**
   * A watch that begins with all objects; they are told when the last of them is there. False when
   * the server cannot do that: nothing was told then.
   */
  async #watchFromStart(signal: AbortSignal): Promise<boolean> {
    if (!this.#canStream) return false;
    const objects = new Map<ObjectKey, KubeObject>();
    const silence = new SilenceAlarm(this.#options.clock, this.#options.pace.initialSilenceMs);
    let isInitial = true;
    const onEvent = (event: ClusterEvent): void => {
      if (!isInitial) this.#tell(event);
      else if (event.type !== "bookmark") {
        silence.postpone();
        if (event.type === "delete") objects.delete(keyOf(event.object));
        else objects.set(keyOf(event.object), event.object);
      } else if (event.endsInitial) {
        isInitial = false;
        silence.stop();
        this.#tellAll([...objects.values()], event.resourceVersion, "stream");
        objects.clear();
        this.#options.observer.onLive();
      }
    };
    try {
      const any = AbortSignal.any([signal, silence.signal]);
      await this.#follow("all", { onOpen: () => silence.start(), onEvent }, any);
      return true;
    } catch (error) {
      const isSilent = silence.signal.aborted && !signal.aborted;
      if (!isSilent && !isStreamRefusal(error)) throw error;
      this.#canStream = false;
      return false;
    } finally {
      silence.stop();
    }
  }

  /** Hands on the events of one watch until it ends. */
  async #follow(
    start: WatchStart,
    { onOpen, onEvent }: {
      readonly onOpen: () => void;
      readonly onEvent: (event: ClusterEvent) => void;
    },
    signal: AbortSignal,
  ): Promise<void> {
    const { source, clock, random, pace } = this.#options;
    const timeoutSeconds = Math.round(pace.watchSeconds * (1 + random()));
    const silence = new SilenceAlarm(clock, pace.silenceMs);
    const any = AbortSignal.any([signal, silence.signal]);
    try {
      const events = source.watch(start, { timeoutSeconds, onOpen, signal: any });
      silence.start();
      for await (const event of events) {
        silence.postpone();
        onEvent(event);
      }
    } catch (error) {
      if (!silence.signal.aborted || signal.aborted) throw error;
      throw new ClusterError("timeout", `The watch told nothing for ${pace.silenceMs} ms`);
    } finally {
      silence.stop();
    }
  }

  #tell(event: ClusterEvent): void {
    const { handler } = this.#options;
    const version = event.type === "bookmark"
      ? event.resourceVersion
      : event.object.metadata.resourceVersion;
    if (this.#version !== undefined && isOlderVersion(version, this.#version)) {
      throw new ClusterError("expired", "The API server went back to an older version");
    }
    this.#version = version;
    this.#repeatedCount = 0;
    if (event.type === "upsert") handler.upsert(event.object);
    if (event.type === "delete") handler.delete(event.object);
  }

  #noteAnswer(): void {
    this.#options.presence.noteAnswer(this.#options.clock.monotonicMs());
  }

  #tellAll(objects: readonly KubeObject[], version: string, how: "list" | "stream"): void {
    this.#noteAnswer();
    this.#version = version;
    this.#repeatedCount = 0;
    this.#options.handler.snapshot(objects);
    this.#options.observer.onSnapshot(how);
  }

  async #pause(fault: ClusterError, signal: AbortSignal): Promise<void> {
    const { presence, clock, observer } = this.#options;
    const isAway = isAwayFault(fault);
    if (isAway) presence.noteAway();
    else this.#noteAnswer();
    this.#beginAnewAfterReturn();
    const plan = planAfterFault(fault, ++this.#repeatedCount);
    if (plan.forgetsVersion) this.#version = undefined;
    if (plan.asksVersion) this.#asksVersion = true;
    const waitMs = this.#waitMs(fault, plan, isAway);
    observer.onFault(fault, waitMs);
    try {
      const end = isAway ? AbortSignal.any([signal, presence.returned]) : signal;
      await clock.sleep(waitMs, end);
    } catch {
      // Only an abort ends a sleep, and the loop sees it; or the server is back.
    }
  }

  /** What failed while the server was away says nothing about the one that came back. */
  #beginAnewAfterReturn(): void {
    const { backAtMs } = this.#options.presence;
    if (backAtMs === this.#countsSinceMs) return;
    this.#countsSinceMs = backAtMs;
    this.#repeatedCount = 0;
    this.#backoff.reset();
  }

  #waitMs({ retryAfterMs = 0 }: ClusterError, { waitsLong }: FaultPlan, isAway: boolean): number {
    const { random, pace, presence, clock } = this.#options;
    const grownMs = this.#backoff.next();
    // All that were told the same moment shall not come back at the same one.
    const wantedMs = Math.round(retryAfterMs * (1 + 0.1 * random()));
    if (!isAway && presence.isFresh(clock.monotonicMs())) {
      return Math.max(Math.min(grownMs, pace.freshMaxMs), wantedMs);
    }
    if (waitsLong) return Math.round(pace.forbiddenMs * (1 + 0.2 * random()));
    return Math.max(grownMs, wantedMs);
  }
}
