/**
 * Computes outputs in slices of the event loop, and holds them against a computation from scratch when
 * check mode asks for it.
 *
 * A run ends with one synchronous commit of a whole set of outputs; a run that is aborted commits
 * nothing. While one is under way the inputs must not change; the state keeps what comes meanwhile.
 */

import type { Clock } from "../base/clock.ts";
import { invariant } from "../base/invariant.ts";
import { findWrongOutput, GatewaySample } from "./check_outputs.ts";
import type { QueryView } from "./compute/query_view.ts";
import type { ComputeSettings } from "./compute/input_view.ts";
import type { EngineMetrics } from "./engine_metrics.ts";
import { IncrementalOutputs, type PublishedOutputs } from "./incremental_outputs.ts";
import type { Inputs } from "./inputs.ts";
import type { Outputs } from "./outputs.ts";

/**
 * Whether outputs are held against a computation from scratch. `all`: all of them after every
 * recompute, and a difference is a crash: for tests. `sample`: those of one Gateway after another, in
 * slices; a difference is told, and everything is computed anew.
 */
export type CheckMode = "off" | "sample" | "all";

/** How a recomputer is built. */
export interface RecomputerOptions {
  readonly clock: Clock;
  readonly inputs: Inputs;
  readonly settings: ComputeSettings;
  readonly metrics: EngineMetrics;
  /** About as long the event loop is held at a time. */
  readonly sliceMs: number;
  readonly check: CheckMode;
  /** Told of a difference that a sample found: names and a path, no values. */
  readonly onDifference: (difference: string) => void;
}

/** See the file's header. */
export class Recomputer {
  readonly #options: RecomputerOptions;
  readonly #computed: IncrementalOutputs;
  /** The outputs are not to be believed, whatever their revision is. */
  #isSuspect = false;
  /** Which Gateway a sample looks at next. */
  #nextSample = 0;

  constructor(options: RecomputerOptions) {
    this.#options = options;
    this.#computed = new IncrementalOutputs(options.inputs, options.settings);
  }

  /** The outputs as last committed. */
  get outputs(): Outputs {
    return this.#computed.outputs;
  }

  /** The queries, for explain. */
  get view(): QueryView {
    return this.#computed.view;
  }

  /** Whether a run is under way. */
  get isRunning(): boolean {
    return this.#computed.isRunning;
  }

  /** Whether the outputs are those of the inputs' revision. */
  get isCurrent(): boolean {
    return !this.#isSuspect && this.outputs.revision === this.#options.inputs.revision;
  }

  /**
   * Brings the outputs up to date and calls `commit` with them, unless `signal` aborts first. Between
   * slices anything may run but a change of inputs.
   */
  async run(
    signal: AbortSignal,
    commit: (published: PublishedOutputs, durationMs: number) => void,
  ): Promise<void> {
    const { clock } = this.#options;
    let durationMs = 0;
    while (!signal.aborted) {
      const startMs = clock.monotonicMs();
      const published = this.#computed.step(this.#slice());
      durationMs += clock.monotonicMs() - startMs;
      if (published) {
        this.#isSuspect = false;
        if (this.#options.check === "all") this.#checkAll();
        return commit(published, durationMs);
      }
      await this.#pause(signal);
    }
    this.#computed.cancel();
  }

  /**
   * Looks at the outputs of one Gateway, if samples are asked for; cut short when the inputs change
   * meanwhile. True when everything has to be computed anew.
   */
  async sample(signal: AbortSignal): Promise<boolean> {
    const { inputs, metrics, check } = this.#options;
    if (check !== "sample") return false;
    const gateways = inputs.keys("Gateway");
    const gateway = gateways[this.#nextSample++ % gateways.length];
    if (gateway === undefined) return false;
    const { revision } = inputs;
    const sample = new GatewaySample(inputs, this.#computed, gateway);
    try {
      while (!signal.aborted && inputs.revision === revision) {
        const { isDone, difference } = sample.step(this.#slice());
        if (difference !== undefined) return this.#startOver(difference);
        if (isDone) {
          metrics.sampled("same");
          return false;
        }
        await this.#pause(signal);
      }
    } finally {
      sample.end();
    }
    metrics.sampled("cut-short");
    return false;
  }

  /** What was wrong once is not believed any more. */
  #startOver(difference: string): true {
    this.#options.metrics.sampled("different");
    this.#options.onDifference(difference);
    this.#computed.startOver();
    this.#isSuspect = true;
    return true;
  }

  #checkAll(): void {
    const { inputs, settings } = this.#options;
    const wrong = findWrongOutput(inputs, settings, this.outputs);
    invariant(wrong === undefined, `Outputs equal those from scratch, the ${wrong} does not`);
  }

  /** Says when the slice that starts now is used up. */
  #slice(): () => boolean {
    const { clock, sliceMs } = this.#options;
    const endMs = clock.monotonicMs() + sliceMs;
    return () => clock.monotonicMs() >= endMs;
  }

  async #pause(signal: AbortSignal): Promise<void> {
    await this.#options.clock.sleep(0, signal).catch((error) => {
      if (!signal.aborted) throw error;
    });
  }
}
