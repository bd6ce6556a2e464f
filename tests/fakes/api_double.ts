/**
 * A small API server in memory that reads as the real one does and fails as it is told.
 *
 * It knows lists in pages, watches with bookmarks, streaming lists, discovery, tokens, reviews, rights
 * for each kind, CRDs that come and go, a history that ends, and a state that goes back. Tests put it behind a
 * transport or a socket, and change its objects by its methods or by requests (double_writes.ts). It
 * checks no schema.
 */

import { apiVersionOf, type Kind, type KindInfo, kindNames, kinds } from "../../src/kube/kinds.ts";
import { keyOf, type KubeObject, type ObjectKey, objectKey } from "../../src/kube/object.ts";
import { answer, type DoubleReply, type DoubleRequest, refusal, statusOf } from "./double_reply.ts";
import { DoubleStream } from "./double_stream.ts";
import { ReviewDouble } from "./review_double.ts";
import { DoubleWrites, type WriteTarget } from "./double_writes.ts";

/** What a request was for, for those who count. */
export interface SeenRequest {
  readonly type: "discovery" | "list" | "page" | "probe" | "watch" | "stream" | "get" | "write";
  readonly kind?: Kind;
  readonly query: URLSearchParams;
}

interface HistoryEvent {
  readonly version: number;
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly kind: Kind;
  readonly object: KubeObject;
}

/** See the file's header. */
export class ApiDouble {
  /** Answers a request in place of the server; undefined lets the server answer. */
  intercept: (request: DoubleRequest) => DoubleReply | undefined = () => undefined;
  /** Called after each write over HTTP. */
  onWrite: (request: DoubleRequest, reply: DoubleReply) => void = () => {};
  /** Namespaces on their way out: nothing is created there. */
  readonly terminating = new Set<string>();
  /** Whether watches can begin with all objects. */
  canStream = true;
  /** Whether a version that is too old is refused with HTTP 410 instead of an event. */
  expiresByCode = false;
  /** When set, only these bearer tokens are let in. */
  tokens: ReadonlySet<string> | undefined;
  readonly seen: SeenRequest[] = [];
  /** Kinds that may not be read; the rights to write are others. */
  readonly forbidden = new Set<Kind>();
  /** Whom the server knows besides weir itself. */
  readonly reviews = new ReviewDouble();
  /** The served version of each kind that there is. */
  readonly served = new Map<Kind, string>(
    kindNames.map((kind) => [kind, kinds[kind].versions[0] ?? "v1"]),
  );
  readonly #writes = new DoubleWrites({
    get: (kind, key) => this.#objectsOf(kind).get(key),
    store: (kind, object) => this.#commit(kind, object),
    remove: (kind, key) => this.remove(kind, key),
    newUid: () => `uid-${++this.#uidCount}`,
    isTerminating: (namespace) => this.terminating.has(namespace),
  });
  #objects = new Map<Kind, Map<ObjectKey, KubeObject>>();
  #version = 1;
  #uidCount = 0;
  /** Events up to this version are forgotten. */
  #compactedTo = 0;
  #history: HistoryEvent[] = [];
  readonly #pages = new Map<string, readonly KubeObject[]>();
  #pageCount = 0;
  #streams: { readonly kind: Kind; readonly namespace?: string; readonly stream: DoubleStream }[] =
    [];

  get version(): string {
    return String(this.#version);
  }

  /** All objects of `kind`, by key. */
  objects(kind: Kind): ReadonlyMap<ObjectKey, KubeObject> {
    return this.#objects.get(kind) ?? new Map();
  }

  /** The open watches of `kind`. */
  streams(kind: Kind): readonly DoubleStream[] {
    this.#streams = this.#streams.filter(({ stream }) => stream.isOpen);
    return this.#streams.filter((open) => open.kind === kind).map(({ stream }) => stream);
  }

  /** Creates or replaces an object; returns it as stored. */
  put(kind: Kind, name: string, more: PutFields = {}): KubeObject {
    const { namespace = "default", metadata = {}, ...fields } = more;
    const info: KindInfo = kinds[kind];
    const place: { readonly namespace?: string } = info.namespaced ? { namespace } : {};
    const before = this.#objectsOf(kind).get(objectKey(place.namespace, name));
    const object: KubeObject = {
      ...fields,
      apiVersion: apiVersionOf(info, this.served.get(kind)),
      kind,
      metadata: {
        name,
        ...place,
        uid: before?.metadata.uid ?? `uid-${++this.#uidCount}`,
        resourceVersion: "",
        creationTimestamp: "2026-01-01T00:00:00Z",
        ...metadata,
      },
    };
    return this.#commit(kind, object);
  }

  /** Stores `object` under the next version, and tells those who watch. */
  #commit(kind: Kind, input: KubeObject): KubeObject {
    const version = ++this.#version;
    const metadata = { ...input.metadata, resourceVersion: String(version) };
    const object: KubeObject = { ...input, metadata };
    const objects = this.#objectsOf(kind);
    const type = objects.has(keyOf(object)) ? "MODIFIED" : "ADDED";
    objects.set(keyOf(object), object);
    this.#record({ version, type, kind, object });
    return object;
  }

  /** Removes an object, if it is there. */
  remove(kind: Kind, key: ObjectKey): void {
    const object = this.#objectsOf(kind).get(key);
    if (object === undefined) return;
    this.#objectsOf(kind).delete(key);
    const metadata = { ...object.metadata, resourceVersion: String(++this.#version) };
    this.#record({
      version: this.#version,
      type: "DELETED",
      kind,
      object: { ...object, metadata },
    });
  }

  /** Forgets the history: whoever is behind has to list again, also in the middle of pages. */
  compact(): void {
    this.#version++;
    this.#compactedTo = this.#version;
    this.#history = [];
    this.#pages.clear();
  }

  /** A state that {@linkcode ApiDouble.restore} can go back to. */
  save(): () => void {
    const version = this.#version;
    const objects = new Map([...this.#objects].map(([kind, map]) => [kind, new Map(map)]));
    return () => {
      for (const { stream } of this.#streams) stream.cut();
      this.#objects = objects;
      this.#version = version;
      this.#history = [];
      this.#compactedTo = version;
      this.#pages.clear();
    };
  }

  /** The CRD of `kind` is gone, and its objects with it. */
  unserve(kind: Kind): void {
    for (const key of [...this.#objectsOf(kind).keys()]) this.remove(kind, key);
    this.served.delete(kind);
    for (const stream of this.streams(kind)) stream.end();
  }

  serve(kind: Kind): void {
    this.served.set(kind, kinds[kind].versions[0] ?? "v1");
  }

  /** Sends every open watch the version that it has seen everything of. */
  bookmark(): void {
    for (const { kind, stream } of this.#streams) this.#sendBookmark(kind, stream, {});
  }

  /** Answers one request. */
  handle(request: DoubleRequest): DoubleReply {
    const early = this.intercept(request);
    if (early) return early;
    if (this.tokens && !this.tokens.has(request.authorization?.replace("Bearer ", "") ?? "")) {
      return refusal(401, "Unauthorized");
    }
    const review = this.reviews.answer(request);
    if (review) return review;
    if (request.path === "/apis") return this.#listGroups();
    const target = this.#targetOf(request.path);
    if (target === undefined) return refusal(404, "NotFound");
    if (target.type === "discovery") return this.#discover(target.group, target.version, request);
    if (request.method !== "GET") return this.#write(request, target);
    if (this.forbidden.has(target.kind)) return refusal(403, "Forbidden");
    if (target.name !== undefined) return this.#get(target, request);
    return request.query.get("watch") === "1"
      ? this.#watch(target, request.query)
      : this.#list(target, request.query);
  }

  #discover(group: string, version: string, { query }: DoubleRequest): DoubleReply {
    this.seen.push({ type: "discovery", query });
    const names = kindNames.filter((kind) =>
      kinds[kind].group === group && this.served.get(kind) === version
    );
    if (names.length === 0) return refusal(404, "NotFound");
    const resources = names.map((kind) => ({ name: kinds[kind].plural, kind }));
    return answer({ kind: "APIResourceList", resources });
  }

  #listGroups(): DoubleReply {
    const groups = [...this.served].filter(([kind]) => kinds[kind].group !== "")
      .map(([kind, version]) => ({ name: kinds[kind].group, versions: [{ version }] }));
    return answer({ kind: "APIGroupList", groups });
  }

  #get({ kind, namespace, name = "" }: Target, { query }: DoubleRequest): DoubleReply {
    this.seen.push({ type: "get", kind, query });
    const object = this.#objectsOf(kind).get(objectKey(namespace, name));
    return object === undefined ? refusal(404, "NotFound") : answer(object);
  }

  #write(request: DoubleRequest, target: Target): DoubleReply {
    const { kind } = target;
    this.seen.push({ type: "write", kind, query: request.query });
    const reply = this.#writes.handle(request, target);
    this.onWrite(request, reply);
    return reply;
  }

  #list({ kind, namespace }: Target, query: URLSearchParams): DoubleReply {
    const limit = Number(query.get("limit") ?? 0);
    const token = query.get("continue");
    const type = token ? "page" : limit === 1 ? "probe" : "list";
    this.seen.push({ type, kind, query });
    const all = token === null ? this.#inNamespace(kind, namespace) : this.#pages.get(token);
    if (all === undefined) return refusal(410, "Expired");
    const version = token?.split("/")[0] ?? String(this.#version);
    const items = limit > 0 ? all.slice(0, limit) : all;
    const rest = all.slice(items.length);
    const next = rest.length > 0 ? `${version}/${++this.#pageCount}` : undefined;
    if (next !== undefined) this.#pages.set(next, rest);
    // Elements carry no type, as in lists of the real server's own kinds.
    const untyped = items.map(({ apiVersion: _a, kind: _k, ...object }) => object);
    const metadata = { resourceVersion: version, ...next === undefined ? {} : { continue: next } };
    return answer({ kind: `${kind}List`, apiVersion: "v1", metadata, items: untyped });
  }

  #watch({ kind, namespace }: Target, query: URLSearchParams): DoubleReply {
    const isStream = query.get("sendInitialEvents") === "true";
    this.seen.push({ type: isStream ? "stream" : "watch", kind, query });
    if (isStream && !this.canStream) {
      return refusal(422, "Invalid", {
        message: "sendInitialEvents is forbidden for watch unless the WatchList feature is enabled",
        causes: [{ reason: "FieldValueForbidden", field: "sendInitialEvents" }],
      });
    }
    const from = Number(query.get("resourceVersion") ?? 0);
    const isExpired = !isStream && from < this.#compactedTo;
    if (isExpired && this.expiresByCode) return refusal(410, "Expired");
    const stream = new DoubleStream();
    if (isExpired) {
      stream.sendEvent("ERROR", statusOf(410, "Expired"));
      stream.end();
      return { type: "stream", stream };
    }
    this.#streams.push({ kind, stream, ...namespace === undefined ? {} : { namespace } });
    if (isStream) {
      for (const object of this.#inNamespace(kind, namespace)) stream.sendEvent("ADDED", object);
      this.#sendBookmark(kind, stream, { "k8s.io/initial-events-end": "true" });
    } else {
      const missed = this.#history.filter((event) => event.version > from && event.kind === kind);
      for (const { type, object } of missed) {
        if (isIn(object, namespace)) stream.sendEvent(type, object);
      }
      stream.from = from;
    }
    return { type: "stream", stream };
  }

  #sendBookmark(kind: Kind, stream: DoubleStream, annotations: Record<string, string>): void {
    stream.sendEvent("BOOKMARK", {
      kind,
      apiVersion: apiVersionOf(kinds[kind], this.served.get(kind)),
      metadata: { resourceVersion: String(this.#version), annotations },
    });
  }

  #record(event: HistoryEvent): void {
    this.#history.push(event);
    for (const { kind, namespace, stream } of this.#streams) {
      // As in the real server: who asks for what comes after a future version waits until then.
      if (kind !== event.kind || event.version <= stream.from) continue;
      if (isIn(event.object, namespace)) stream.sendEvent(event.type, event.object);
    }
  }

  #objectsOf(kind: Kind): Map<ObjectKey, KubeObject> {
    let map = this.#objects.get(kind);
    if (!map) this.#objects.set(kind, map = new Map());
    return map;
  }

  #inNamespace(kind: Kind, namespace: string | undefined): readonly KubeObject[] {
    return [...this.#objectsOf(kind).values()].filter((object) => isIn(object, namespace));
  }

  #targetOf(path: string): Target | DiscoveryTarget | undefined {
    const match =
      /^\/(?:api|apis\/([^/]+))\/([^/]+)(?:\/namespaces\/([^/]+)(?=\/))?(?:\/([^/]+)(?:\/([^/]+)(?:\/(status))?)?)?$/
        .exec(path);
    if (!match) return undefined;
    const [, group = "", version = "", namespace, plural, name, subresource] = match;
    if (plural === undefined) return { type: "discovery", group, version };
    const kind = kindNames.find((name) =>
      kinds[name].group === group && kinds[name].plural === plural &&
      this.served.get(name) === version
    );
    if (kind === undefined) return undefined;
    return {
      type: "collection",
      kind,
      ...namespace === undefined ? {} : { namespace },
      ...name === undefined ? {} : { name },
      ...subresource === undefined ? {} : { subresource },
    };
  }
}

/** What `put` is given besides a name. */
export interface PutFields {
  readonly namespace?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

interface Target extends WriteTarget {
  readonly type: "collection";
}

interface DiscoveryTarget {
  readonly type: "discovery";
  readonly group: string;
  readonly version: string;
}

function isIn(object: KubeObject, namespace: string | undefined): boolean {
  return namespace === undefined || object.metadata.namespace === namespace;
}
