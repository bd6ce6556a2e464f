/**
 * Hands configurations to a data plane and its answers back to the state.
 *
 * One push at a time, always of the newest configuration: those that came meanwhile are skipped, so
 * an older one is never applied after a newer one. The data plane is not touched before the first
 * outputs are published.
 */

import { Wakeup } from "../base/wakeup.ts";
import type { Acknowledgement, DataPlane } from "../dataplane/data_plane.ts";
import type { DataPlaneConfig } from "../dataplane/model.ts";
import type { CommitCallback } from "./state.ts";

/** What the push needs of the state. */
export interface PushSource {
  readonly hasPublished: boolean;
  readonly outputs: { readonly dataPlane: DataPlaneConfig };
  onCommit(callback: CommitCallback): () => void;
  acknowledge(acknowledgement: Acknowledgement): boolean;
}

/** See the file's header. */
export class DataPlanePush {
  readonly #source: PushSource;
  readonly #dataPlane: DataPlane;
  readonly #wakeup = new Wakeup();
  #pushed: DataPlaneConfig | undefined;
  #applied: DataPlaneConfig | undefined;

  constructor(source: PushSource, dataPlane: DataPlane) {
    this.#source = source;
    this.#dataPlane = dataPlane;
  }

  /**
   * The revision of the configuration that the data plane took over last; undefined while it has
   * none: what it is still busy with is not in service.
   */
  get appliedRevision(): number | undefined {
    return this.#applied?.revision;
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
        if (!signal.aborted) await this.#push();
      }
    } finally {
      stop();
    }
  }

  async #push(): Promise<void> {
    const config = this.#source.outputs.dataPlane;
    this.#pushed = config;
    const acknowledgements = await this.#dataPlane.apply(config);
    this.#applied = config;
    for (const acknowledgement of acknowledgements) this.#source.acknowledge(acknowledgement);
  }
}
