/**
 * The one writer of Kubernetes inputs: from a source of objects, decoded, into the state.
 *
 * For each kind a snapshot comes first and then changes; a snapshot may come again and replaces all
 * that was known of the kind. An object that cannot be decoded is a problem to show and stops nobody:
 * if an earlier version of the same object was good, that one stays in use. The gate opens when every
 * kind had its first snapshot. A large snapshot is passed on in slices, so that it holds up nobody.
 */

import type { Clock } from "../base/clock.ts";
import { Turn } from "../base/turn.ts";
import { Wakeup } from "../base/wakeup.ts";

import type { ObjectOf } from "../kube/decode/decode.ts";
import { decodeObject } from "../kube/decode/decode.ts";
import type { Kind } from "../kube/kinds.ts";
import { keyOf, type KubeObject, type ObjectKey } from "../kube/object.ts";
import type { ApiBundle } from "./api_bundle.ts";
import { FeedBacklog } from "./feed_backlog.ts";
import type { SlimCache } from "./input_door.ts";

/** Told of the objects of one kind, in order. Synchronous; never throws. */
export interface ObjectHandler {
  /** All objects that there are: at first, and whenever the source had to start over. */
  snapshot(objects: readonly KubeObject[]): void;
  upsert(object: KubeObject): void;
  delete(object: KubeObject): void;
}

/** Where objects come from: a cluster, or the local one. */
export interface ObjectSource {
  /**
   * Calls `listener` with what the CRDs of the source say of themselves, at once when that is known,
   * and at each change. Absent: nobody knows.
   */
  onApiBundle?(listener: (bundle: ApiBundle) => void): void;
  /** The object as last seen; undefined when there is none. */
  get(kind: Kind, key: ObjectKey): KubeObject | undefined;
  /**
   * Tells `handler` of all objects of `kind` until `signal` aborts: a snapshot, then changes. Heals
   * its own faults; rejects only for what it cannot heal.
   */
  follow(kind: Kind, handler: ObjectHandler, signal: AbortSignal): Promise<void>;
}

/** What the feed writes to. */
export interface FeedTarget {
  upsert<K extends Kind>(kind: K, object: ObjectOf[K]): boolean;
  delete(kind: Kind, key: ObjectKey): boolean;
  markSynced(kind: Kind): void;
}

/** An object that was refused. */
export interface InputProblem {
  readonly kind: Kind;
  readonly key: ObjectKey;
  /** The field and what was wanted; never a value. */
  readonly reason: string;
}

/** How a feed is built. */
export interface FeedOptions {
  readonly source: ObjectSource;
  readonly target: FeedTarget;
  readonly kinds: readonly Kind[];
  readonly clock: Clock;
  /** Told of each refusal once, when it begins or its reason changes. */
  readonly onProblem?: (problem: InputProblem) => void;
  /** Sees every object before it is decoded: address providers read statuses back here. */
  readonly observe?: (kind: Kind, object: KubeObject) => void;
}

/** Changes of one snapshot that are made at once. */
const atOnceMax = 100;

interface KnownVersion {
  readonly uid: string;
  readonly resourceVersion: string;
}

/** See the file's header. */
export class Feed {
  readonly #options: FeedOptions;
  /** Which version of which object the target was given, per kind. */
  readonly #known = new Map<Kind, Map<ObjectKey, KnownVersion>>();
  readonly #problems = new Map<Kind, Map<ObjectKey, InputProblem>>();
  readonly #backlog = new FeedBacklog();
  readonly #wakeup = new Wakeup();
  readonly #turn: Turn;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#turn = new Turn(options.clock);
    for (const kind of options.kinds) {
      this.#known.set(kind, new Map());
      this.#problems.set(kind, new Map());
    }
  }

  /** The objects that are refused now, by kind and key. */
  problems(): readonly InputProblem[] {
    return [...this.#problems.values()].flatMap((byKey) =>
      [...byKey.values()].sort((a, b) => a.key < b.key ? -1 : 1)
    );
  }

  /** Feeds until `signal` aborts. Rejects when a kind cannot be followed any more. */
  async run(signal: AbortSignal): Promise<void> {
    const { kinds, source } = this.#options;
    const stop = new AbortController();
    const any = AbortSignal.any([signal, stop.signal]);
    const orStop = async (task: Promise<void>): Promise<void> => {
      try {
        await task;
      } catch (error) {
        stop.abort(error);
        throw error;
      }
    };
    const working = orStop(this.#workOff(any));
    const following = kinds.map((kind) => orStop(source.follow(kind, this.#handlerOf(kind), any)));
    const results = await Promise.allSettled(following);
    stop.abort();
    results.push(...await Promise.allSettled([working]));
    const failed = results.find((result) => result.status === "rejected");
    if (failed && !signal.aborted) throw failed.reason;
  }

  #handlerOf(kind: Kind): ObjectHandler {
    return {
      snapshot: (objects) => this.#replaceAll(kind, objects),
      upsert: (object) => this.#change(kind, keyOf(object), object),
      delete: (object) => this.#change(kind, keyOf(object), undefined),
    };
  }

  #replaceAll(kind: Kind, objects: readonly KubeObject[]): void {
    const changes = new Map<ObjectKey, KubeObject | undefined>();
    const present = new Set(objects.map(keyOf));
    for (const known of [this.#knownOf(kind), this.#problemsOf(kind)]) {
      for (const key of known.keys()) if (!present.has(key)) changes.set(key, undefined);
    }
    for (const object of objects) changes.set(keyOf(object), object);
    if (changes.size > atOnceMax) {
      this.#backlog.start(kind, changes);
      return this.#wakeup.signal();
    }
    this.#backlog.drop(kind);
    for (const [key, object] of changes) this.#make(kind, key, object);
    this.#options.target.markSynced(kind);
  }

  #change(kind: Kind, key: ObjectKey, object: KubeObject | undefined): void {
    if (this.#backlog.has(kind)) this.#backlog.put([kind, key, object]);
    else this.#make(kind, key, object);
  }

  #make(kind: Kind, key: ObjectKey, object: KubeObject | undefined): void {
    if (object === undefined) this.#delete(kind, key);
    else this.#upsert(kind, object);
  }

  /** Works off what is told in large pieces, a slice at a time, until `signal` aborts. */
  async #workOff(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#wakeup.wait(signal);
      while (!this.#backlog.isEmpty && !signal.aborted) {
        await this.#turn.letGo(signal);
        if (!signal.aborted) this.#workOffSlice();
      }
    }
  }

  #workOffSlice(): void {
    this.#backlog.take(
      ([kind, key, object]) => this.#make(kind, key, object),
      (kind) => this.#options.target.markSynced(kind),
      () => this.#turn.isOver(),
    );
  }

  #upsert<K extends Kind>(kind: K, object: KubeObject): void {
    const key = keyOf(object);
    const { uid, resourceVersion } = object.metadata;
    const known = this.#knownOf(kind);
    const before = known.get(key);
    // A resync repeats what is known; to decode a certificate again costs more than all the rest.
    if (before && before.uid === uid && before.resourceVersion === resourceVersion) return;
    this.#options.observe?.(kind, object);
    const decoded = decodeObject(kind, object);
    if (decoded.ok) {
      this.#problemsOf(kind).delete(key);
      known.set(key, { uid, resourceVersion });
      this.#options.target.upsert(kind, decoded.value);
      return;
    }
    // Another object of the same name: what was good belongs to one that is gone.
    if (before && before.uid !== uid) this.#delete(kind, key);
    this.#refuse({ kind, key, reason: decoded.reason });
  }

  #refuse(problem: InputProblem): void {
    const problems = this.#problemsOf(problem.kind);
    if (problems.get(problem.key)?.reason === problem.reason) return;
    problems.set(problem.key, problem);
    this.#options.onProblem?.(problem);
  }

  #delete(kind: Kind, key: ObjectKey): void {
    this.#problemsOf(kind).delete(key);
    if (this.#knownOf(kind).delete(key)) this.#options.target.delete(kind, key);
  }

  #knownOf(kind: Kind): Map<ObjectKey, KnownVersion> {
    return getOrMake(this.#known, kind);
  }

  #problemsOf(kind: Kind): Map<ObjectKey, InputProblem> {
    return getOrMake(this.#problems, kind);
  }
}

/** The latest objects of `source`, decoded when they are asked for. */
export function slimCacheOf(source: Pick<ObjectSource, "get">): SlimCache {
  return {
    get<K extends Kind>(kind: K, key: ObjectKey): ObjectOf[K] | undefined {
      const object = source.get(kind, key);
      if (!object) return undefined;
      const decoded = decodeObject(kind, object);
      return decoded.ok ? decoded.value : undefined;
    },
  };
}

function getOrMake<Key, Inner, Value>(
  maps: Map<Key, Map<Inner, Value>>,
  key: Key,
): Map<Inner, Value> {
  let map = maps.get(key);
  if (!map) maps.set(key, map = new Map());
  return map;
}
