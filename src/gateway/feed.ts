/**
 * The one writer of Kubernetes inputs: from a source of objects, decoded, into the state.
 *
 * For each kind a snapshot comes first and then changes; a snapshot may come again and replaces all
 * that was known of the kind. An object that cannot be decoded is a problem to show and stops nobody:
 * if an earlier version of the same object was good, that one stays in use. The gate opens when every
 * kind had its first snapshot.
 */

import type { ObjectOf } from "../kube/decode/decode.ts";
import { decodeObject } from "../kube/decode/decode.ts";
import type { Kind } from "../kube/kinds.ts";
import { keyOf, type KubeObject, type ObjectKey } from "../kube/object.ts";
import type { ApiBundle } from "./api_bundle.ts";
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
  /** Told of each refusal once, when it begins or its reason changes. */
  readonly onProblem?: (problem: InputProblem) => void;
  /** Sees every object before it is decoded: address providers read statuses back here. */
  readonly observe?: (kind: Kind, object: KubeObject) => void;
}

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

  constructor(options: FeedOptions) {
    this.#options = options;
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
    const stop = new AbortController();
    const any = AbortSignal.any([signal, stop.signal]);
    const tasks = this.#options.kinds.map(async (kind) => {
      try {
        await this.#options.source.follow(kind, this.#handlerOf(kind), any);
      } catch (error) {
        stop.abort(error);
        throw error;
      }
    });
    const results = await Promise.allSettled(tasks);
    const failed = results.find((result) => result.status === "rejected");
    if (failed && !signal.aborted) throw failed.reason;
  }

  #handlerOf(kind: Kind): ObjectHandler {
    return {
      snapshot: (objects) => this.#replaceAll(kind, objects),
      upsert: (object) => this.#upsert(kind, object),
      delete: (object) => this.#delete(kind, keyOf(object)),
    };
  }

  #replaceAll(kind: Kind, objects: readonly KubeObject[]): void {
    const present = new Set(objects.map(keyOf));
    const gone = [...this.#knownOf(kind).keys(), ...this.#problemsOf(kind).keys()]
      .filter((key) => !present.has(key));
    for (const key of gone) this.#delete(kind, key);
    for (const object of objects) this.#upsert(kind, object);
    this.#options.target.markSynced(kind);
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
