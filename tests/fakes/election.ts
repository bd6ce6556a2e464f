/**
 * Replicas that elect a leader by a Lease on one server, each writing whenever its gate lets it, and
 * the promise that no two of them ever write at one moment.
 */

import { assert } from "@std/assert";
import { LeaseElector, type LeaseTiming } from "../../src/kube/lease_elector.ts";
import type { LeaseMetrics } from "../../src/kube/lease_metrics.ts";
import { FakeClock } from "./fake_clock.ts";
import { RecordingLog } from "./recording_log.ts";
import { type Fate, ReplicaMachine } from "./replica_machine.ts";
import { RestStore } from "./rest_store.ts";

/** The timing that is the default. */
export const defaultTiming: LeaseTiming = { leaseMs: 15_000, renewMs: 10_000, retryMs: 2_000 };

/** Where the Lease is. */
export const leasePath = "/apis/coordination.k8s.io/v1/namespaces/weir/leases/weir";

/** Counts nothing. */
export const noLeaseMetrics: LeaseMetrics = { transition() {}, request() {} };

/** The longest write, milliseconds. */
const writeMaxMs = 3_000;

/** One process that takes part. */
export class ElectionReplica {
  readonly name: string;
  readonly machine: ReplicaMachine;
  readonly elector: LeaseElector;
  readonly log = new RecordingLog();
  /** Until when a write of it may take effect, true milliseconds. */
  writesUntilMs = -Infinity;
  writeCount = 0;
  readonly #election: Election;
  readonly #stop = new AbortController();
  #mayWrite = true;
  #ended: Promise<void> | undefined;

  constructor(election: Election, name: string) {
    const { clock, store, random, timing } = election;
    this.#election = election;
    this.name = name;
    this.machine = new ReplicaMachine(clock, store, Math.floor(random() * 1e7));
    this.elector = new LeaseElector({
      transport: this.machine,
      place: { namespace: "weir", name: "weir" },
      identity: name,
      timing,
      metrics: noLeaseMetrics,
      clock: this.machine,
      random,
      log: this.log,
    });
  }

  start(): void {
    this.#ended = this.elector.run(this.#stop.signal);
    this.#write();
  }

  /** As at SIGTERM: writers end first, then the elector. */
  leave(): void {
    this.#mayWrite = false;
    const leftMs = Math.max(0, this.writesUntilMs - this.#election.clock.monotonicMs());
    this.machine.after(leftMs, () => this.#stop.abort());
  }

  /** Whether it still takes part. */
  get isThere(): boolean {
    return this.#mayWrite && !this.machine.isDead;
  }

  /** Whether it could write at this moment. */
  get canWrite(): boolean {
    return this.#mayWrite && this.machine.isRunning && this.elector.gate.isLeader();
  }

  /** Resolves when its run has ended. */
  async end(): Promise<void> {
    this.#mayWrite = false;
    this.#stop.abort();
    if (!this.machine.isDead) await this.#ended;
  }

  #write(): void {
    if (!this.#mayWrite) return;
    const { gate } = this.elector;
    if (gate.isLeader()) {
      const limitMs = Math.min(gate.remainingMs(), writeMaxMs * this.#election.random());
      this.#election.onWrite(this, limitMs);
    }
    this.machine.after(50 + 300 * this.#election.random(), () => this.#write());
  }
}

/** See the file's header. */
export class Election {
  readonly clock = new FakeClock();
  readonly store = new RestStore();
  readonly replicas: ElectionReplica[] = [];
  readonly random: () => number;
  readonly timing: LeaseTiming;
  writeCount = 0;

  constructor(random: () => number, timing: LeaseTiming = defaultTiming) {
    this.random = random;
    this.timing = timing;
  }

  /** One more process. */
  start(): ElectionReplica {
    const replica = new ElectionReplica(this, `replica-${this.replicas.length}`);
    this.replicas.push(replica);
    replica.start();
    return replica;
  }

  get present(): readonly ElectionReplica[] {
    return this.replicas.filter(({ isThere }) => isThere);
  }

  /** The replica that could write now. */
  get leader(): ElectionReplica | undefined {
    const able = this.replicas.filter(({ canWrite }) => canWrite);
    assert(able.length <= 1, `Several replicas may write: ${able.map(({ name }) => name)}`);
    return able[0];
  }

  /** A write begins that may take effect for `limitMs`. */
  onWrite(by: ElectionReplica, limitMs: number): void {
    const nowMs = this.clock.monotonicMs();
    for (const other of this.replicas) {
      if (other === by) continue;
      assert(
        other.writesUntilMs <= nowMs,
        `${by.name} writes at ${nowMs} while ${other.name} does, until ${other.writesUntilMs}`,
      );
      assert(!other.canWrite, `${by.name} writes at ${nowMs} and ${other.name} could`);
    }
    by.writesUntilMs = Math.max(by.writesUntilMs, nowMs + limitMs);
    by.writeCount++;
    this.writeCount++;
  }

  /** Lets time pass until somebody leads; the milliseconds that it took, at most `maxMs`. */
  async untilLed(maxMs: number): Promise<number> {
    const startMs = this.clock.monotonicMs();
    while (this.leader === undefined && this.clock.monotonicMs() - startMs < maxMs) {
      await this.clock.advance(50);
    }
    return this.clock.monotonicMs() - startMs;
  }

  /** Ends everything that still runs. */
  async end(): Promise<void> {
    for (const replica of this.replicas) {
      replica.machine.resume();
      replica.machine.fate = quick;
    }
    const ended = Promise.all(this.replicas.map((replica) => replica.end()));
    await this.clock.advance(10_000);
    await ended;
  }
}

/** A network without faults. */
export const quick = (): Fate => ({ requestMs: 1, answerMs: 1 });
