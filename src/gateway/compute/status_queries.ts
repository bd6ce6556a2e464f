/** The memos of statuses: one for each object that gets one. */

import type { DesiredStatus } from "../../kube/desired_status.ts";
import type { ObjectKey } from "../../kube/object.ts";
import type { Database } from "../../query/database.ts";
import { Query } from "../../query/query.ts";
import type { ByStatusKind } from "../outputs.ts";
import { byRouteKind } from "../route_kinds.ts";
import { computeBackendTlsPolicyStatus } from "./backend_tls_policy_status.ts";
import type { ComputeView } from "./compute_view.ts";
import { computeGatewayClassStatus } from "./gateway_class_status.ts";
import { computeGatewayStatus } from "./gateway_status.ts";
import { computeListenerSetStatus } from "./listener_set_status.ts";
import { computeRouteStatus } from "./route_status.ts";
import type { ServiceState } from "./service_state.ts";

/** The wanted statuses of each kind; undefined: the object gets none. */
export type StatusQueries = ByStatusKind<Query<ObjectKey, DesiredStatus | undefined>>;

/** Makes the queries over `view`; `ranks` say what is verified first. */
export function makeStatusQueries(
  view: ComputeView,
  database: Database,
  serviceOf: (gateway: ObjectKey) => ServiceState,
  ranks: { readonly routes: number; readonly gateways: number },
): StatusQueries {
  const status = (
    kind: string,
    compute: (key: ObjectKey) => DesiredStatus | undefined,
    rank: number,
  ) => new Query(database, { name: `${kind} status`, compute, rank });
  return {
    GatewayClass: status(
      "GatewayClass",
      (key) => computeGatewayClassStatus(view, key),
      ranks.routes,
    ),
    Gateway: status(
      "Gateway",
      (key) => computeGatewayStatus(view, key, serviceOf(key)),
      ranks.gateways,
    ),
    ListenerSet: status(
      "ListenerSet",
      (key) => computeListenerSetStatus(view, key, serviceOf),
      ranks.gateways,
    ),
    ...byRouteKind((kind) =>
      status(kind, (key) => computeRouteStatus(view, kind, key, serviceOf), ranks.routes)
    ),
    BackendTLSPolicy: status(
      "BackendTLSPolicy",
      (key) => computeBackendTlsPolicyStatus(view, key),
      ranks.gateways,
    ),
  };
}
