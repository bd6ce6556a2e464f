/**
 * The data plane's configuration as `weir translate` prints it: what would be served, without
 * anything that only a running process knows (answers, bound ports, epoch).
 *
 * The shape is that of the HTTP API's proxy view with those fields left out, so a script that reads
 * one reads the other. Private keys are in neither.
 */

import type { Cluster, Listener, ProxyGateway } from "../api/proxy.ts";
import type { DataPlaneConfig } from "../dataplane/model.ts";
import { toProxyState } from "./proxy_view.ts";

/** The `proxy` of `weir translate`. */
export interface RenderedDataPlane {
  /** Sorted by namespace and name. */
  readonly gateways: readonly RenderedGateway[];
  /** Sorted by name. */
  readonly clusters: readonly Cluster[];
}

/** One Gateway as it would be served. */
export type RenderedGateway = Omit<ProxyGateway, "acknowledged" | "refusals" | "listeners"> & {
  readonly listeners: readonly Omit<Listener, "bound">[];
};

/** Renders `config`; equal configurations give equal bytes as JSON. */
export function renderDataPlane(config: DataPlaneConfig): RenderedDataPlane {
  const sources = { config, acknowledgements: new Map(), epoch: "", dataPlane: "none" };
  const { gateways, clusters } = toProxyState(sources);
  return {
    gateways: gateways.map(({ acknowledged: _, refusals: __, listeners, ...gateway }) => ({
      ...gateway,
      listeners: listeners.map(({ bound: ___, ...listener }) => listener),
    })),
    clusters,
  };
}
