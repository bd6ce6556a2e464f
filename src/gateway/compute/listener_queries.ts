/**
 * The memos about listeners: judged alone, joined with sets, held against other Gateways, framed.
 *
 * Much follows from them, and little of what they read alters them: a renewed certificate, another
 * Gateway at the same address. So those that many read are barriers.
 */

import type { ObjectKey } from "../../kube/object.ts";
import type { MemoTable } from "../../query/memo_table.ts";
import { Query } from "../../query/query.ts";
import type { GatewayFrame } from "../gateway_frame.ts";
import type { Inputs } from "../inputs.ts";
import type {
  ComputeView,
  GatewayListeners,
  JoinedListeners,
  OwnListeners,
  PortLosers,
  PortLosses,
  SetListeners,
} from "./compute_view.ts";
import { barrierRanks } from "./barrier_ranks.ts";
import { computeGatewayFrame } from "./gateway_config.ts";
import { computeGatewayListeners } from "./gateway_listeners.ts";
import { computeIsolators, type Isolators } from "./isolators.ts";
import { computeJoinedListeners } from "./joined_listeners.ts";
import { computeOwnListeners } from "./own_listeners.ts";
import { computePortLosers, computePortLosses } from "./port_losers.ts";
import { computeSetListeners } from "./set_listeners.ts";

/** See the file's header. A few for each Gateway and ListenerSet. */
export class ListenerQueries {
  readonly own: Query<ObjectKey, OwnListeners>;
  readonly ofSet: Query<ObjectKey, SetListeners | undefined>;
  readonly joined: Query<ObjectKey, JoinedListeners>;
  /** By address. */
  readonly portLosers: Query<string, PortLosers>;
  readonly portLosses: Query<ObjectKey, PortLosses>;
  readonly effective: Query<ObjectKey, GatewayListeners>;
  readonly frames: Query<ObjectKey, GatewayFrame | undefined>;
  readonly isolators: Query<ObjectKey, Isolators>;

  constructor(view: ComputeView, { database }: Inputs) {
    const query = <Key extends string, Value>(name: string, compute: (key: Key) => Value) =>
      new Query<Key, Value>(database, { name, compute });
    const barrier = <Key extends string, Value>(
      name: string,
      compute: (key: Key) => Value,
      rank: number,
    ) => new Query<Key, Value>(database, { name, compute, rank, isBarrier: true });
    this.own = barrier(
      "own listeners",
      (key) => computeOwnListeners(view, key),
      barrierRanks.ownListeners,
    );
    this.ofSet = barrier(
      "set listeners",
      (key) => computeSetListeners(view, key),
      barrierRanks.ownListeners,
    );
    this.joined = query("joined listeners", (key) => computeJoinedListeners(view, key));
    this.portLosers = barrier(
      "port losers",
      (address) => computePortLosers(view, address),
      barrierRanks.portLosers,
    );
    this.portLosses = barrier(
      "port losses",
      (key) => computePortLosses(view, key),
      barrierRanks.portLosses,
    );
    this.effective = query("listeners", (key) => computeGatewayListeners(view, key));
    this.frames = query("Gateway frame", (key) => computeGatewayFrame(view, key));
    this.isolators = query("isolators", (key) => computeIsolators(this.frames.get(key)));
  }

  /** All of them. */
  get tables(): readonly MemoTable<string, unknown>[] {
    return [
      this.own,
      this.ofSet,
      this.joined,
      this.portLosers,
      this.portLosses,
      this.effective,
      this.frames,
      this.isolators,
    ];
  }
}
