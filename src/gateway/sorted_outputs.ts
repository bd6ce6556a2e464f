/** Outputs as they are kept from one run to the next. */

import { SortedMap } from "../base/sorted_map.ts";
import type {
  Certificate,
  CertificateName,
  Cluster,
  ClusterName,
  GatewayConfig,
  GatewayKey,
} from "../dataplane/model.ts";
import type { DesiredStatus } from "../kube/desired_status.ts";
import type { ObjectKey } from "../kube/object.ts";
import { type ByStatusKind, byStatusKind, type Outputs, type ResolvedGateway } from "./outputs.ts";

/** Outputs as sorted maps, which are cheap to copy. */
export interface SortedOutputs extends Outputs {
  readonly statuses: ByStatusKind<SortedMap<ObjectKey, DesiredStatus>>;
  readonly dataPlane: {
    readonly revision: number;
    readonly gateways: SortedMap<GatewayKey, GatewayConfig>;
    readonly clusters: SortedMap<ClusterName, Cluster>;
    readonly certificates: SortedMap<CertificateName, Certificate>;
  };
  readonly gateways: SortedMap<ObjectKey, ResolvedGateway>;
}

/** The outputs before anything was computed. */
export const noSortedOutputs: SortedOutputs = {
  revision: 0,
  statuses: byStatusKind(() => new SortedMap()),
  dataPlane: {
    revision: 0,
    gateways: new SortedMap(),
    clusters: new SortedMap(),
    certificates: new SortedMap(),
  },
  gateways: new SortedMap(),
};

/** The part of the data plane. */
export type SortedDataPlane = SortedOutputs["dataPlane"];

/** `next`, or `previous` when it has the same parts. */
export function keepDataPlane(previous: SortedDataPlane, next: SortedDataPlane): SortedDataPlane {
  const isSame = previous.gateways === next.gateways && previous.clusters === next.clusters &&
    previous.certificates === next.certificates;
  return isSame ? previous : next;
}
