/**
 * A real cluster as the status writers' cluster: reads from the informers, writes by PUT of the status
 * at exactly the resourceVersion that was read, or by server-side apply at any.
 *
 * The informers lag behind our own writes. What a write returned is remembered until an informer shows
 * something at least as new, or some seconds have passed, so that the next write of the key starts
 * from its effect and not from a state that would be refused. Not here: when to write and when to try
 * again.
 */

import type { Clock } from "../base/clock.ts";
import type { ClusterRequest, ClusterTransport } from "./cluster_transport.ts";
import { statusFieldManager } from "./field_managers.ts";
import type { JsonRecord } from "./json_value.ts";
import { apiVersionOf, type Kind, kinds } from "./kinds.ts";
import { type Collection, pathOf } from "./list_watch.ts";
import { type KubeObject, type ObjectKey, objectKey, parseObjectKey } from "./object.ts";
import { isOlderVersion } from "./resource_version.ts";
import { slimObject } from "./slim_object.ts";
import type { StatusClient, StatusRead, StatusWrite, StatusWriteOptions } from "./status_client.ts";
import { applyPatch, failureOf, writeFailureOf, writeQuery } from "./write_request.ts";

/** What the client reads from: the informers. */
export interface CachedObjects {
  get(kind: Kind, key: ObjectKey): KubeObject | undefined;
  states(): ReadonlyMap<Kind, { readonly version?: string }>;
}

/** For how long the effect of a write is remembered, milliseconds. */
const memoryMs = 2_000;
/** How many of them; beyond it the oldest is forgotten. */
const memoryMax = 20_000;
const answerMs = 15_000;

type WriteSent = Pick<ClusterRequest, "method" | "query" | "body" | "contentType">;

interface Written {
  readonly object: KubeObject;
  readonly atMs: number;
}

/** See the file's header. */
export class ClusterStatusClient implements StatusClient {
  readonly #transport: ClusterTransport;
  readonly #cache: CachedObjects;
  readonly #clock: Clock;
  readonly #written = new Map<string, Written>();

  constructor(transport: ClusterTransport, cache: CachedObjects, clock: Clock) {
    this.#transport = transport;
    this.#cache = cache;
    this.#clock = clock;
  }

  /** Writes whose effect is remembered. */
  get rememberedCount(): number {
    return this.#written.size;
  }

  async get(
    kind: Kind,
    key: ObjectKey,
    { live, signal }: { readonly live: boolean; readonly signal: AbortSignal },
  ): Promise<StatusRead> {
    if (!live) {
      const object = this.#newest(kind, key);
      return object === undefined ? { outcome: "gone" } : { outcome: "ok", object };
    }
    try {
      const answer = await this.#transport.request({
        path: this.#pathOf(kind, key),
        timeoutMs: answerMs,
        signal,
      });
      const object = this.#decode(kind, answer);
      this.#remember(kind, key, object);
      return { outcome: "ok", object };
    } catch (error) {
      return failureOf(error);
    }
  }

  updateStatus(
    kind: Kind,
    object: KubeObject,
    options: StatusWriteOptions,
  ): Promise<StatusWrite> {
    return this.#write(kind, object, options, { method: "PUT", body: object });
  }

  applyStatus(
    kind: Kind,
    target: KubeObject,
    intent: JsonRecord,
    options: StatusWriteOptions,
  ): Promise<StatusWrite> {
    const { name, namespace, uid } = target.metadata;
    const body = {
      apiVersion: target.apiVersion,
      kind,
      metadata: { name, ...namespace === undefined ? {} : { namespace }, uid },
      status: intent,
    };
    return this.#write(kind, target, options, { ...applyPatch, body });
  }

  async #write(
    kind: Kind,
    { metadata: { name, namespace } }: KubeObject,
    { timeoutMs, signal }: StatusWriteOptions,
    { query, ...sent }: WriteSent,
  ): Promise<StatusWrite> {
    const path = `${pathOf(this.#collection(kind, namespace))}/${name}/status`;
    try {
      const answer = await this.#transport.request({
        ...sent,
        path,
        query: { ...query, ...writeQuery(statusFieldManager, timeoutMs) },
        timeoutMs,
        signal,
      });
      const object = this.#decode(kind, answer);
      const isSame = object.metadata.name === name && object.metadata.namespace === namespace;
      if (!isSame) return { outcome: "failed", message: "The answer is another object" };
      this.#remember(kind, objectKey(namespace, name), object);
      return { outcome: "ok", object };
    } catch (error) {
      return writeFailureOf(error);
    }
  }

  #newest(kind: Kind, key: ObjectKey): KubeObject | undefined {
    const cached = this.#cache.get(kind, key);
    const id = `${kind} ${key}`;
    const written = this.#written.get(id);
    if (written === undefined) return cached;
    const isPast = this.#clock.monotonicMs() - written.atMs >= memoryMs;
    const isAhead = cached !== undefined && cached.metadata.uid === written.object.metadata.uid &&
      isOlderVersion(cached.metadata.resourceVersion, written.object.metadata.resourceVersion);
    if (isAhead && !isPast) return written.object;
    this.#written.delete(id);
    return cached;
  }

  #remember(kind: Kind, key: ObjectKey, object: KubeObject): void {
    const id = `${kind} ${key}`;
    this.#written.delete(id);
    const nowMs = this.#clock.monotonicMs();
    this.#written.set(id, { object, atMs: nowMs });
    // The oldest come first. What is past is of no use to anybody, and ten thousand of them weigh.
    for (const [oldest, { atMs }] of this.#written) {
      if (this.#written.size <= memoryMax && nowMs - atMs < memoryMs) break;
      this.#written.delete(oldest);
    }
  }

  #decode(kind: Kind, answer: unknown): KubeObject {
    const { version } = this.#collection(kind, undefined);
    return slimObject(answer, { kind, apiVersion: apiVersionOf(kinds[kind], version) });
  }

  #pathOf(kind: Kind, key: ObjectKey): string {
    const { namespace, name } = parseObjectKey(key);
    return `${pathOf(this.#collection(kind, namespace))}/${name}`;
  }

  #collection(kind: Kind, namespace: string | undefined): Collection {
    const [preferred = "v1"]: readonly string[] = kinds[kind].versions;
    const version = this.#cache.states().get(kind)?.version ?? preferred;
    return { kind, version, ...namespace === undefined ? {} : { namespace } };
  }
}
