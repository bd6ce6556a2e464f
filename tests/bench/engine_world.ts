/**
 * A whole engine for benchmarks, as `weir serve` composes it, over a cluster in memory: feed, state,
 * status writers and a data plane on the machine's clock. What is written is counted.
 */

import { setImmediate } from "node:timers";
import { MetricsRegistry } from "../../src/base/metrics.ts";
import { systemClock } from "../../src/base/clock.ts";
import { noLog } from "../../src/base/log.ts";
import { decodeSettings } from "../../src/config/decode_settings.ts";
import { type Config, flags } from "../../src/config/flags.ts";
import { readArguments } from "../../src/config/read_arguments.ts";
import type { DataPlane } from "../../src/dataplane/data_plane.ts";
import { type GatewayMount, mountGateway } from "../../src/app/gateway_mount.ts";
import { localClusterWorld } from "../../src/app/manifests_world.ts";
import type { Kind } from "../../src/kube/kinds.ts";
import { keyOf, type KubeObject } from "../../src/kube/object.ts";
import { MemoryCluster } from "../../src/localkube/store.ts";
import type { Admission, ObjectInput, WriteResult } from "../../src/localkube/store_contract.ts";
import { controllerName } from "../fakes/gateway_objects.ts";
import { kindOf } from "../fakes/gateway_world.ts";
import type { HoldClock } from "./bench_report.ts";

/** A cluster that counts the statuses which are written to it. */
export class CountingCluster extends MemoryCluster {
  /** By `Kind namespace/name`: how often its status changed, and when first. */
  readonly written = new Map<string, { count: number; readonly firstMs: number }>();
  conflictCount = 0;

  constructor(admission: Admission) {
    super({ admission, clock: systemClock, newUid: () => crypto.randomUUID() });
  }

  override updateStatus(kind: Kind, input: ObjectInput): WriteResult {
    const result = super.updateStatus(kind, input);
    if (!result.ok) this.conflictCount += result.error.code === 409 ? 1 : 0;
    else if (result.changed) this.#note(`${kind} ${keyOf(result.object)}`);
    return result;
  }

  #note(name: string): void {
    const known = this.written.get(name);
    if (known) known.count++;
    else this.written.set(name, { count: 1, firstMs: performance.now() });
  }

  /** How many statuses were written, and the most of one object. */
  get writes(): { readonly count: number; readonly most: number } {
    const counts = [...this.written.values()].map(({ count }) => count);
    return { count: counts.reduce((sum, count) => sum + count, 0), most: Math.max(0, ...counts) };
  }

  /** Creates or updates, without what a server owns. Throws when it is refused. */
  put(object: KubeObject): void {
    const { name, namespace, labels, annotations } = object.metadata;
    const metadata = { name, ...namespace && { namespace }, ...labels && { labels } };
    const meta = annotations ? { ...metadata, annotations } : metadata;
    const result = this.apply(kindOf(object), { ...object, metadata: meta });
    if (!result.ok) throw new Error(result.error.message);
  }
}

/** Settings as the command line would give them. */
export function benchConfig(...args: readonly string[]): Config {
  const { layer } = readArguments(flags, [`--controller-name=${controllerName}`, ...args]);
  return decodeSettings(flags, [layer]).settings;
}

/** See the file's header. Runs from the start; disposing it ends it. */
export class EngineWorld implements AsyncDisposable {
  readonly cluster: CountingCluster;
  readonly mount: GatewayMount;
  /** When each commit was, monotonic milliseconds. */
  readonly commitsMs: number[] = [];
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  constructor(cluster: CountingCluster, dataPlane: DataPlane, config: Config) {
    this.cluster = cluster;
    this.mount = mountGateway({
      config,
      world: localClusterWorld(cluster, systemClock),
      dataPlane,
      registry: new MetricsRegistry(),
      clock: systemClock,
      log: noLog,
      random: () => Math.random(),
    });
    this.mount.engine.state.onCommit(() => this.commitsMs.push(performance.now()));
    this.#running = this.mount.subsystem.run(this.#stop.signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }
}

/** Resolves when `isDone` says so, which is asked every few milliseconds; throws after a minute. */
export async function until(isDone: () => boolean, what: string): Promise<void> {
  const deadlineMs = performance.now() + 60_000;
  while (!isDone()) {
    if (performance.now() > deadlineMs) throw new Error(`Waited a minute for ${what}`);
    await nextTurn(2);
  }
}

/** Lets the event loop go. */
export function nextTurn(ms = 0): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/**
 * Looks at every turn of the event loop, for how long it held it. No timers, which come up to 5 ms late
 * by themselves: it goes round without a pause.
 */
export class LoopProbe {
  /** Those that anybody would notice; of the many others the sum will do. */
  readonly #turns: number[] = [];
  #shortMs = 0;
  readonly #hold: HoldClock;
  #isOn = true;

  constructor(hold: HoldClock) {
    this.#hold = hold;
    this.#next(hold.now());
  }

  /** Ends it; what was seen. */
  stop(): LoopHolds {
    this.#isOn = false;
    return new LoopHolds(this.#turns, this.#shortMs);
  }

  #next(lastMs: number): void {
    setImmediate(() => {
      const nowMs = this.#hold.now();
      const turnMs = nowMs - lastMs;
      if (turnMs > noticedMs) this.#turns.push(turnMs);
      else this.#shortMs += turnMs;
      if (this.#isOn) this.#next(nowMs);
    });
  }
}

const noticedMs = 0.2;

/** For how long turns of the event loop held it, milliseconds. */
export class LoopHolds {
  readonly #turns: readonly number[];
  readonly #shortMs: number;

  /** @param shortMs what all turns took together that are too short to matter */
  constructor(turns: readonly number[], shortMs: number) {
    this.#turns = turns;
    this.#shortMs = shortMs;
  }

  get longest(): number {
    return this.#turns.reduce((longest, turn) => Math.max(longest, turn), 0);
  }

  /**
   * How long `share` of all events wait at most for the turn that is under way when they come, at
   * whatever time that is.
   */
  waitOf(share: number): number {
    const total = this.#turns.reduce((sum, turn) => sum + turn, this.#shortMs);
    // Of a turn's time so much as comes before its last `wait` waits longer than that.
    const longer = (wait: number): number =>
      this.#turns.reduce((sum, turn) => sum + Math.max(0, turn - wait), 0) / total;
    let [low, high] = [0, this.longest];
    for (let step = 0; step < 40; step++) {
      const middle = (low + high) / 2;
      if (longer(middle) > 1 - share) low = middle;
      else high = middle;
    }
    return high;
  }
}
