/**
 * Makes one replica of many the leader, by a Lease: the loop around the pure view and the client.
 *
 * It promises that at no moment two replicas find their gate open. The gate is open for the renew
 * deadline after the START of the last request that wrote the Lease as ours; everybody else waits a
 * whole lease duration after seeing that write, which is later and longer. So it neither matters when
 * answers arrive, nor whether a request is carried out late (its resourceVersion is then old), nor
 * what wall clocks say. What no replica can know is a leader that it never saw before the server forgot
 * it: when the Lease is deleted by hand while a replica starts, or the server's state is set back in
 * the second in which somebody took the Lease.
 *
 * When it is told to stop it shuts the gate, then gives the Lease back, so that another replica need
 * not wait: writers have to have stopped before.
 */

import type { Clock } from "../base/clock.ts";
import { invariant } from "../base/invariant.ts";
import type { Logger } from "../base/log.ts";
import type { ClusterTransport } from "./cluster_transport.ts";
import { LeaseClient, type LeaseFailure, type LeaseWrite } from "./lease_client.ts";
import { LeaseGate, type Moment, momentOf } from "./lease_gate.ts";
import type { LeaseMetrics } from "./lease_metrics.ts";
import type { LeasePlace, LeaseRecord } from "./lease_record.ts";
import { LeaseStory } from "./lease_story.ts";
import {
  computeLeaseStep,
  computeLeaseView,
  computeRivalView,
  type LeaseView,
  nothingSeen,
} from "./lease_view.ts";
import type { LeaderGate } from "./leader_gate.ts";

/** How long what lasts, milliseconds; each is longer than the next. */
export interface LeaseTiming {
  /** After a renewal that others saw until they take the Lease. Whole seconds. */
  readonly leaseMs: number;
  /** After the start of a renewal until this replica stops to write. */
  readonly renewMs: number;
  /** Between two renewals. */
  readonly retryMs: number;
}

/** What an elector is built from. */
export interface LeaseElectorOptions {
  /** Nobody who may have to wait shares it: a renewal has to go at once. */
  readonly transport: ClusterTransport;
  readonly place: LeasePlace;
  /** Of this process and no other, ever. */
  readonly identity: string;
  readonly timing: LeaseTiming;
  readonly metrics: LeaseMetrics;
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly log: Logger;
}

/** The limit for giving the Lease back, milliseconds: a process that stops has little time. */
const releaseMs = 2_000;
/** As short as the API can say: the next holder need not wait even if it ignores that it is free. */
const releasedDurationMs = 1_000;

/** See the file's header. */
export class LeaseElector {
  readonly #options: LeaseElectorOptions;
  readonly #client: LeaseClient;
  readonly #gate: LeaseGate;
  readonly #story: LeaseStory;
  #view: LeaseView = nothingSeen;
  /** What the Lease said when it was last written as ours, while nothing tells otherwise. */
  #ours: LeaseRecord | undefined;
  /** Whether a write may have been carried out of which nothing was heard. */
  #isUnsure = false;

  constructor(options: LeaseElectorOptions) {
    const { transport, place, timing, clock } = options;
    const { leaseMs, renewMs, retryMs } = timing;
    invariant(leaseMs > renewMs && renewMs > retryMs, "A lease outlasts its renewal, that a retry");
    this.#options = options;
    // Two tries before the deadline, also when the first one is never answered.
    const limits = { answerMs: renewMs / 2, durationMs: leaseMs };
    this.#client = new LeaseClient({ transport, place, ...limits });
    this.#gate = new LeaseGate(clock);
    this.#story = new LeaseStory(options, this.#gate);
  }

  /** Shut while this replica does not lead. */
  get gate(): LeaderGate {
    return this.#gate;
  }

  /** One sentence for a person: who leads, or why nobody can tell. */
  get reason(): string {
    return this.#story.reason;
  }

  /** Takes part until `signal` aborts; resolves when the Lease was given back. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, metrics } = this.#options;
    try {
      while (!signal.aborted) {
        const at = momentOf(clock);
        const waitMs = await this.#round(at, signal);
        await clock.sleep(Math.max(0, waitMs), signal);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      const wasLeader = this.#gate.isLeader();
      this.#story.stops();
      this.#gate.shut();
      if (wasLeader) metrics.transition("released");
      await this.#release();
    }
  }

  /** One look or one renewal; the milliseconds until the next. */
  async #round(at: Moment, signal: AbortSignal): Promise<number> {
    // Without a look only while nobody else can have taken it: a server whose state was set back uses
    // the same versions again, for another holder.
    if (this.#ours !== undefined && this.#gate.isLeader()) {
      const renewed = await this.#write(this.#ours, at, signal);
      if (renewed.outcome === "ok") return this.#untilRenewal(at);
      if (renewed.outcome === "failed") return this.#untilRetry(renewed);
    }
    return await this.#look(signal);
  }

  /** Reads the Lease and does what it allows. */
  async #look(signal: AbortSignal): Promise<number> {
    const { clock, identity, timing } = this.#options;
    const read = await this.#story.timed("read", () => this.#client.read(signal));
    if (read.outcome === "failed") return this.#untilRetry(read);
    const record = read.outcome === "ok" ? read.record : undefined;
    const look = { identity, nowMs: clock.monotonicMs(), durationMs: timing.leaseMs };
    this.#view = computeLeaseView(this.#view, record, look);
    const next = computeLeaseStep(this.#view, look);
    const isOurs = next.step === "renew";
    this.#isUnsure = false;
    if (!isOurs) this.#loses(record);
    this.#story.sees(record);
    if (next.step === "wait") {
      return Math.min(this.#untilLook(), next.untilMs - look.nowMs);
    }
    const at = momentOf(clock);
    const before = next.step === "create" ? undefined : next.record;
    const written = await this.#write(before, at, signal);
    switch (written.outcome) {
      case "ok":
        return this.#untilRenewal(at);
      case "failed":
        return this.#untilRetry(written);
      case "conflict":
        // Somebody was faster; soon it can be seen who.
        this.#view = computeRivalView(this.#view, { ...look, nowMs: clock.monotonicMs() });
        return this.#untilLook() / 4;
    }
  }

  /** Writes the Lease as ours, in place of `before`, and opens the gate when that succeeded. */
  async #write(
    before: LeaseRecord | undefined,
    at: Moment,
    signal: AbortSignal,
  ): Promise<LeaseWrite> {
    const { identity, timing } = this.#options;
    const claim = { holder: identity, durationMs: timing.leaseMs, nowMs: at.wallMs };
    const action = before === undefined ? "create" : before.holder === identity ? "renew" : "take";
    this.#isUnsure = true;
    const write = () => this.#client.write(before, claim, signal);
    const written = await this.#story.timed(action, write);
    if (written.outcome !== "ok") return written;
    const { record } = written;
    this.#isUnsure = false;
    this.#ours = record;
    this.#view = { found: record, last: record, heldUntilMs: -Infinity };
    this.#story.sees(record);
    this.#gate.open(at, timing.renewMs);
    return written;
  }

  /** The Lease is not ours, or may be another's. */
  #loses(record: LeaseRecord | undefined): void {
    this.#ours = undefined;
    this.#story.loses(record);
    this.#gate.shut();
  }

  #untilRenewal(at: Moment): number {
    const { clock, timing, random } = this.#options;
    const spentMs = clock.monotonicMs() - at.monotonicMs;
    return timing.retryMs * (0.9 + 0.1 * random()) - spentMs;
  }

  /** Looks are twice as frequent as renewals: what is seen late is taken over late. */
  #untilLook(): number {
    const { timing, random } = this.#options;
    return timing.retryMs * (0.4 + 0.2 * random());
  }

  #untilRetry(failure: LeaseFailure): number {
    const { timing } = this.#options;
    this.#story.fails(failure);
    const askedMs = Math.min(failure.retryAfterMs ?? 0, timing.retryMs);
    // Who leads has a deadline; who does not has none.
    return Math.max(askedMs, this.#untilLook() * (this.#gate.isLeader() ? 0.5 : 1));
  }

  /** Gives the Lease back if it is ours; tries for a moment, and else it expires. */
  async #release(): Promise<void> {
    if (this.#ours === undefined && !this.#isUnsure) return;
    const stop = new AbortController();
    const cancel = this.#options.clock.after(releaseMs, () => stop.abort());
    try {
      await this.#giveBack(stop.signal);
    } catch (error) {
      if (!stop.signal.aborted) throw error;
      this.#story.keeps("no answer in time");
    } finally {
      cancel();
    }
  }

  async #giveBack(signal: AbortSignal): Promise<void> {
    const { identity, clock } = this.#options;
    let record = this.#isUnsure ? undefined : this.#ours;
    while (true) {
      if (record === undefined) {
        const read = await this.#client.read(signal);
        if (read.outcome === "failed") return this.#story.keeps(read.message);
        if (read.outcome === "absent" || read.record.holder !== identity) return;
        record = read.record;
      }
      const claim = { holder: "", durationMs: releasedDurationMs, nowMs: clock.now() };
      const written = await this.#client.write(record, claim, signal);
      if (written.outcome === "ok") return this.#story.gaveBack();
      if (written.outcome === "failed") return this.#story.keeps(written.message);
      record = undefined;
    }
  }
}
