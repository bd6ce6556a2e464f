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
import { Turn } from "../base/turn.ts";
import { Wakeup } from "../base/wakeup.ts";
import type { Acknowledgement } from "../dataplane/data_plane.ts";
import type { ObjectOf } from "../kube/decode/decode.ts";
import { type Kind, kindNames } from "../kube/kinds.ts";
import { type ObjectKey, objectKey } from "../kube/object.ts";
import type { ApiBundle } from "./api_bundle.ts";
import { assignAddresses } from "./address_claims.ts";
import type { AddressProvider } from "./address_provider.ts";
import type { QueryView } from "./compute/query_view.ts";
import type { OutputChanges } from "./diff.ts";
import { type EngineMetrics, noEngineMetrics } from "./engine_metrics.ts";
import { EventSource } from "./event_source.ts";
import { InputDoor } from "./input_door.ts";
import type { AddressAssignment, InputReader } from "./input_reader.ts";
import type { PublishedOutputs } from "./incremental_outputs.ts";
import { Inputs, keyOfInput } from "./inputs.ts";
import { byStatusKind, type Outputs, type StatusKind, statusKinds } from "./outputs.ts";
import { Recomputer } from "./recomputer.ts";
import { RevisionWaiters } from "./revision_waiters.ts";
import type { StateOptions } from "./state_options.ts";
import { type InputEdit, WaitingChanges } from "./waiting_changes.ts";

/** Called after a commit with what changed and the new outputs. */
export type CommitCallback = (changes: OutputChanges, outputs: Outputs) => void;

/** See the file's header. */
export class State {
  readonly #clock: Clock;
  readonly #addresses: AddressProvider;
  readonly #metrics: EngineMetrics;
  readonly #quietMs: number;
  readonly #delayMaxMs: number;
  readonly #inputs = new Inputs();
  readonly #recomputer: Recomputer;
  /** Changes that came while a recompute was under way, or behind such ones. */
  readonly #waiting = new WaitingChanges();
  readonly #turn: Turn;
  readonly #door: InputDoor;
  readonly #unsynced: Set<Kind>;
  readonly #wakeup = new Wakeup();
  readonly #waiters = new RevisionWaiters();
  readonly #callbacks = new Set<CommitCallback>();
  readonly #events = byStatusKind(() => new EventSource<ObjectKey>());
  #hasPublished = false;
  #claimsRevision = 0;
  #changeCount = 0;
  #firstChangeMs = 0;
  #lastChangeMs = 0;

  constructor(options: StateOptions) {
    this.#clock = options.clock;
    this.#turn = new Turn(options.clock);
    this.#addresses = options.addresses;
    this.#metrics = options.metrics ?? noEngineMetrics;
    this.#quietMs = options.quietMs ?? 2;
    this.#delayMaxMs = options.delayMaxMs ?? 25;
    this.#recomputer = new Recomputer({
      clock: options.clock,
      inputs: this.#inputs,
      settings: {
        controllerName: options.filter.controllerName,
        ...(options.publishService === undefined ? {} : { publishService: options.publishService }),
        dataPlane: options.dataPlane,
        regexes: options.regexes,
      },
      metrics: this.#metrics,
      sliceMs: options.sliceMs ?? 4,
      check: options.check ?? "off",
      onDifference: options.onDifference ?? (() => {}),
    });
    this.#door = new InputDoor(this.#inputs, options.filter, options.slimCache);
    this.#unsynced = new Set(options.kinds ?? kindNames);
  }

  /** The revision of the inputs. */
  get revision(): number {
    return this.#inputs.revision;
  }

  /** The last published outputs; those of revision 0 before the gate opened. */
  get outputs(): Outputs {
    return this.#recomputer.outputs;
  }

  /** The inputs as they are now; valid until the next change. */
  get inputs(): InputReader & Pick<Inputs, "count" | "revisionOf"> {
    return this.#inputs;
  }

  /** Whether outputs have been published: the gate is open and the first recompute is done. */
  get hasPublished(): boolean {
    return this.#hasPublished;
  }

  /** Whether everything that was put in is accounted for in the outputs. */
  get isSettled(): boolean {
    return this.#waiting.size === 0 && this.#recomputer.isCurrent;
  }

  /** The kinds that the gate still waits for. */
  get unsyncedKinds(): readonly Kind[] {
    return [...this.#unsynced];
  }

  /** Keys of objects of `kind` whose wanted status changed. */
  statusEvents(kind: StatusKind): EventSource<ObjectKey> {
    return this.#events[kind];
  }

  /** The queries behind the outputs, for explain. */
  get view(): QueryView {
    return this.#recomputer.view;
  }

  /**
   * Puts an object in the place of what had its key. True when the revision moved, or will perhaps:
   * what comes during a recompute waits for its end, the newest for each key.
   */
  upsert<K extends Kind>(kind: K, object: ObjectOf[K]): boolean {
    return this.#transition(
      () => `${kind} ${keyOfInput(object)}`,
      () => this.#door.upsert(kind, object),
    );
  }

  /** Removes an object. True as for {@linkcode State.upsert}. */
  delete(kind: Kind, key: ObjectKey): boolean {
    return this.#transition(() => `${kind} ${key}`, () => this.#door.delete(kind, key));
  }

  /** Records addresses that a provider learnt by itself. True as for {@linkcode State.upsert}. */
  setAddresses(gateway: ObjectKey, assignment: AddressAssignment): boolean {
    return this.#transition(
      () => `addresses ${gateway}`,
      () => this.#inputs.setAddresses(gateway, assignment),
    );
  }

  /** Records which release of the Gateway API is installed. True as for {@linkcode State.upsert}. */
  setApiBundle(bundle: ApiBundle): boolean {
    return this.#transition(() => "Gateway API", () => this.#inputs.setApiBundle(bundle));
  }

  /**
   * Records what a data plane answered for a Gateway that it was asked to serve. What was said holds
   * as long as the published configuration has the Gateway, whatever becomes of the object meanwhile:
   * a data plane answers only when its part of the configuration changed. True as for
   * {@linkcode State.upsert}.
   */
  acknowledge(acknowledgement: Acknowledgement): boolean {
    const { gateway } = acknowledgement;
    return this.#transition(() => `acknowledgement ${gateway}`, () => {
      if (!this.outputs.dataPlane.gateways.has(gateway)) return false;
      const [namespace = "", name = ""] = gateway.split("/");
      return this.#inputs.setAcknowledgement(objectKey(namespace, name), acknowledgement);
    });
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
    if (this.#hasPublished && this.outputs.revision >= revision) {
      return Promise.resolve(this.outputs);
    }
    return this.#waiters.wait(revision, signal);
  }

  /** Resolves when outputs of everything that was put in up to now are published. */
  async settled(signal?: AbortSignal): Promise<Outputs> {
    // What waits for the end of a recompute has no revision before.
    await this.#waiting.whenEmpty(signal);
    return await this.outputsAtLeast(this.#inputs.revision, signal);
  }

  /** Recomputes whenever the inputs changed, until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      // Nobody signals before the gate is open.
      await this.#wakeup.wait(signal);
      if (this.#hasPublished) await this.#waitForQuiet(signal);
      if (!signal.aborted) await this.#recompute(signal);
    }
  }

  #transition(place: () => string, edit: InputEdit): boolean {
    if (!this.#recomputer.isRunning && this.#waiting.size === 0) return this.#edit(edit);
    this.#waiting.put(place(), edit);
    return true;
  }

  /** Synchronous: what `edit` does to the inputs is one step and one revision. */
  readonly #edit = (edit: InputEdit): boolean => {
    const before = this.#inputs.revision;
    this.#inputs.transaction(this.#clock.now(), edit);
    if (this.#inputs.revision === before) return false;
    const now = this.#clock.monotonicMs();
    if (this.#changeCount === 0) this.#firstChangeMs = now;
    this.#changeCount++;
    this.#lastChangeMs = now;
    if (this.#unsynced.size === 0) this.#wakeup.signal();
    return true;
  };

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

  async #recompute(signal: AbortSignal): Promise<void> {
    this.#assignAddresses();
    if (this.#hasPublished && this.#recomputer.isCurrent) return;
    const changeCount = this.#changeCount;
    this.#changeCount = 0;
    await this.#recomputer.run(signal, (published, durationMs) => {
      this.#hasPublished = true;
      this.#metrics.recomputed(durationMs, changeCount);
      this.#takeWaiting();
      this.#publish(published);
    });
    while (this.#waiting.size > 0) {
      await this.#turn.letGo(signal);
      this.#takeWaiting();
    }
    if (await this.#recomputer.sample(signal)) this.#wakeup.signal();
  }

  /** Usually all of it; thousands are taken in turns, and what comes meanwhile waits behind them. */
  #takeWaiting(): void {
    this.#waiting.take(this.#edit, () => this.#turn.isOver());
  }

  #publish({ outputs, changes }: PublishedOutputs): void {
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
    assignAddresses(this.#inputs, this.#addresses, this.#clock.now());
  }
}

function ignoreAbort(signal: AbortSignal): (error: unknown) => void {
  return (error) => {
    if (!signal.aborted) throw error;
  };
}
