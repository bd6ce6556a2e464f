/**
 * The in-memory cluster: what the API server and etcd are to a real one.
 *
 * One resourceVersion counter for all kinds; each change takes the next number and is one event.
 * Every write is one synchronous step: checked whole, then committed, then told to watchers. An
 * object that was handed out is never mutated. Deletes are immediate: finalizers are kept as data,
 * because nobody acts on them. Namespaces come and go with their objects (namespace_users.ts).
 */

import { type Clock, toTimestamp } from "../base/clock.ts";
import { asList } from "../kube/json_value.ts";
import { KindTable } from "../kube/kind_table.ts";
import { type Kind, kinds } from "../kube/kinds.ts";
import {
  keyOf,
  type KubeObject,
  type ObjectKey,
  objectKey,
  parseObjectKey,
} from "../kube/object.ts";
import { EventHistory } from "./event_history.ts";
import { implicitNamespace, NamespaceUsers } from "./namespace_users.ts";
import * as errors from "./status_errors.ts";
import type {
  Admission,
  LocalCluster,
  ObjectInput,
  StatusError,
  StopWatch,
  WatchEvent,
  WriteOptions,
  WriteResult,
} from "./store_contract.ts";
import {
  atVersion,
  deepFreeze,
  newObject,
  replaceAllButStatus,
  replaceStatus,
  withStatusOf,
} from "./stored_object.ts";
import {
  defaultStoreLimits,
  type MemoryClusterOptions,
  type StoreLimits,
} from "./store_options.ts";
import { WatchHub } from "./watch_hub.ts";
import { replayFrom } from "./watch_start.ts";
import { refused, written } from "./write_result.ts";
import {
  type CheckedWrite,
  checkWrite,
  findStale,
  findWrongForm,
  isSet,
  namedKey,
  type RefusedWrite,
} from "./write_check.ts";

/** Of an empty cluster; `0` would mean "any" to clients. */
const firstVersion = 1;

/** See the file's header, and {@linkcode LocalCluster}. */
export class MemoryCluster implements LocalCluster {
  readonly #admission: Admission;
  readonly #clock: Clock;
  readonly #newUid: () => string;
  readonly #limits: StoreLimits;
  readonly #freezesObjects: boolean;
  readonly #tables = new Map<Kind, KindTable>();
  readonly #history: EventHistory;
  readonly #hub = new WatchHub();
  readonly #namespaces = new NamespaceUsers();
  #version = firstVersion;

  constructor(options: MemoryClusterOptions) {
    this.#admission = options.admission;
    this.#clock = options.clock;
    this.#newUid = options.newUid;
    this.#limits = { ...defaultStoreLimits, ...options.limits };
    this.#freezesObjects = options.freezesObjects ?? false;
    this.#history = new EventHistory(this.#limits.historyMax, firstVersion);
  }

  list(
    kind: Kind,
    namespace?: string,
  ): { readonly items: readonly KubeObject[]; readonly resourceVersion: string } {
    return { items: this.#table(kind).list(namespace), resourceVersion: this.resourceVersion };
  }

  /** The version of the newest change of any kind. */
  get resourceVersion(): string {
    return String(this.#version);
  }

  get(kind: Kind, key: ObjectKey): KubeObject | undefined {
    return this.#table(kind).get(key);
  }

  create(kind: Kind, input: ObjectInput, options: WriteOptions = {}): WriteResult {
    return this.#told(this.#create(kind, input, options));
  }

  update(kind: Kind, input: ObjectInput, options: WriteOptions = {}): WriteResult {
    return this.#told(this.#update(kind, input, options));
  }

  updateStatus(kind: Kind, input: ObjectInput, options: WriteOptions = {}): WriteResult {
    return this.#told(this.#updateStatus(kind, input, options));
  }

  apply(kind: Kind, input: ObjectInput): WriteResult {
    const { managedFields: _, ...metadata } = input.metadata;
    return this.#told(this.#apply(kind, { ...input, metadata }));
  }

  delete(kind: Kind, key: ObjectKey): WriteResult {
    return this.#told(this.#delete(kind, key));
  }

  watch(
    kind: Kind,
    fromResourceVersion: string,
    handler: (event: WatchEvent) => void,
  ): { readonly ok: true; readonly stop: StopWatch } | {
    readonly ok: false;
    readonly error: StatusError;
  } {
    const replay = replayFrom(this.#history, kind, fromResourceVersion, this.#version);
    if (!replay.ok) return replay;
    return { ok: true, stop: this.#hub.watch(kind, replay.entries, this.#version, handler) };
  }

  #create(kind: Kind, input: ObjectInput, options: WriteOptions = {}): WriteResult {
    const checked = this.#check(kind, input);
    if (!checked.ok) return checked;
    if (isSet(input.metadata.resourceVersion)) {
      const message = "resourceVersion should not be set on objects to be created";
      return refused(errors.badRequest(message));
    }
    const old = this.get(kind, checked.key);
    if (!old) return this.#insert(kind, checked, options);
    const { name } = old.metadata;
    if (kind === "Namespace" && this.#namespaces.isImplicit(name)) {
      return this.#replace(kind, old, checked, { ...options, takesTime: true });
    }
    return refused(errors.alreadyExists(kind, name));
  }

  #update(kind: Kind, input: ObjectInput, options: WriteOptions): WriteResult {
    const checked = this.#check(kind, input);
    if (!checked.ok) return checked;
    const old = this.get(kind, checked.key);
    if (!old) return refused(errors.notFound(kind, checked.meta.name));
    const stale = findStale(kind, input, old);
    return stale ? refused(stale) : this.#replace(kind, old, checked, options);
  }

  #updateStatus(kind: Kind, input: ObjectInput, options: WriteOptions): WriteResult {
    if (!kinds[kind].hasStatus) return refused(errors.noSuchResource());
    const wrongForm = findWrongForm(kind, input, this.#limits.objectBytesMax);
    if (wrongForm) return refused(wrongForm);
    const old = this.get(kind, namedKey(input));
    if (!old) return refused(errors.notFound(kind, String(input.metadata.name)));
    const stale = findStale(kind, input, old);
    if (stale) return refused(stale);
    const admitted = this.#admission.admit(kind, withStatusOf(old, input), old);
    if (!admitted.ok) return refused(errors.invalid(kind, old.metadata.name, admitted.causes));
    const fields = asList(input.metadata.managedFields);
    const object = replaceStatus(old, admitted.object.status, fields);
    return this.#commitChange(kind, old, object, admitted.warnings, options);
  }

  #apply(kind: Kind, input: ObjectInput): WriteResult {
    const checked = this.#check(kind, input);
    if (!checked.ok) return checked;
    const old = this.get(kind, checked.key);
    if (!old) return this.#insert(kind, checked, {});
    const stale = findStale(kind, input, old);
    return stale ? refused(stale) : this.#replace(kind, old, checked, { takesTime: true });
  }

  /** A Namespace that objects are in stays, as if nobody had ever written it. */
  #delete(kind: Kind, key: ObjectKey): WriteResult {
    const old = this.get(kind, key);
    const { name } = parseObjectKey(key);
    if (!old) return refused(errors.notFound(kind, name));
    if (kind === "Namespace" && this.#namespaces.isUsed(name)) return this.#makeImplicit(old);
    const last = this.#remove(kind, old);
    const { namespace } = old.metadata;
    if (namespace !== undefined && this.#namespaces.leave(namespace)) {
      const empty = this.get("Namespace", objectKey(undefined, namespace));
      if (empty) this.#remove("Namespace", empty);
    }
    return { ok: true, object: last, changed: true };
  }

  #check(kind: Kind, input: ObjectInput): CheckedWrite | RefusedWrite {
    return checkWrite(kind, input, this.#limits.objectBytesMax, this.#admission);
  }

  #insert(kind: Kind, { draft, meta }: CheckedWrite, { isDryRun }: WriteOptions): WriteResult {
    const admitted = this.#admission.admit(kind, draft, undefined);
    if (!admitted.ok) return refused(errors.invalid(kind, meta.name, admitted.causes));
    const countMax = this.#limits.objectsPerKindMax;
    if (this.#table(kind).size >= countMax) {
      return refused(errors.quotaExceeded(kind, meta.name, countMax));
    }
    const missing = isDryRun ? undefined : this.#ensureNamespace(meta.namespace);
    if (missing) return missing;
    const object = newObject(kind, admitted.object, meta, {
      uid: this.#newUid(),
      resourceVersion: isDryRun ? this.resourceVersion : this.#nextVersion(),
      creationTimestamp: toTimestamp(this.#clock.now()),
    });
    if (isDryRun) return written(object, true, admitted.warnings);
    if (meta.namespace !== undefined) this.#namespaces.enter(meta.namespace);
    this.#commit("ADDED", kind, object);
    return written(object, true, admitted.warnings);
  }

  #replace(
    kind: Kind,
    old: KubeObject,
    { draft, meta }: CheckedWrite,
    options: WriteOptions & { takesTime?: boolean },
  ): WriteResult {
    const admitted = this.#admission.admit(kind, draft, old);
    if (!admitted.ok) return refused(errors.invalid(kind, meta.name, admitted.causes));
    if (kind === "Namespace" && !options.isDryRun) this.#namespaces.markExplicit(meta.name);
    const object = replaceAllButStatus(kind, old, admitted.object, meta, !options.takesTime);
    return this.#commitChange(kind, old, object, admitted.warnings, options);
  }

  #commitChange(
    kind: Kind,
    old: KubeObject,
    object: KubeObject,
    warnings: readonly string[],
    { isDryRun }: WriteOptions,
  ): WriteResult {
    if (object === old) return written(old, false, warnings);
    if (isDryRun) return written(object, true, warnings);
    const stored = atVersion(object, this.#nextVersion());
    this.#commit("MODIFIED", kind, stored);
    return written(stored, true, warnings);
  }

  #remove(kind: Kind, old: KubeObject): KubeObject {
    const last = atVersion(old, this.#nextVersion());
    this.#commit("DELETED", kind, last);
    return last;
  }

  /** Makes the Namespace that an object is about to enter, or says why it cannot be made. */
  #ensureNamespace(name: string | undefined): WriteResult | undefined {
    if (name === undefined || this.get("Namespace", objectKey(undefined, name))) return undefined;
    this.#namespaces.markImplicit(name);
    const made = this.#create("Namespace", implicitNamespace(name));
    if (made.ok) return undefined;
    this.#namespaces.markExplicit(name);
    return made;
  }

  #makeImplicit({ metadata: { name } }: KubeObject): WriteResult {
    const made = this.#apply("Namespace", implicitNamespace(name));
    if (made.ok) this.#namespaces.markImplicit(name);
    return made;
  }

  /** Tells watchers, now that all of the write is committed. */
  #told(result: WriteResult): WriteResult {
    this.#hub.deliver();
    return result;
  }

  #table(kind: Kind): KindTable {
    const table = this.#tables.get(kind) ?? new KindTable();
    this.#tables.set(kind, table);
    return table;
  }

  #nextVersion(): string {
    this.#version += 1;
    return String(this.#version);
  }

  /** Nothing after it may fail. Watchers hear of it at the end of the whole write. */
  #commit(type: WatchEvent["type"], kind: Kind, object: KubeObject): void {
    if (this.#freezesObjects) deepFreeze(object);
    const previous = type === "MODIFIED" ? this.get(kind, keyOf(object)) : undefined;
    if (type === "DELETED") this.#table(kind).delete(keyOf(object));
    else this.#table(kind).set(object);
    const event = { type, kind, object, ...(previous ? { previous } : {}) };
    const entry = { resourceVersion: this.#version, event };
    this.#history.add(entry);
    this.#hub.publish(entry);
  }
}
