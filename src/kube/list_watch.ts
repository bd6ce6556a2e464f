/**
 * Reads one collection of objects: whole, page by page, or as a stream of its events.
 *
 * A page that is larger than one answer may be is asked for in smaller ones. Events are handed out
 * one at a time, in the order of the server. Nothing is repeated here and nothing waits: what follows
 * a failure is the reflector's decision.
 */

import { ClusterError, clusterErrorOf } from "./cluster_error.ts";
import type { ClusterTransport } from "./cluster_transport.ts";
import { JsonLines } from "./json_lines.ts";
import { asNumber, asString, isRecord } from "./json_value.ts";
import { apiVersionOf, type Kind, type KindInfo, kinds } from "./kinds.ts";
import type { KubeObject } from "./object.ts";
import { itemsOf, slimObject } from "./slim_object.ts";

/** One collection: a kind in one served version, everywhere or in one namespace. */
export interface Collection {
  readonly kind: Kind;
  readonly version: string;
  readonly namespace?: string;
}

/** All objects of a collection at one resourceVersion. */
export interface ObjectList {
  readonly resourceVersion: string;
  readonly objects: readonly KubeObject[];
}

/** One event of a watch. */
export type ClusterEvent =
  | { readonly type: "upsert" | "delete"; readonly object: KubeObject }
  /** Nothing older than `resourceVersion` will come; maybe the end of the initial objects. */
  | { readonly type: "bookmark"; readonly resourceVersion: string; readonly endsInitial: boolean };

/** Where a watch begins. */
export type WatchStart =
  /** With what changed after this version. */
  | { readonly after: string }
  /** With all objects, then a bookmark that ends them, then changes (KEP-3157). */
  | "all";

/** The limits of reading. */
export interface ListWatchLimits {
  /** Objects of one page. */
  readonly pageObjects: number;
  /** Time for one page, milliseconds. */
  readonly pageMs: number;
  /** Objects of a whole list; beyond it the list is refused. */
  readonly objectsMax: number;
  /** One event, bytes. */
  readonly eventBytesMax: number;
  /** Until a watch is answered, milliseconds: a busy server lets them queue. */
  readonly openMs: number;
  /** Silence after which a watch counts as dead, milliseconds. Servers send bookmarks each minute. */
  readonly idleMs: number;
}

/** Limits for a server that is not known. */
export const defaultListWatchLimits: ListWatchLimits = {
  pageObjects: 500,
  pageMs: 60_000,
  objectsMax: 500_000,
  eventBytesMax: 16 << 20,
  openMs: 60_000,
  idleMs: 150_000,
};

/** There are more objects than may be read. */
export class TooManyObjectsError extends ClusterError {
  /** @param objectsMax how many may be read */
  constructor(objectsMax: number) {
    super("garbled", `There are more than ${objectsMax} objects`);
  }
}

/** A server that hands out empty pages for ever is not read for ever. */
const pagesMax = 1_000_000;

/** The path of a collection. */
export function pathOf({ kind, version, namespace }: Collection): string {
  const info: KindInfo = kinds[kind];
  const root = info.group === "" ? `/api/${version}` : `/apis/${info.group}/${version}`;
  return namespace === undefined
    ? `${root}/${info.plural}`
    : `${root}/namespaces/${namespace}/${info.plural}`;
}

/** See the file's header. */
export class ListWatch {
  readonly #transport: ClusterTransport;
  readonly #collection: Collection;
  readonly #limits: ListWatchLimits;
  readonly #names: { readonly kind: Kind; readonly apiVersion: string };

  constructor(transport: ClusterTransport, collection: Collection, limits: ListWatchLimits) {
    this.#transport = transport;
    this.#collection = collection;
    this.#limits = limits;
    const { kind, version } = collection;
    this.#names = { kind, apiVersion: apiVersionOf(kinds[kind], version) };
  }

  /** All objects, as of now: the server reads what is stored, not what it may have cached. */
  async list(signal: AbortSignal): Promise<ObjectList> {
    let limit = this.#limits.pageObjects;
    while (true) {
      try {
        return await this.#listPages(limit, signal);
      } catch (error) {
        const isTooLarge = error instanceof ClusterError && error.kind === "too-large";
        if (!isTooLarge || limit === 1) throw error;
        limit = Math.max(1, Math.floor(limit / 8));
      }
    }
  }

  /** The resourceVersion that the server is at now. Cheap. */
  async currentVersion(signal: AbortSignal): Promise<string> {
    const { resourceVersion } = await this.#readPage({ limit: "1" }, signal);
    return resourceVersion;
  }

  /**
   * The events from `start` until the server ends the stream properly.
   *
   * @param options.timeoutSeconds when the server shall end it
   * @param options.onOpen called when the server has agreed
   */
  async *watch(
    start: WatchStart,
    { timeoutSeconds, onOpen, signal }: {
      readonly timeoutSeconds: number;
      readonly onOpen: () => void;
      readonly signal: AbortSignal;
    },
  ): AsyncGenerator<ClusterEvent> {
    const stream = await this.#transport.open({
      path: pathOf(this.#collection),
      query: {
        watch: "1",
        allowWatchBookmarks: "true",
        timeoutSeconds: String(timeoutSeconds),
        ...start === "all"
          ? { sendInitialEvents: "true", resourceVersionMatch: "NotOlderThan" }
          : { resourceVersion: start.after },
      },
      timeoutMs: this.#limits.openMs,
      idleMs: this.#limits.idleMs,
      signal,
    });
    onOpen();
    const lines = new JsonLines(this.#limits.eventBytesMax);
    for await (const chunk of stream.chunks) {
      for (const line of lines.read(chunk)) yield this.#decodeEvent(line);
    }
    lines.end();
  }

  async #listPages(limit: number, signal: AbortSignal): Promise<ObjectList> {
    const objects: KubeObject[] = [];
    let next: string | undefined;
    for (let page = 0; page < pagesMax; page++) {
      const query = { limit: String(limit), ...next === undefined ? {} : { continue: next } };
      const { items, resourceVersion, next: rest } = await this.#readPage(query, signal);
      for (const item of items) objects.push(slimObject(item, this.#names));
      if (objects.length > this.#limits.objectsMax) {
        throw new TooManyObjectsError(this.#limits.objectsMax);
      }
      next = rest;
      if (next === undefined) return { resourceVersion, objects };
    }
    throw new ClusterError("garbled", `The list has more than ${pagesMax} pages`);
  }

  async #readPage(query: Readonly<Record<string, string>>, signal: AbortSignal): Promise<{
    readonly items: readonly unknown[];
    readonly resourceVersion: string;
    readonly next: string | undefined;
  }> {
    const answer = await this.#transport.request({
      path: pathOf(this.#collection),
      query,
      timeoutMs: this.#limits.pageMs,
      signal,
    });
    const metadata = isRecord(answer) && isRecord(answer.metadata) ? answer.metadata : {};
    const resourceVersion = asString(metadata.resourceVersion);
    if (!resourceVersion) throw new ClusterError("garbled", "The answer is not a list");
    const next = asString(metadata.continue) || undefined;
    return { items: itemsOf(answer), resourceVersion, next };
  }

  #decodeEvent(line: unknown): ClusterEvent {
    const { type, object } = isRecord(line) ? line : {};
    if (!isRecord(object)) throw new ClusterError("garbled", "An event holds no object");
    switch (type) {
      case "ADDED":
      case "MODIFIED":
        return { type: "upsert", object: slimObject(object, this.#names) };
      case "DELETED":
        return { type: "delete", object: slimObject(object, this.#names) };
      case "BOOKMARK":
        return decodeBookmark(object);
      case "ERROR":
        throw clusterErrorOf(asNumber(object.code) ?? 500, object);
      default:
        throw new ClusterError("garbled", "An event is of no known type");
    }
  }
}

function decodeBookmark(object: Readonly<Record<string, unknown>>): ClusterEvent {
  const metadata = isRecord(object.metadata) ? object.metadata : {};
  const resourceVersion = asString(metadata.resourceVersion);
  if (!resourceVersion) throw new ClusterError("garbled", "A bookmark has no resourceVersion");
  const annotations = isRecord(metadata.annotations) ? metadata.annotations : {};
  const endsInitial = annotations["k8s.io/initial-events-end"] === "true";
  return { type: "bookmark", resourceVersion, endsInitial };
}
