/**
 * A real cluster as the source of the engine's objects: one informer for each kind.
 *
 * Each kind is on its own: what happens to one delays no other. Kinds that the operator gave or did
 * without are not asked for.
 */

import type { Clock } from "../base/clock.ts";
import { ApiDiscovery } from "./api_discovery.ts";
import type { ClusterTransport } from "./cluster_transport.ts";
import { defaultInformerPace, type InformerPace } from "./informer_pace.ts";
import { type InformerObserver, KindInformer } from "./kind_informer.ts";
import type { KindState } from "./kind_state.ts";
import type { Kind } from "./kinds.ts";
import { defaultListWatchLimits, type ListWatchLimits } from "./list_watch.ts";
import { keyOf, type KubeObject, type ObjectKey } from "./object.ts";
import type { CollectionHandler } from "./reflector.ts";
import { ServerPresence } from "./server_presence.ts";

/** How a source is built. */
export interface ClusterObjectSourceOptions {
  readonly transport: ClusterTransport;
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly observer: InformerObserver;
  /** Namespaced kinds are read in these only; absent: in all. */
  readonly namespaces?: readonly string[];
  /** Kinds that are read in other namespaces than `namespaces`. */
  readonly namespacesOf?: ReadonlyMap<Kind, readonly string[]>;
  /**
   * Kinds that are not read, with the objects that stand for them: none for a kind to do without, a
   * GatewayClass that the operator vouches for.
   */
  readonly given?: ReadonlyMap<Kind, readonly KubeObject[]>;
  readonly limits?: Partial<ListWatchLimits>;
  readonly pace?: InformerPace;
}

const off: KindState = { phase: "off", hasSnapshot: true };

/** See the file's header. */
export class ClusterObjectSource {
  readonly #options: ClusterObjectSourceOptions;
  readonly #discovery: ApiDiscovery;
  readonly #presence = new ServerPresence();
  readonly #informers = new Map<Kind, KindInformer>();

  constructor(options: ClusterObjectSourceOptions) {
    this.#options = options;
    this.#discovery = new ApiDiscovery(options.transport, options.clock);
  }

  /** The object as last seen, also when its kind cannot be read for the moment. */
  get(kind: Kind, key: ObjectKey): KubeObject | undefined {
    const given = this.#options.given?.get(kind);
    return given === undefined
      ? this.#informers.get(kind)?.get(key)
      : given.find((object) => keyOf(object) === key);
  }

  /** The objects of `kind` as last seen, in `namespace` or all, sorted by namespace and name. */
  list(kind: Kind, namespace?: string): { readonly items: readonly KubeObject[] } {
    const given = this.#options.given?.get(kind);
    if (given === undefined) return { items: this.#informers.get(kind)?.list(namespace) ?? [] };
    const isListed = ({ metadata }: KubeObject): boolean =>
      namespace === undefined || metadata.namespace === namespace;
    return { items: given.filter(isListed) };
  }

  /** How many objects of `kind` there are. */
  count(kind: Kind): number {
    return this.#options.given?.get(kind)?.length ?? this.#informers.get(kind)?.size ?? 0;
  }

  /** How the reading of each kind is that is followed. */
  states(): ReadonlyMap<Kind, KindState> {
    const states = new Map<Kind, KindState>();
    for (const kind of this.#options.given?.keys() ?? []) states.set(kind, off);
    for (const [kind, informer] of this.#informers) states.set(kind, informer.state);
    return states;
  }

  /**
   * Whether what there is of `kind` was read once, or is given. What is not among its objects then was
   * not in the cluster when that was last read.
   */
  wasRead(kind: Kind): boolean {
    return this.#options.given?.has(kind) === true || this.#informers.get(kind)?.wasRead === true;
  }

  /**
   * Tells `handler` of all objects of `kind` until `signal` aborts: a snapshot, then changes. One
   * follower for each kind.
   */
  async follow(kind: Kind, handler: CollectionHandler, signal: AbortSignal): Promise<void> {
    const given = this.#options.given?.get(kind);
    if (given !== undefined) {
      handler.snapshot(given);
      this.#options.observer.onState(kind, off);
      return await aborted(signal);
    }
    const informer = this.#createInformer(kind, handler);
    this.#informers.set(kind, informer);
    await informer.run(signal);
  }

  #createInformer(kind: Kind, handler: CollectionHandler): KindInformer {
    const { transport, clock, random, observer, limits, pace } = this.#options;
    const namespaces = this.#options.namespacesOf?.get(kind) ?? this.#options.namespaces;
    return new KindInformer({
      kind,
      transport,
      discovery: this.#discovery,
      handler,
      observer,
      clock,
      random,
      limits: { ...defaultListWatchLimits, ...limits },
      pace: pace ?? defaultInformerPace,
      presence: this.#presence,
      ...namespaces === undefined ? {} : { namespaces },
    });
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
