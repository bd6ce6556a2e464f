/** An embedded data plane for a test, and what its configurations are made of. */

import { systemClock } from "../../src/base/clock.ts";
import type { Logger } from "../../src/base/log.ts";
import { MetricsRegistry } from "../../src/base/metrics.ts";
import {
  type ClusterName,
  clusterName,
  type Endpoint,
  type HttpRouteEntry,
} from "../../src/dataplane/model.ts";
import {
  EmbeddedDataPlane,
  type EmbeddedDataPlaneOptions,
} from "../../src/proxy/embedded_data_plane.ts";
import { defaultProxyLimits, type ProxyLimits } from "../../src/proxy/proxy_limits.ts";
import { cluster, configOf, gateway, listener } from "./data_plane_config.ts";
import { type EntryParts, routeEntry } from "./route_entries.ts";

/** The cluster that routes of a test use when they say nothing else. */
export const backend: ClusterName = clusterName("default", "backend", 80);

/** A logger that forgets. */
const silentLogger: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => silentLogger,
};

/** An entry that sends everything it matches to `cluster`. */
export function routeTo(cluster: ClusterName, parts: EntryParts = {}): HttpRouteEntry {
  return routeEntry({
    ...parts,
    action: { backends: [{ weight: 1, cluster, filters: [] }], ...parts.action },
  });
}

/** A data plane with limits that suit a test; stop it with `await using`. */
export class ProxyWorld implements AsyncDisposable {
  readonly dataPlane: EmbeddedDataPlane;
  readonly metrics: MetricsRegistry = new MetricsRegistry();
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  constructor(
    limits: Partial<ProxyLimits> = {},
    options: Partial<EmbeddedDataPlaneOptions> = {},
  ) {
    let requests = 0;
    this.dataPlane = new EmbeddedDataPlane({
      limits: { ...defaultProxyLimits, drainTimeoutMs: 1_000, ...limits },
      escapedSlashes: "UnescapeAndRedirect",
      portShift: 0,
      clock: systemClock,
      random: () => 0,
      requestId: () => `request-${++requests}`,
      logger: silentLogger,
      metrics: this.metrics,
      ...options,
    });
    this.#running = this.dataPlane.run(this.#stop.signal);
  }

  /** Applies a Gateway with one HTTP listener on a free port, whose entries go to `endpoints`. */
  async serve(
    entries: readonly HttpRouteEntry[],
    endpoints: readonly Endpoint[],
  ): Promise<number> {
    const config = configOf({
      gateways: [gateway("gw", [listener("gw", { port: 0, routes: entries })])],
      clusters: [cluster(backend, endpoints)],
    });
    const [acknowledgement] = await this.dataPlane.apply(config);
    const port = acknowledgement?.listeners[0]?.boundPort;
    if (port === undefined) throw new Error("Cannot serve: the listener is not open");
    return port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new Error("the test is over"));
    await this.#running;
  }
}
