/**
 * A data plane that serves nothing and says yes: for statuses without traffic (`--data-plane=none`)
 * and for computing what would be served (`weir translate`).
 */

import type { Acknowledgement, DataPlane } from "../dataplane/data_plane.ts";
import type { DataPlaneConfig, GatewayConfig, GatewayKey } from "../dataplane/model.ts";

/** Acknowledges every configuration at once, as if each listener were bound to its own port. */
export class AssumedDataPlane implements DataPlane {
  readonly name: string;
  #applied: ReadonlyMap<GatewayKey, GatewayConfig> = new Map();

  /** @param name the word that conditions and logs use */
  constructor(name: string) {
    this.name = name;
  }

  apply(config: DataPlaneConfig): Promise<readonly Acknowledgement[]> {
    const changed = [...config.gateways.values()].filter((gateway) =>
      this.#applied.get(gateway.key) !== gateway
    );
    this.#applied = config.gateways;
    return Promise.resolve(changed.map(acknowledge));
  }
}

function acknowledge(config: GatewayConfig): Acknowledgement {
  const listeners = config.listeners.flatMap(({ name, origin, port }) =>
    config.addresses.map((address) => ({ name, origin, address, port, boundPort: port }))
  );
  return { gateway: config.key, config, listeners, refusals: [] };
}
