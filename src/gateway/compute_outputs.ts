/**
 * The steps from inputs to outputs, from scratch. Pure: no clock, no I/O, nothing of our own earlier statuses.
 *
 * The data plane's configuration comes first, because statuses say how far it is in service. Between
 * the two steps a caller may replace the configuration by an equal one (diff.ts does, so that
 * unchanged parts keep their identity); the statuses are the same.
 */

import type { DataPlaneConfig } from "../dataplane/model.ts";
import type { ObjectKey } from "../kube/object.ts";
import { computeDataPlaneConfig } from "./compute/data_plane_config.ts";
import { computeGatewayClassStatus } from "./compute/gateway_class_status.ts";
import { computeGatewayStatus } from "./compute/gateway_status.ts";
import { computeBackendTlsPolicyStatus } from "./compute/backend_tls_policy_status.ts";
import { computeListenerSetStatus } from "./compute/listener_set_status.ts";
import { computeRouteStatus } from "./compute/route_status.ts";
import { computeResolvedGateway } from "./compute/resolved_gateways.ts";
import { computeServiceState, type ServiceState } from "./compute/service_state.ts";
import type { ScratchView } from "./compute/scratch_view.ts";
import type { Outputs, ResolvedGateway, Statuses } from "./outputs.ts";
import { byRouteKind } from "./route_kinds.ts";

/** Everything, from one revision of the inputs. */
export function computeOutputs(view: ScratchView): Outputs {
  return computeOutputsFor(view, computeDataPlaneConfig(view));
}

/** Everything else, given the configuration that `view` leads to. */
export function computeOutputsFor(view: ScratchView, dataPlane: DataPlaneConfig): Outputs {
  return {
    revision: view.revision,
    statuses: computeStatuses(view, dataPlane),
    dataPlane,
    gateways: computeResolvedGateways(view),
  };
}

function computeStatuses(view: ScratchView, dataPlane: DataPlaneConfig): Statuses {
  const services = new Map<ObjectKey, ServiceState>();
  const serviceOf = (gateway: ObjectKey): ServiceState => {
    let service = services.get(gateway);
    if (!service) services.set(gateway, service = computeServiceState(view, dataPlane, gateway));
    return service;
  };
  return {
    GatewayClass: collect(
      view.keys("GatewayClass"),
      (key) => computeGatewayClassStatus(view, key),
    ),
    Gateway: collect(
      view.keys("Gateway"),
      (key) => computeGatewayStatus(view, key, serviceOf(key)),
    ),
    ListenerSet: collect(
      view.keys("ListenerSet"),
      (key) => computeListenerSetStatus(view, key, serviceOf),
    ),
    ...byRouteKind((kind) =>
      collect(view.keys(kind), (key) => computeRouteStatus(view, kind, key, serviceOf))
    ),
    BackendTLSPolicy: collect(
      view.keys("BackendTLSPolicy"),
      (key) => computeBackendTlsPolicyStatus(view, key),
    ),
  };
}

function computeResolvedGateways(view: ScratchView): ReadonlyMap<ObjectKey, ResolvedGateway> {
  return collect(view.keys("Gateway"), (key) => computeResolvedGateway(view, key));
}

function collect<Value>(
  keys: readonly ObjectKey[],
  compute: (key: ObjectKey) => Value | undefined,
): ReadonlyMap<ObjectKey, Value> {
  const collected = new Map<ObjectKey, Value>();
  for (const key of keys) {
    const value = compute(key);
    if (value !== undefined) collected.set(key, value);
  }
  return collected;
}
