/**
 * The one seam between the engine and whatever moves the bytes.
 *
 * A data plane is handed whole configurations in the order of their revisions and acknowledges per
 * Gateway. The engine never knows which data plane it talks to.
 */

import type { DataPlaneConfig, GatewayConfig, GatewayKey, Origin } from "./model.ts";

/** Where a listener of the model really listens. */
export interface BoundListener {
  readonly name: string;
  readonly origin: Origin;
  readonly address: string;
  /** The port of the spec. */
  readonly port: number;
  /** The port that is really bound; differs when it was shifted. */
  readonly boundPort: number;
}

/** Why a part of a Gateway's configuration is not in service. */
export interface Refusal {
  /** The object that the refusal belongs to: the Gateway itself, one of its ListenerSets, or a route. */
  readonly origin: Origin;
  /** Set when one listener is concerned. */
  readonly listener?: string;
  /** A condition reason, such as `AddressNotUsable` or `PortUnavailable`. */
  readonly reason: string;
  readonly message: string;
}

/** What a data plane answers for one Gateway. */
export interface Acknowledgement {
  readonly gateway: GatewayKey;
  /** The very object that was applied: it says which state is acknowledged. */
  readonly config: GatewayConfig;
  readonly listeners: readonly BoundListener[];
  /** Empty: everything is in service. */
  readonly refusals: readonly Refusal[];
}

/** A consumer of configurations. */
export interface DataPlane {
  /** A word for logs and conditions: `embedded`, `none`. */
  readonly name: string;
  /**
   * Puts `config` into service and resolves with one acknowledgement for each of its Gateways whose
   * configuration or binding changed. Called one at a time, in the order of revisions. Traffic on
   * the earlier configuration goes on until the swap, which is atomic. Never rejects for a reason
   * that lies in the configuration.
   */
  apply(config: DataPlaneConfig): Promise<readonly Acknowledgement[]>;
}
