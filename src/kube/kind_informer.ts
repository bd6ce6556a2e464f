/**
 * The objects of one kind, kept and told: in all namespaces or in some, whether the cluster has the
 * kind or not.
 *
 * A kind that the cluster does not have is empty, and is looked for again. One that has left is empty
 * only after that was confirmed: an API server that starts may not know its kinds yet. A kind that
 * may not be read keeps what was told of it; at a start it counts as empty if it is optional, and
 * keeps the gate closed otherwise.
 */

import { Backoff } from "../base/backoff.ts";
import type { Clock } from "../base/clock.ts";
import { InvariantError } from "../base/invariant.ts";
import type { ApiDiscovery } from "./api_discovery.ts";
import { ClusterError, toClusterError } from "./cluster_error.ts";
import type { ClusterTransport } from "./cluster_transport.ts";
import type { InformerPace } from "./informer_pace.ts";
import { isOptionalKind, type KindState } from "./kind_state.ts";
import { KindTable } from "./kind_table.ts";
import { type Kind, type KindInfo, kinds } from "./kinds.ts";
import { ListWatch, type ListWatchLimits } from "./list_watch.ts";
import { keyOf, type KubeObject, type ObjectKey } from "./object.ts";
import { phaseOf, type ReadingScope } from "./reading_scope.ts";
import { type CollectionHandler, Reflector } from "./reflector.ts";
import type { ServerPresence } from "./server_presence.ts";
import { isAwayFault } from "./watch_fault.ts";

/** What an informer counts and tells, for logs and metrics. */
export interface InformerObserver {
  onState(kind: Kind, state: KindState): void;
  /** Everything was read again. */
  onSnapshot(kind: Kind, how: "list" | "stream"): void;
  onFault(kind: Kind, error: ClusterError, waitMs: number): void;
}

/** How an informer is built. */
export interface KindInformerOptions {
  readonly kind: Kind;
  readonly transport: ClusterTransport;
  readonly discovery: ApiDiscovery;
  readonly handler: CollectionHandler;
  readonly observer: InformerObserver;
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly limits: ListWatchLimits;
  readonly pace: InformerPace;
  /** Shared by all that ask this server. */
  readonly presence: ServerPresence;
  /** Only these; absent: all. Of no meaning for kinds without namespaces. */
  readonly namespaces?: readonly string[];
}

/** See the file's header. */
export class KindInformer {
  readonly #options: KindInformerOptions;
  readonly #objects = new KindTable();
  readonly #scopes: readonly ReadingScope[];
  readonly #backoff: Backoff;
  #state: KindState = { phase: "starting", hasSnapshot: false };
  #hasSnapshot = false;
  #version: string | undefined;

  constructor(options: KindInformerOptions) {
    this.#options = options;
    const info: KindInfo = kinds[options.kind];
    const namespaces = info.namespaced ? options.namespaces : undefined;
    this.#scopes = (namespaces ?? [undefined]).map((namespace) => ({
      namespace,
      hasSnapshot: false,
      wasRead: false,
      fault: undefined,
    }));
    const { backoffInitialMs: initialMs, backoffMaxMs: maxMs } = options.pace.reflector;
    this.#backoff = new Backoff({ initialMs, maxMs }, options.random);
  }

  get state(): KindState {
    return this.#state;
  }

  /** Whether all objects were told once, by the cluster and not for lack of a right. */
  get wasRead(): boolean {
    return this.#scopes.every(({ wasRead }) => wasRead);
  }

  /** The object as last seen. */
  get(key: ObjectKey): KubeObject | undefined {
    return this.#objects.get(key);
  }

  /** How many objects there are. */
  get size(): number {
    return this.#objects.size;
  }

  /** The objects of `namespace`, or all, sorted by namespace and name. */
  list(namespace?: string): readonly KubeObject[] {
    return this.#objects.list(namespace);
  }

  /** Works until `signal` aborts, and resolves then. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const version = await this.#findVersion(signal);
        if (version === undefined) await this.#beAbsent(signal);
        else await this.#readAll(version, signal);
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof InvariantError) throw error;
        const fault = toClusterError(error, "garbled", "Cannot find the kind");
        if (fault.kind === "not-found" && await this.#look(signal) === "unknown") {
          await this.#beAbsent(signal);
          continue;
        }
        const waitMs = Math.max(this.#backoff.next(), fault.retryAfterMs ?? 0);
        this.#noteAll(fault, waitMs);
        const { presence, clock } = this.#options;
        const isAway = isAwayFault(fault);
        if (isAway) presence.noteAway();
        else presence.noteAnswer(clock.monotonicMs());
        await this.#sleep(waitMs, isAway ? AbortSignal.any([signal, presence.returned]) : signal);
      }
    }
  }

  /** Who may not look finds out by asking for the objects. */
  async #findVersion(signal: AbortSignal): Promise<string | undefined> {
    const { kind, discovery } = this.#options;
    try {
      return await discovery.servedVersion(kind, signal);
    } catch (error) {
      if (!(error instanceof ClusterError) || error.kind !== "forbidden") throw error;
      return kinds[kind].versions[0];
    }
  }

  async #beAbsent(signal: AbortSignal): Promise<void> {
    const { kind, pace, random } = this.#options;
    const pollMs = Math.round(pace.absentPollMs * (0.8 + 0.4 * random()));
    if (this.#objects.size > 0) {
      await this.#sleep(pace.absenceConfirmMs, signal);
      if (await this.#look(signal) !== "absent") return await this.#sleep(pollMs, signal);
    }
    this.#version = undefined;
    this.#backoff.reset();
    this.#objects.clear();
    for (const scope of this.#scopes) {
      scope.hasSnapshot = true;
      scope.wasRead = true;
      scope.fault = undefined;
    }
    this.#tellSnapshot();
    this.#setState({ phase: "absent", reason: `The cluster does not have the kind ${kind}` });
    let found = "failed";
    while (!signal.aborted && (found === "failed" || found === "absent")) {
      await this.#sleep(pollMs, signal);
      found = await this.#look(signal);
    }
  }

  /** Whether the cluster has the kind; `unknown` when we may not look, for which there is no cure. */
  async #look(signal: AbortSignal): Promise<"present" | "absent" | "unknown" | "failed"> {
    try {
      const { discovery, kind } = this.#options;
      return await discovery.servedVersion(kind, signal) === undefined ? "absent" : "present";
    } catch (error) {
      if (error instanceof InvariantError) throw error;
      return error instanceof ClusterError && error.kind === "forbidden" ? "unknown" : "failed";
    }
  }

  /** Reads until the kind is not found any more in one of the scopes. */
  async #readAll(version: string, signal: AbortSignal): Promise<void> {
    this.#version = version;
    const stop = new AbortController();
    const any = AbortSignal.any([signal, stop.signal]);
    const results = await Promise.allSettled(this.#scopes.map(async (scope) => {
      try {
        await this.#createReflector(scope, version).run(any);
      } finally {
        stop.abort();
      }
    }));
    const failed = results.find((result) => result.status === "rejected");
    if (failed && !signal.aborted) throw failed.reason;
  }

  #createReflector(scope: ReadingScope, version: string): Reflector {
    const { kind, transport, limits, clock, random, pace, observer, presence } = this.#options;
    const collection = {
      kind,
      version,
      ...scope.namespace === undefined ? {} : { namespace: scope.namespace },
    };
    return new Reflector({
      source: new ListWatch(transport, collection, limits),
      handler: this.#handlerOf(scope),
      observer: {
        onSnapshot: (how) => observer.onSnapshot(kind, how),
        onLive: () => {
          scope.fault = undefined;
          this.#backoff.reset();
          this.#refreshState();
        },
        onFault: (error, waitMs) => {
          observer.onFault(kind, error, waitMs);
          this.#note(scope, error);
          this.#refreshState();
        },
      },
      clock,
      random,
      pace: pace.reflector,
      presence,
    });
  }

  #handlerOf(scope: ReadingScope): CollectionHandler {
    const { handler } = this.#options;
    return {
      snapshot: (objects) => {
        this.#objects.clear(scope.namespace);
        for (const object of objects) this.#objects.set(object);
        scope.hasSnapshot = true;
        scope.wasRead = true;
        this.#tellSnapshotIfWhole();
      },
      upsert: (object) => {
        this.#objects.set(object);
        if (this.#hasSnapshot) handler.upsert(object);
      },
      delete: (object) => {
        this.#objects.delete(keyOf(object));
        if (this.#hasSnapshot) handler.delete(object);
      },
    };
  }

  #tellSnapshotIfWhole(): void {
    if (this.#scopes.every(({ hasSnapshot }) => hasSnapshot)) this.#tellSnapshot();
  }

  #tellSnapshot(): void {
    this.#hasSnapshot = true;
    this.#options.handler.snapshot(this.#objects.values());
  }

  #noteAll(fault: ClusterError, waitMs: number): void {
    this.#options.observer.onFault(this.#options.kind, fault, waitMs);
    for (const scope of this.#scopes) this.#note(scope, fault);
    this.#refreshState();
  }

  #note(scope: ReadingScope, fault: ClusterError): void {
    scope.fault = fault;
    if (fault.kind !== "forbidden" || scope.hasSnapshot || !isOptionalKind(this.#options.kind)) {
      return;
    }
    scope.hasSnapshot = true;
    this.#tellSnapshotIfWhole();
  }

  #refreshState(): void {
    this.#setState(phaseOf(this.#scopes, this.#hasSnapshot));
  }

  #setState(state: Pick<KindState, "phase" | "reason">): void {
    const next: KindState = {
      ...state,
      hasSnapshot: this.#hasSnapshot,
      ...this.#version === undefined ? {} : { version: this.#version },
    };
    const { phase, reason, hasSnapshot, version } = this.#state;
    const isSame = next.phase === phase && next.reason === reason &&
      next.hasSnapshot === hasSnapshot && next.version === version;
    if (isSame) return;
    this.#state = next;
    this.#options.observer.onState(this.#options.kind, next);
  }

  async #sleep(ms: number, signal: AbortSignal): Promise<void> {
    try {
      await this.#options.clock.sleep(ms, signal);
    } catch {
      // Only an abort ends a sleep, and the loops see it; or the server is back.
    }
  }
}
