/**
 * A data plane that takes its time: each application ends when the test says so.
 *
 * As the contract allows, it answers only for Gateways whose configuration changed.
 */

import type { Acknowledgement, DataPlane } from "../../src/dataplane/data_plane.ts";
import type { DataPlaneConfig } from "../../src/dataplane/model.ts";

/** See the file's header. */
export class SteppedDataPlane implements DataPlane {
  readonly name = "stepped";
  /** What is in service: the last application that ended. */
  held: DataPlaneConfig | undefined;
  #finish: (() => void) | undefined;

  apply(config: DataPlaneConfig): Promise<readonly Acknowledgement[]> {
    const { promise, resolve } = Promise.withResolvers<readonly Acknowledgement[]>();
    this.#finish = () => {
      const before = this.held;
      this.held = config;
      this.#finish = undefined;
      const changed = [...config.gateways.values()].filter((gateway) =>
        before?.gateways.get(gateway.key) !== gateway
      );
      resolve(changed.map((gateway) => ({
        gateway: gateway.key,
        config: gateway,
        listeners: [],
        refusals: [],
      })));
    };
    return promise;
  }

  /** Ends the application that is under way; false when there is none. */
  finish(): boolean {
    const isBusy = this.#finish !== undefined;
    this.#finish?.();
    return isBusy;
  }
}
