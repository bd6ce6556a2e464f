/**
 * The heart of the gateway control plane: all inputs, and the outputs that follow from them.
 *
 * Inputs change through `upsert`, `delete`, `setAddresses` and `acknowledge` only; the feed is the
 * one caller of the first two. Nothing is published before every kind has synced (the gate); then
 * exactly one recompute publishes the first outputs. Later changes are coalesced (a quiet time, at
 * most a maximum) and recomputed one at a time. A transition is synchronous; after its commit the
 * keys of what changed go to the event sources, then callbacks run, one at a time, in the order of
 * revisions. They may call any getter and any of the methods above.
 */

import type { Clock } from "../base/clock.ts";
import { invariant } from "../base/invariant.ts";
import { Wakeup } from "../base/wakeup.ts";
import type { Acknowledgement } from "../dataplane/data_plane.ts";
import { gatewayKey } from "../dataplane/model.ts";
import type { ObjectOf } from "../kube/decode/decode.ts";
import { type Kind, kindNames } from "../kube/kinds.ts";
import { type ObjectKey, objectKey, parseObjectKey } from "../kube/object.ts";
import type { AddressClaim, AddressProvider } from "./address_provider.ts";
import type { ComputeSettings } from "./compute/scratch_view.ts";
import type { OutputChanges } from "./diff.ts";
import { type EngineMetrics, noEngineMetrics } from "./engine_metrics.ts";
import { EventSource } from "./event_source.ts";
import { InputDoor, type InputFilter, type SlimCache } from "./input_door.ts";
import type { AddressAssignment, InputReader } from "./input_reader.ts";
import { Inputs } from "./inputs.ts";
import { noOutputs, type Outputs, type StatusKind, statusKinds } from "./outputs.ts";
import { recompute } from "./recompute.ts";
import { RevisionWaiters } from "./revision_waiters.ts";

/** How a State is built. */
export interface StateOptions extends Omit<ComputeSettings, "controllerName"> {
  readonly clock: Clock;
  readonly filter: InputFilter;
  /** Where objects that the filter kept out are read again when they become ours. */
  readonly slimCache: SlimCache;
  readonly addresses: AddressProvider;
  /** The gate opens when each of these has synced; all kinds when left out. */
  readonly kinds?: readonly Kind[];
  /** A recompute waits for this long without a change; 2 when left out. */
  readonly quietMs?: number;
  /** A recompute waits at most this long after the first change; 25 when left out. */
  readonly delayMaxMs?: number;
  readonly metrics?: EngineMetrics;
}

/** Called after a commit with what changed and the new outputs. */
export type CommitCallback = (changes: OutputChanges, outputs: Outputs) => void;

/** See the file's header. */
export class State {
  readonly #clock: Clock;
  readonly #settings: ComputeSettings;
  readonly #addresses: AddressProvider;
  readonly #metrics: EngineMetrics;
  readonly #quietMs: number;
  readonly #delayMaxMs: number;
  readonly #inputs = new Inputs();
  readonly #door: InputDoor;
  readonly #unsynced: Set<Kind>;
  readonly #wakeup = new Wakeup();
  readonly #waiters = new RevisionWaiters();
  readonly #callbacks = new Set<CommitCallback>();
  readonly #events: { readonly [K in StatusKind]: EventSource<ObjectKey> } = {
    GatewayClass: new EventSource(),
    Gateway: new EventSource(),
    HTTPRoute: new EventSource(),
  };
  #outputs: Outputs = noOutputs;
  #hasPublished = false;
  #claimsRevision = 0;
  #changeCount = 0;
  #firstChangeMs = 0;
  #lastChangeMs = 0;

  constructor(options: StateOptions) {
    this.#clock = options.clock;
    this.#settings = {
      controllerName: options.filter.controllerName,
      dataPlane: options.dataPlane,
      regexes: options.regexes,
    };
    this.#addresses = options.addresses;
    this.#metrics = options.metrics ?? noEngineMetrics;
    this.#quietMs = options.quietMs ?? 2;
    this.#delayMaxMs = options.delayMaxMs ?? 25;
    this.#door = new InputDoor(this.#inputs, options.filter, options.slimCache);
    this.#unsynced = new Set(options.kinds ?? kindNames);
  }

  /** The revision of the inputs. */
  get revision(): number {
    return this.#inputs.revision;
  }

  /** The last published outputs; those of revision 0 before the gate opened. */
  get outputs(): Outputs {
    return this.#outputs;
  }

  /** The inputs as they are now; valid until the next change. */
  get inputs(): InputReader & Pick<Inputs, "count" | "revisionOf"> {
    return this.#inputs;
  }

  /** Whether outputs have been published: the gate is open and the first recompute is done. */
  get hasPublished(): boolean {
    return this.#hasPublished;
  }

  /** The kinds that the gate still waits for. */
  get unsyncedKinds(): readonly Kind[] {
    return [...this.#unsynced];
  }

  /** Keys of objects of `kind` whose wanted status changed. */
  statusEvents(kind: StatusKind): EventSource<ObjectKey> {
    return this.#events[kind];
  }

  /** Puts an object in the place of what had its key. True when the revision moved. */
  upsert<K extends Kind>(kind: K, object: ObjectOf[K]): boolean {
    return this.#transition(() => this.#door.upsert(kind, object));
  }

  /** Removes an object. True when the revision moved. */
  delete(kind: Kind, key: ObjectKey): boolean {
    return this.#transition(() => this.#door.delete(kind, key));
  }

  /** Records addresses that a provider learnt by itself. True when the revision moved. */
  setAddresses(gateway: ObjectKey, assignment: AddressAssignment): boolean {
    return this.#transition(() => this.#inputs.setAddresses(gateway, assignment));
  }

  /**
   * Records what a data plane answered for a Gateway that it was asked to serve. What was said holds
   * as long as the published configuration has the Gateway, whatever becomes of the object meanwhile:
   * a data plane answers only when its part of the configuration changed. True when the revision
   * moved.
   */
  acknowledge(acknowledgement: Acknowledgement): boolean {
    if (!this.#outputs.dataPlane.gateways.has(acknowledgement.gateway)) return false;
    const [namespace = "", name = ""] = acknowledgement.gateway.split("/");
    const key = objectKey(namespace, name);
    return this.#transition(() => this.#inputs.setAcknowledgement(key, acknowledgement));
  }

  /** Says that every object of `kind` that there is has been upserted. */
  markSynced(kind: Kind): void {
    if (!this.#unsynced.delete(kind) || this.#unsynced.size > 0) return;
    this.#wakeup.signal();
  }

  /** Registers a callback; the returned function removes it. See the file's header. */
  onCommit(callback: CommitCallback): () => void {
    this.#callbacks.add(callback);
    return () => {
      this.#callbacks.delete(callback);
    };
  }

  /**
   * Resolves with the first published outputs whose revision is at least `revision`, and no earlier
   * than the first publication. Rejects with the signal's reason when it aborts first.
   */
  outputsAtLeast(revision: number, signal?: AbortSignal): Promise<Outputs> {
    if (this.#hasPublished && this.#outputs.revision >= revision) {
      return Promise.resolve(this.#outputs);
    }
    return this.#waiters.wait(revision, signal);
  }

  /** Resolves when outputs of everything that was put in up to now are published. */
  settled(signal?: AbortSignal): Promise<Outputs> {
    return this.outputsAtLeast(this.#inputs.revision, signal);
  }

  /** Recomputes whenever the inputs changed, until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      // Nobody signals before the gate is open.
      await this.#wakeup.wait(signal);
      if (this.#hasPublished) await this.#waitForQuiet(signal);
      if (!signal.aborted) this.#recompute();
    }
  }

  /** Synchronous: what `change` does to the inputs is one step. */
  #transition(change: () => boolean): boolean {
    const before = this.#inputs.revision;
    change();
    if (this.#inputs.revision === before) return false;
    const now = this.#clock.monotonicMs();
    if (this.#changeCount === 0) this.#firstChangeMs = now;
    this.#changeCount++;
    this.#lastChangeMs = now;
    if (this.#unsynced.size === 0) this.#wakeup.signal();
    return true;
  }

  /** One timer at a time, however many changes come meanwhile. */
  async #waitForQuiet(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const dueMs = Math.min(
        this.#lastChangeMs + this.#quietMs,
        this.#firstChangeMs + this.#delayMaxMs,
      );
      const waitMs = dueMs - this.#clock.monotonicMs();
      if (waitMs <= 0) return;
      await this.#clock.sleep(waitMs, signal).catch(ignoreAbort(signal));
    }
  }

  #recompute(): void {
    const startMs = this.#clock.monotonicMs();
    this.#assignAddresses();
    if (this.#hasPublished && this.#outputs.revision === this.#inputs.revision) return;
    const changeCount = this.#changeCount;
    this.#changeCount = 0;
    const { outputs, changes } = recompute(this.#inputs, this.#settings, this.#outputs);
    this.#outputs = outputs;
    this.#hasPublished = true;
    this.#inputs.collectAbsent(outputs.revision);
    this.#inputs.keepAcknowledgements((key) => isServed(outputs, key));
    this.#metrics.recomputed(this.#clock.monotonicMs() - startMs, changeCount);
    this.#publish(outputs, changes);
  }

  #publish(outputs: Outputs, changes: OutputChanges): void {
    for (const kind of statusKinds) {
      this.#events[kind].enqueue(changes.statuses[kind]);
      this.#metrics.eventSourceDepth(kind, this.#events[kind].depth);
    }
    for (const kind of kindNames) this.#metrics.inputCount(kind, this.#inputs.count(kind));
    for (const callback of [...this.#callbacks]) callback(changes, outputs);
    this.#waiters.resolve(outputs);
  }

  #assignAddresses(): void {
    if (this.#claimsRevision === this.#inputs.gatewaysRevision) return;
    this.#claimsRevision = this.#inputs.gatewaysRevision;
    const claims = this.#inputs.keys("Gateway").map((key) => claimOf(this.#inputs, key));
    for (const [key, assignment] of this.#addresses.assign(claims)) {
      this.#inputs.setAddresses(key, assignment);
    }
  }
}

function claimOf(inputs: Inputs, key: ObjectKey): AddressClaim {
  const gateway = inputs.get("Gateway", key);
  invariant(gateway, "A listed Gateway is there");
  return {
    key,
    uid: gateway.metadata.uid,
    creationTimestamp: gateway.metadata.creationTimestamp,
    requested: gateway.spec.addresses.filter(({ type }) => type === "IPAddress")
      .map(({ value }) => value),
  };
}

function isServed({ dataPlane }: Outputs, key: ObjectKey): boolean {
  const { namespace = "", name } = parseObjectKey(key);
  return dataPlane.gateways.has(gatewayKey(namespace, name));
}

function ignoreAbort(signal: AbortSignal): (error: unknown) => void {
  return (error) => {
    if (!signal.aborted) throw error;
  };
}
