/** What every request of the embedded data plane shares. Owned by the data plane, built once. */

import type { ClusterName } from "../dataplane/model.ts";
import type { EscapedSlashes } from "../dataplane/normalize_path.ts";
import type { AccessLog } from "./access_log.ts";
import type { BodyTap } from "./body_relay.ts";
import type { CoarseTimer } from "./coarse_timer.ts";
import type { EndpointRotation } from "./endpoint_rotation.ts";
import type { ProxyLimits } from "./proxy_limits.ts";
import type { ProxyMetrics } from "./proxy_metrics.ts";
import type { SentRequest } from "./routed_request.ts";
import type { HandOverAgent } from "./upstream_connection.ts";

/** See the file's header. */
export interface ProxyServices {
  readonly limits: ProxyLimits;
  readonly escapedSlashes: EscapedSlashes;
  /** Whether ports are shared with other processes that do the same (SO_REUSEPORT). */
  readonly reusePort: boolean;
  readonly timer: CoarseTimer;
  readonly metrics: ProxyMetrics;
  readonly agent: HandOverAgent;
  /** A new identifier for a request. */
  readonly requestId: () => string;
  /** Absent: requests are not recorded. */
  readonly accessLog: AccessLog | undefined;
  /** The endpoints of a cluster of the configuration in service; undefined: no such cluster. */
  cluster(name: ClusterName): EndpointRotation | undefined;
  /** The port where the listener with `port` on `address` is really open. */
  reachablePort(address: string, port: number): number;
  /** Makes the copies that a request's mirrors ask for, which want its body. */
  mirror(sent: SentRequest): BodyTap | undefined;
  /** Counts a request in; false: there are too many. */
  enter(): boolean;
  /** Counts a request out. */
  leave(): void;
}
