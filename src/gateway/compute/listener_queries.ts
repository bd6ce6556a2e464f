/** The memos about listeners: judged alone, joined with sets, held against other Gateways, framed. */

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
  SetListeners,
} from "./compute_view.ts";
import { computeGatewayFrame } from "./gateway_config.ts";
import { computeGatewayListeners } from "./gateway_listeners.ts";
import { computeIsolators, type Isolators } from "./isolators.ts";
import { computeJoinedListeners } from "./joined_listeners.ts";
import { computeOwnListeners } from "./own_listeners.ts";
import { computePortLosers } from "./port_losers.ts";
import { computeSetListeners } from "./set_listeners.ts";

/** See the file's header. A few for each Gateway and ListenerSet. */
export class ListenerQueries {
  readonly own: Query<ObjectKey, OwnListeners>;
  readonly ofSet: Query<ObjectKey, SetListeners | undefined>;
  readonly joined: Query<ObjectKey, JoinedListeners>;
  /** By address. */
  readonly portLosers: Query<string, PortLosers>;
  readonly effective: Query<ObjectKey, GatewayListeners>;
  readonly frames: Query<ObjectKey, GatewayFrame | undefined>;
  readonly isolators: Query<ObjectKey, Isolators>;

  constructor(view: ComputeView, { database }: Inputs) {
    const query = <Key extends string, Value>(name: string, compute: (key: Key) => Value) =>
      new Query<Key, Value>(database, { name, compute });
    this.own = query("own listeners", (key) => computeOwnListeners(view, key));
    this.ofSet = query("set listeners", (key) => computeSetListeners(view, key));
    this.joined = query("joined listeners", (key) => computeJoinedListeners(view, key));
    this.portLosers = query("port losers", (address) => computePortLosers(view, address));
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
      this.effective,
      this.frames,
      this.isolators,
    ];
  }
}
