/** A data plane configuration from a few words, and an embedded data plane that serves it. */

import { systemClock } from "../../src/base/clock.ts";
import type { Logger } from "../../src/base/log.ts";
import { MetricsRegistry } from "../../src/base/metrics.ts";
import {
  type Certificate,
  type CertificateName,
  type Cluster,
  type ClusterName,
  clusterName,
  type DataPlaneConfig,
  type Endpoint,
  type GatewayConfig,
  type GatewayKey,
  gatewayKey,
  type HttpRouteEntry,
  type Listener,
} from "../../src/dataplane/model.ts";
import {
  EmbeddedDataPlane,
  type EmbeddedDataPlaneOptions,
} from "../../src/proxy/embedded_data_plane.ts";
import { defaultProxyLimits, type ProxyLimits } from "../../src/proxy/proxy_limits.ts";
import { type EntryParts, routeEntry } from "./route_entries.ts";

/** The cluster that routes of a test use when they say nothing else. */
export const backend: ClusterName = clusterName("default", "backend", 80);

/** A logger that forgets. */
export const silentLogger: Logger = {
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

/** A listener of a Gateway called `name`. */
export function listener(
  gateway: string,
  parts: Partial<Listener> & { readonly port: number },
): Listener {
  return {
    name: "http",
    origin: { kind: "Gateway", namespace: "default", name: gateway },
    protocol: "HTTP",
    routes: [],
    ...parts,
  };
}

/** A Gateway on loopback. */
export function gateway(
  name: string,
  listeners: readonly Listener[],
  parts: Partial<GatewayConfig> = {},
): GatewayConfig {
  return {
    key: gatewayKey("default", name),
    creationTimestamp: "2026-01-01T00:00:00Z",
    addresses: ["127.0.0.1"],
    listeners,
    ...parts,
  };
}

/** The ready endpoints of a cluster. */
export function cluster(name: ClusterName, endpoints: readonly Endpoint[]): Cluster {
  return {
    name,
    origin: { kind: "Service", namespace: "default", name: "backend" },
    port: 80,
    endpoints,
  };
}

/** Endpoints on loopback. */
export function loopback(...ports: readonly number[]): Endpoint[] {
  return ports.map((port) => ({ address: "127.0.0.1", port }));
}

/** A whole configuration. */
export function configOf(parts: {
  readonly revision?: number;
  readonly gateways: readonly GatewayConfig[];
  readonly clusters?: readonly Cluster[];
  readonly certificates?: readonly Certificate[];
}): DataPlaneConfig {
  return {
    revision: parts.revision ?? 1,
    gateways: new Map<GatewayKey, GatewayConfig>(parts.gateways.map((one) => [one.key, one])),
    clusters: new Map<ClusterName, Cluster>((parts.clusters ?? []).map((one) => [one.name, one])),
    certificates: new Map<CertificateName, Certificate>(
      (parts.certificates ?? []).map((one) => [one.name, one]),
    ),
  };
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
