/**
 * A running State with its feed, a source in memory, a data plane and a clock in the test's hands.
 */

import type { Acknowledgement, DataPlane, Refusal } from "../../src/dataplane/data_plane.ts";
import type { DataPlaneConfig } from "../../src/dataplane/model.ts";
import { RegexCache } from "../../src/dataplane/regex.ts";
import { AddressPool } from "../../src/gateway/address_pool.ts";
import { PoolAddressProvider } from "../../src/gateway/address_provider.ts";
import type { OutputChanges } from "../../src/gateway/diff.ts";
import {
  Feed,
  type InputProblem,
  type ObjectHandler,
  type ObjectSource,
  slimCacheOf,
} from "../../src/gateway/feed.ts";
import { InputChanges } from "../../src/gateway/input_changes.ts";
import type { Outputs } from "../../src/gateway/outputs.ts";
import { State } from "../../src/gateway/state.ts";
import type { StateOptions } from "../../src/gateway/state_options.ts";
import { type Kind, kindNames } from "../../src/kube/kinds.ts";
import { keyOf, type KubeObject, type ObjectKey } from "../../src/kube/object.ts";
import { FakeClock } from "./fake_clock.ts";
import { controllerName, deepFreeze } from "./gateway_objects.ts";
import { kindOf, testCapabilities, toKey } from "./gateway_world.ts";

/**
 * Objects in memory; each put is a version of its own, as in a cluster. What is put before a kind is
 * followed is in its snapshot.
 */
class MemorySource implements ObjectSource {
  readonly #objects = new Map<Kind, Map<ObjectKey, KubeObject>>(
    kindNames.map((kind) => [kind, new Map()]),
  );
  readonly #handlers = new Map<Kind, ObjectHandler>();
  #version = 0;
  /** Kinds whose snapshot is held back until {@linkcode release}. */
  readonly #held = new Set<Kind>();

  /** Holds back the snapshot of a kind, as a slow list does. */
  hold(kind: Kind): void {
    this.#held.add(kind);
  }

  release(kind: Kind): void {
    this.#held.delete(kind);
    this.#handlers.get(kind)?.snapshot(this.list(kind));
  }

  /** Starts a kind over, as a watch does that fell too far behind. */
  resync(kind: Kind): void {
    this.#handlers.get(kind)?.snapshot(this.list(kind));
  }

  list(kind: Kind): readonly KubeObject[] {
    return [...this.#objects.get(kind)?.values() ?? []];
  }

  put(...objects: readonly KubeObject[]): void {
    for (const given of objects) {
      const kind = kindOf(given);
      const resourceVersion = `${++this.#version}`;
      const object = deepFreeze({ ...given, metadata: { ...given.metadata, resourceVersion } });
      this.#objects.get(kind)?.set(keyOf(object), object);
      if (!this.#held.has(kind)) this.#handlers.get(kind)?.upsert(object);
    }
  }

  delete(kind: Kind, key: string): void {
    const object = this.#objects.get(kind)?.get(toKey(key));
    if (!object) return;
    this.#objects.get(kind)?.delete(toKey(key));
    if (!this.#held.has(kind)) this.#handlers.get(kind)?.delete(object);
  }

  get(kind: Kind, key: ObjectKey): KubeObject | undefined {
    return this.#objects.get(kind)?.get(key);
  }

  async follow(kind: Kind, handler: ObjectHandler, signal: AbortSignal): Promise<void> {
    this.#handlers.set(kind, handler);
    if (!this.#held.has(kind)) handler.snapshot(this.list(kind));
    if (!signal.aborted) {
      await new Promise<void>((resolve) => {
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
    }
    this.#handlers.delete(kind);
  }
}

/** Acknowledges everything when the test lets it; keeps what it was given. */
export class RecordingDataPlane implements DataPlane {
  readonly name = "test";
  readonly applied: DataPlaneConfig[] = [];
  /** What each acknowledgement refuses from now on. */
  refusals: readonly Refusal[] = [];
  /** Applications at one time; more than one is a broken promise of the push. */
  concurrentMax = 0;
  #concurrent = 0;
  #gate: Promise<void> = Promise.resolve();

  /** Lets the next applications wait; the returned function lets them go on. */
  block(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#gate = promise;
    return () => {
      this.#gate = Promise.resolve();
      resolve();
    };
  }

  async apply(config: DataPlaneConfig): Promise<readonly Acknowledgement[]> {
    this.concurrentMax = Math.max(this.concurrentMax, ++this.#concurrent);
    this.applied.push(config);
    await this.#gate;
    this.#concurrent--;
    return [...config.gateways.values()].map((gateway) => ({
      gateway: gateway.key,
      config: gateway,
      listeners: [],
      refusals: this.refusals,
    }));
  }
}

/** Everything together; `run()` starts it. */
export class GatewayEngine {
  readonly clock: FakeClock;
  readonly source = new MemorySource();
  readonly provider: PoolAddressProvider;
  readonly state: State;
  readonly inputChanges: InputChanges;
  readonly feed: Feed;
  readonly problems: InputProblem[] = [];
  /** What was published, in order. */
  readonly published: { readonly changes: OutputChanges; readonly outputs: Outputs }[] = [];
  readonly #abort = new AbortController();
  #running: Promise<unknown> = Promise.resolve();

  constructor(options: Partial<StateOptions> & { readonly clock?: FakeClock } = {}) {
    this.clock = options.clock ?? new FakeClock();
    // 192.0.2.1 to 192.0.2.200
    const first = 0xc0000201n;
    this.provider = new PoolAddressProvider(
      new AddressPool([{ family: 4, first, last: first + 199n }]),
    );
    this.state = new State({
      clock: this.clock,
      filter: { controllerName },
      dataPlane: testCapabilities,
      regexes: new RegexCache(),
      slimCache: slimCacheOf(this.source),
      addresses: this.provider,
      check: "all",
      ...options,
    });
    this.inputChanges = new InputChanges(this.state);
    this.feed = new Feed({
      source: this.source,
      target: this.inputChanges.target,
      kinds: kindNames,
      clock: this.clock,
      onProblem: (problem) => this.problems.push(problem),
      observe: (kind, object) => {
        if (kind === "Gateway") this.provider.observe(object);
      },
    });
    this.state.onCommit((changes, outputs) => this.published.push({ changes, outputs }));
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Starts feed and state, and whatever else shall run with them. */
  async run(...others: readonly { run(signal: AbortSignal): Promise<void> }[]): Promise<void> {
    const { signal } = this;
    this.#running = Promise.all(
      [this.state, this.feed, ...others].map((part) => part.run(signal)),
    );
    await this.clock.settle();
  }

  /** Lets the quiet time pass as often as acknowledgements need it. */
  async settle(): Promise<Outputs> {
    for (let round = 0; round < 4; round++) await this.clock.advance(25);
    return this.state.outputs;
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#running;
  }
}
