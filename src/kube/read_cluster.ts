/**
 * Reads all objects of a cluster once: what a command needs that answers and ends.
 *
 * A kind that the cluster does not have is empty. One that may not be read is empty as well if it
 * only adds; of any other the reading fails, because the answer would be about another cluster. What
 * passes by itself is tried again a few times; nothing is watched, and only GET is ever asked.
 */

import { Backoff } from "../base/backoff.ts";
import type { Clock } from "../base/clock.ts";
import { ApiDiscovery } from "./api_discovery.ts";
import { readBundleVersions } from "./bundle_versions.ts";
import { ClusterError, type ClusterErrorKind, toClusterError } from "./cluster_error.ts";
import type { ClusterTransport } from "./cluster_transport.ts";
import { isOptionalKind } from "./kind_state.ts";
import { type Kind, type KindInfo, kindNames, kinds } from "./kinds.ts";
import { defaultListWatchLimits, ListWatch, TooManyObjectsError } from "./list_watch.ts";
import type { KubeObject } from "./object.ts";

/** How a cluster is read. */
export interface ReadClusterOptions {
  readonly transport: ClusterTransport;
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** Namespaced kinds are read in these only; absent: in all. */
  readonly namespaces?: readonly string[];
  /** Of a kind that is read in other namespaces than {@linkcode namespaces}. */
  readonly namespacesOf?: ReadonlyMap<Kind, readonly string[]>;
  /** Kinds that are not read, with the objects that stand for them. */
  readonly given: ReadonlyMap<Kind, readonly KubeObject[]>;
  /** Objects of all kinds together. */
  readonly objectsMax: number;
  /** Told of each kind that was read. */
  readonly onProgress?: (progress: ReadingProgress) => void;
}

/** How far a reading is. */
export interface ReadingProgress {
  /** Kinds that are still being read. */
  readonly waiting: readonly Kind[];
  readonly objectCount: number;
}

/** What a cluster held. */
export interface ClusterReading {
  /** Of every kind. */
  readonly objects: ReadonlyMap<Kind, readonly KubeObject[]>;
  /** Kinds that were not asked for. */
  readonly given: readonly Kind[];
  /** Kinds that the cluster does not have. */
  readonly absent: readonly Kind[];
  /** Kinds that may not be read and count as empty, with the server's words. */
  readonly forbidden: ReadonlyMap<Kind, string>;
  /** The releases that the CRDs name; absent: they may not be read. */
  readonly bundleVersions?: readonly string[];
}

/** A kind that the reading could not do without. */
export class KindReadError extends Error {
  override readonly name = "KindReadError";
  readonly kind: Kind;
  override readonly cause: ClusterError;

  constructor(kind: Kind, cause: ClusterError) {
    super(`Cannot read ${kind}: ${cause.message}`, { cause });
    this.kind = kind;
    this.cause = cause;
  }
}

/** Kinds that may not be read and that the reading could not do without; all that there are. */
export class KindsForbiddenError extends Error {
  override readonly name = "KindsForbiddenError";
  readonly kinds: readonly Kind[];

  /** @param words of the server about the first of them */
  constructor(kinds: readonly Kind[], words: string) {
    super(`Cannot read ${kinds.join(", ")}: ${words}`);
    this.kinds = kinds;
  }
}

/** Failures that often pass within seconds. */
const passingKinds: ReadonlySet<ClusterErrorKind> = new Set<ClusterErrorKind>([
  "overloaded",
  "unavailable",
  "expired",
]);
const attemptsMax = 4;
const retryPace = { initialMs: 500, maxMs: 5_000 } as const;

/**
 * Reads it. Rejects with the signal's reason when it aborts.
 *
 * @throws KindsForbiddenError when kinds may not be read that have to be
 * @throws KindReadError for another kind that cannot be read, or has too many objects
 * @throws ClusterError when the releases of the CRDs cannot be asked for
 */
export async function readCluster(
  options: ReadClusterOptions,
  signal: AbortSignal,
): Promise<ClusterReading> {
  const stop = new AbortController();
  const reader = new ClusterReader(options, AbortSignal.any([signal, stop.signal]));
  try {
    return await reader.read();
  } finally {
    // One failure is enough: what the others would bring is of no use.
    stop.abort();
  }
}

class ClusterReader {
  readonly #options: ReadClusterOptions;
  readonly #signal: AbortSignal;
  readonly #discovery: ApiDiscovery;
  readonly #objects = new Map<Kind, readonly KubeObject[]>();
  readonly #absent: Kind[] = [];
  readonly #forbidden = new Map<Kind, string>();
  #objectCount = 0;

  constructor(options: ReadClusterOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
    this.#discovery = new ApiDiscovery(options.transport, options.clock);
  }

  async read(): Promise<ClusterReading> {
    for (const [kind, objects] of this.#options.given) this.#objects.set(kind, objects);
    const wanted = kindNames.filter((kind) => !this.#options.given.has(kind));
    const [bundleVersions] = await Promise.all([
      this.#readRelease(),
      ...wanted.map((kind) => this.#readKind(kind)),
    ]);
    const refused = kindNames.filter((kind) => this.#forbidden.has(kind) && !isOptionalKind(kind));
    const [first] = refused;
    if (first !== undefined) {
      throw new KindsForbiddenError(refused, this.#forbidden.get(first) ?? "");
    }
    return {
      objects: this.#objects,
      given: [...this.#options.given.keys()],
      absent: kindNames.filter((kind) => this.#absent.includes(kind)),
      forbidden: this.#forbidden,
      ...bundleVersions === undefined ? {} : { bundleVersions },
    };
  }

  /** It is told by the statuses of classes, which are not of the cluster when they are given. */
  async #readRelease(): Promise<readonly string[] | undefined> {
    const { given, transport } = this.#options;
    if (given.has("GatewayClass")) return undefined;
    return await this.#insist(() => readBundleVersions(transport, this.#signal));
  }

  async #readKind(kind: Kind): Promise<void> {
    const { objectsMax, onProgress } = this.#options;
    const objects = await this.#objectsOf(kind);
    this.#objects.set(kind, objects);
    this.#objectCount += objects.length;
    if (this.#objectCount > objectsMax) {
      throw new KindReadError(kind, new TooManyObjectsError(objectsMax));
    }
    const waiting = kindNames.filter((name) => !this.#objects.has(name));
    onProgress?.({ waiting, objectCount: this.#objectCount });
  }

  async #objectsOf(kind: Kind): Promise<readonly KubeObject[]> {
    try {
      const version = await this.#insist(() => this.#findVersion(kind));
      if (version !== undefined) return await this.#list(kind, version);
      this.#absent.push(kind);
      return [];
    } catch (error) {
      this.#signal.throwIfAborted();
      const fault = toClusterError(error, "garbled", "Cannot read the answer");
      if (fault.kind === "not-found") {
        this.#absent.push(kind);
        return [];
      }
      if (fault.kind !== "forbidden") throw new KindReadError(kind, fault);
      this.#forbidden.set(kind, fault.message);
      return [];
    }
  }

  /** Who may not look finds out by asking for the objects. */
  async #findVersion(kind: Kind): Promise<string | undefined> {
    try {
      return await this.#discovery.servedVersion(kind, this.#signal);
    } catch (error) {
      if (!(error instanceof ClusterError) || error.kind !== "forbidden") throw error;
      return kinds[kind].versions[0];
    }
  }

  async #list(kind: Kind, version: string): Promise<readonly KubeObject[]> {
    const { transport, namespaces, namespacesOf, objectsMax } = this.#options;
    const limits = { ...defaultListWatchLimits, objectsMax };
    const info: KindInfo = kinds[kind];
    const scopes = (info.namespaced ? namespacesOf?.get(kind) ?? namespaces : undefined) ??
      [undefined];
    const lists = await Promise.all(scopes.map((namespace) => {
      const collection = { kind, version, ...namespace === undefined ? {} : { namespace } };
      const source = new ListWatch(transport, collection, limits);
      return this.#insist(() => source.list(this.#signal));
    }));
    return lists.flatMap(({ objects }) => objects);
  }

  /** Asks again for what passes by itself, within the time that is left. */
  async #insist<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    const { clock, random } = this.#options;
    const backoff = new Backoff(retryPace, random);
    while (true) {
      try {
        return await ask();
      } catch (error) {
        const passes = error instanceof ClusterError && passingKinds.has(error.kind);
        if (!passes || backoff.failureCount >= attemptsMax - 1) throw error;
        await clock.sleep(Math.max(backoff.next(), error.retryAfterMs ?? 0), this.#signal);
      }
    }
  }
}
