/**
 * Hands configurations to a data plane and its answers back to the state.
 *
 * One push at a time, always of the newest configuration: those that came meanwhile are skipped, so
 * an older one is never applied after a newer one. The data plane is not touched before the first
 * outputs are published. What was refused may be possible later without a change of the
 * configuration (another process gave up a port), so it is tried again, less and less often.
 */

import { Backoff } from "../base/backoff.ts";
import type { Clock } from "../base/clock.ts";
import { Turn } from "../base/turn.ts";
import { Wakeup } from "../base/wakeup.ts";
import type { Acknowledgement, DataPlane } from "../dataplane/data_plane.ts";
import type { DataPlaneConfig, GatewayKey } from "../dataplane/model.ts";
import type { CommitCallback } from "./state.ts";

/** What the push needs of the state. */
export interface PushSource {
  readonly hasPublished: boolean;
  readonly outputs: { readonly dataPlane: DataPlaneConfig };
  onCommit(callback: CommitCallback): () => void;
  acknowledge(acknowledgement: Acknowledgement): boolean;
}

/** Between two tries of a configuration that was refused in part. */
const retryTimes = { initialMs: 1_000, maxMs: 30_000 };

/** See the file's header. */
export class DataPlanePush {
  readonly #source: PushSource;
  readonly #dataPlane: DataPlane;
  readonly #wakeup = new Wakeup();
  readonly #turn: Turn;
  #pushed: DataPlaneConfig | undefined;
  #applied: DataPlaneConfig | undefined;
  #isAnswering = false;
  /** Gateways with something that the data plane refused. */
  readonly #refused = new Set<GatewayKey>();
  readonly #clock: Clock;
  readonly #backoff: Backoff;
  #cancelRetry = (): void => {};

  /** @param random uniform in [0, 1), for the times between tries */
  constructor(source: PushSource, dataPlane: DataPlane, clock: Clock, random: () => number) {
    this.#source = source;
    this.#dataPlane = dataPlane;
    this.#clock = clock;
    this.#turn = new Turn(clock);
    this.#backoff = new Backoff(retryTimes, random);
  }

  /**
   * The revision of the configuration that the data plane took over last; undefined while it has
   * none: what it is still busy with is not in service.
   */
  get appliedRevision(): number | undefined {
    return this.#applied?.revision;
  }

  /** Whether the data plane is at work, or its answers are being handed over. */
  get isBusy(): boolean {
    return this.#pushed !== this.#applied || this.#isAnswering;
  }

  /** Pushes until `signal` aborts. A data plane that rejects is broken and ends the run. */
  async run(signal: AbortSignal): Promise<void> {
    const stop = this.#source.onCommit((changes) => {
      if (changes.dataPlane || this.#pushed === undefined) this.#wakeup.signal();
    });
    try {
      if (this.#source.hasPublished) this.#wakeup.signal();
      while (!signal.aborted) {
        await this.#wakeup.wait(signal);
        if (!signal.aborted) await this.#push(signal);
      }
    } finally {
      stop();
      this.#cancelRetry();
    }
  }

  async #push(signal: AbortSignal): Promise<void> {
    const config = this.#source.outputs.dataPlane;
    if (config !== this.#pushed) this.#backoff.reset();
    this.#pushed = config;
    const acknowledgements = await this.#dataPlane.apply(config);
    this.#applied = config;
    this.#isAnswering = true;
    for (const acknowledgement of acknowledgements) {
      const { gateway, refusals } = acknowledgement;
      if (refusals.length > 0) this.#refused.add(gateway);
      else this.#refused.delete(gateway);
      this.#source.acknowledge(acknowledgement);
      if (this.#turn.isOver()) await this.#turn.letGo(signal);
    }
    this.#isAnswering = false;
    this.#scheduleRetry(config);
  }

  /** One timer at a time. */
  #scheduleRetry({ gateways }: DataPlaneConfig): void {
    this.#cancelRetry();
    for (const key of this.#refused) if (!gateways.has(key)) this.#refused.delete(key);
    if (this.#refused.size === 0) return;
    this.#cancelRetry = this.#clock.after(this.#backoff.next(), () => this.#wakeup.signal());
  }
}
