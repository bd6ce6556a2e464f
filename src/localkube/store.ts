/**
 * The in-memory cluster: what the API server and etcd are to a real one.
 *
 * One resourceVersion counter for all kinds; each change takes the next number and is one event.
 * Every write is one synchronous step: checked whole, then committed, then told to watchers. An
 * object that was handed out is never mutated. Deletes are immediate: finalizers are kept as data,
 * because nobody acts on them. Namespaces come and go with their objects (namespace_users.ts); Events
 * need none, go with theirs, and are few: the one that was written the longest time ago makes room.
 */

import { type Clock, toTimestamp } from "../base/clock.ts";
import { asList } from "../kube/json_value.ts";
import { type StoredKind, storedKinds } from "../kube/kinds.ts";
import { type KubeObject, type ObjectKey, objectKey, parseObjectKey } from "../kube/object.ts";
import { CommittedObjects } from "./committed_objects.ts";
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

/** See the file's header, and {@linkcode LocalCluster}. */
export class MemoryCluster implements LocalCluster {
  readonly #admission: Admission;
  readonly #clock: Clock;
  readonly #newUid: () => string;
  readonly #limits: StoreLimits;
  readonly #objects: CommittedObjects;
  readonly #namespaces = new NamespaceUsers();
  #droppedEventCount = 0;

  constructor(options: MemoryClusterOptions) {
    this.#admission = options.admission;
    this.#clock = options.clock;
    this.#newUid = options.newUid;
    this.#limits = { ...defaultStoreLimits, ...options.limits };
    this.#objects = new CommittedObjects({
      historyMax: this.#limits.historyMax,
      freezesObjects: options.freezesObjects ?? false,
    });
  }

  list(
    kind: StoredKind,
    namespace?: string,
  ): { readonly items: readonly KubeObject[]; readonly resourceVersion: string } {
    const { resourceVersion } = this;
    return { items: this.#objects.table(kind).list(namespace), resourceVersion };
  }

  /** The version of the newest change of any kind. */
  get resourceVersion(): string {
    return this.#objects.version;
  }

  /** Events that made room for others before anybody deleted them. */
  get droppedEventCount(): number {
    return this.#droppedEventCount;
  }

  get(kind: StoredKind, key: ObjectKey): KubeObject | undefined {
    return this.#objects.table(kind).get(key);
  }

  create(kind: StoredKind, input: ObjectInput, options: WriteOptions = {}): WriteResult {
    return this.#told(this.#create(kind, input, options));
  }

  update(kind: StoredKind, input: ObjectInput, options: WriteOptions = {}): WriteResult {
    return this.#told(this.#update(kind, input, options));
  }

  updateStatus(kind: StoredKind, input: ObjectInput, options: WriteOptions = {}): WriteResult {
    return this.#told(this.#updateStatus(kind, input, options));
  }

  apply(kind: StoredKind, input: ObjectInput): WriteResult {
    const { managedFields: _, ...metadata } = input.metadata;
    return this.#told(this.#apply(kind, { ...input, metadata }));
  }

  delete(kind: StoredKind, key: ObjectKey): WriteResult {
    return this.#told(this.#delete(kind, key));
  }

  watch(
    kind: StoredKind,
    fromResourceVersion: string,
    handler: (event: WatchEvent) => void,
  ): { readonly ok: true; readonly stop: StopWatch } | {
    readonly ok: false;
    readonly error: StatusError;
  } {
    return this.#objects.watch(kind, fromResourceVersion, handler);
  }

  #create(kind: StoredKind, input: ObjectInput, options: WriteOptions = {}): WriteResult {
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

  #update(kind: StoredKind, input: ObjectInput, options: WriteOptions): WriteResult {
    const checked = this.#check(kind, input);
    if (!checked.ok) return checked;
    const old = this.get(kind, checked.key);
    if (!old) return refused(errors.notFound(kind, checked.meta.name));
    const stale = findStale(kind, input, old);
    return stale ? refused(stale) : this.#replace(kind, old, checked, options);
  }

  #updateStatus(kind: StoredKind, input: ObjectInput, options: WriteOptions): WriteResult {
    if (!storedKinds[kind].hasStatus) return refused(errors.noSuchResource());
    const wrongForm = findWrongForm(kind, input, this.#limits.objectBytesMax);
    if (wrongForm) return refused(wrongForm);
    const old = this.get(kind, namedKey(input));
    if (!old) return refused(errors.notFound(kind, String(input.metadata.name)));
    const stale = findStale(kind, input, old);
    if (stale) return refused(stale);
    const admitted = this.#admission.admit(kind, withStatusOf(old, input), old);
    if (!admitted.ok) {
      return refused(errors.invalid(kind, old.metadata.name, admitted.causes), admitted.warnings);
    }
    const fields = asList(input.metadata.managedFields);
    const object = replaceStatus(old, admitted.object.status, fields);
    return this.#commitChange(kind, old, object, admitted.warnings, options);
  }

  #apply(kind: StoredKind, input: ObjectInput): WriteResult {
    const checked = this.#check(kind, input);
    if (!checked.ok) return checked;
    const old = this.get(kind, checked.key);
    if (!old) return this.#insert(kind, checked, {});
    const stale = findStale(kind, input, old);
    return stale ? refused(stale) : this.#replace(kind, old, checked, { takesTime: true });
  }

  /** A Namespace that objects are in stays, as if nobody had ever written it. */
  #delete(kind: StoredKind, key: ObjectKey): WriteResult {
    const old = this.get(kind, key);
    const { name } = parseObjectKey(key);
    if (!old) return refused(errors.notFound(kind, name));
    if (kind === "Namespace" && this.#namespaces.isUsed(name)) return this.#makeImplicit(old);
    if (kind === "Namespace") this.#removeEventsIn(name);
    const last = this.#objects.remove(kind, old);
    const { namespace } = old.metadata;
    const isLast = namespace !== undefined && kind !== "Event" && this.#namespaces.leave(namespace);
    if (isLast) {
      this.#removeEventsIn(namespace);
      const empty = this.get("Namespace", objectKey(undefined, namespace));
      if (empty) this.#objects.remove("Namespace", empty);
    }
    return { ok: true, object: last, changed: true };
  }

  #removeEventsIn(namespace: string): void {
    const { items } = this.list("Event", namespace);
    for (const event of items) this.#objects.remove("Event", event);
  }

  #check(kind: StoredKind, input: ObjectInput): CheckedWrite | RefusedWrite {
    return checkWrite(kind, input, this.#limits.objectBytesMax, this.#admission);
  }

  #insert(
    kind: StoredKind,
    { draft, meta }: CheckedWrite,
    { isDryRun }: WriteOptions,
  ): WriteResult {
    const admitted = this.#admission.admit(kind, draft, undefined);
    if (!admitted.ok) {
      return refused(errors.invalid(kind, meta.name, admitted.causes), admitted.warnings);
    }
    const isEvent = kind === "Event";
    const countMax = this.#limits.objectsPerKindMax;
    if (!isEvent && this.#objects.table(kind).size >= countMax) {
      return refused(errors.quotaExceeded(kind, meta.name, countMax));
    }
    const missing = isDryRun || isEvent ? undefined : this.#ensureNamespace(meta.namespace);
    if (missing) return missing;
    if (isEvent && !isDryRun) this.#makeRoomForEvent();
    const object = newObject(kind, admitted.object, meta, {
      uid: this.#newUid(),
      resourceVersion: isDryRun ? this.resourceVersion : this.#objects.nextVersion(),
      creationTimestamp: toTimestamp(this.#clock.now()),
    });
    if (isDryRun) return written(object, true, admitted.warnings);
    if (meta.namespace !== undefined && !isEvent) this.#namespaces.enter(meta.namespace);
    this.#objects.commit("ADDED", kind, object);
    return written(object, true, admitted.warnings);
  }

  #makeRoomForEvent(): void {
    const table = this.#objects.table("Event");
    if (table.size < this.#limits.eventsMax) return;
    const oldest = table.longestUnwritten();
    if (!oldest) return;
    this.#objects.remove("Event", oldest);
    this.#droppedEventCount++;
  }

  #replace(
    kind: StoredKind,
    old: KubeObject,
    { draft, meta }: CheckedWrite,
    options: WriteOptions & { takesTime?: boolean },
  ): WriteResult {
    const admitted = this.#admission.admit(kind, draft, old);
    if (!admitted.ok) {
      return refused(errors.invalid(kind, meta.name, admitted.causes), admitted.warnings);
    }
    if (kind === "Namespace" && !options.isDryRun) this.#namespaces.markExplicit(meta.name);
    const object = replaceAllButStatus(kind, old, admitted.object, meta, !options.takesTime);
    return this.#commitChange(kind, old, object, admitted.warnings, options);
  }

  #commitChange(
    kind: StoredKind,
    old: KubeObject,
    object: KubeObject,
    warnings: readonly string[],
    { isDryRun }: WriteOptions,
  ): WriteResult {
    if (object === old) return written(old, false, warnings);
    if (isDryRun) return written(object, true, warnings);
    const stored = atVersion(object, this.#objects.nextVersion());
    this.#objects.commit("MODIFIED", kind, stored);
    return written(stored, true, warnings);
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
    this.#objects.deliver();
    return result;
  }
}
