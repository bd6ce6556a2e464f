/**
 * What the embedded data plane counts. Labels are gateways and routes that exist in the
 * configuration, never anything a client sends; the registry caps them.
 *
 * The hot path holds a {@linkcode RouteSeries}, resolved once for each compiled route.
 */

import {
  type Counter,
  type Family,
  type Gauge,
  type Histogram,
  type MetricsRegistry,
  requestSecondsBuckets,
} from "../base/metrics.ts";
import { type LabelsOf, openLabel } from "../base/metrics_labels.ts";

const classes = ["none", "1xx", "2xx", "3xx", "4xx", "5xx"] as const;
const requestLabels = { gateway: openLabel, route: openLabel, code: classes } as const;
const mirrorLabels = { outcome: ["sent", "given up"] } as const;
const secondsLabels = { gateway: openLabel, route: openLabel } as const;

/** Routes with traffic beyond which their requests are counted together. */
const REQUEST_SERIES_MAX = 20_000;
const SECONDS_SERIES_MAX = 4_000;

/** The series of one route on one Gateway; each comes into being with the first request. */
export class RouteSeries {
  readonly #resolve: (code: (typeof classes)[number]) => Counter;
  readonly #resolveSeconds: () => Histogram;
  readonly #requests: (Counter | undefined)[] = [];
  #seconds: Histogram | undefined;
  #isRetired = false;

  constructor(
    resolve: (code: (typeof classes)[number]) => Counter,
    resolveSeconds: () => Histogram,
  ) {
    this.#resolve = resolve;
    this.#resolveSeconds = resolveSeconds;
  }

  /** Counts a request. Status 0: the client went away before a response. */
  observe(status: number, durationMs: number): void {
    if (this.#isRetired) return;
    const index = Math.min(Math.trunc(status / 100), classes.length - 1);
    (this.#requests[index] ??= this.#resolve(classes[index] ?? "none")).inc();
    (this.#seconds ??= this.#resolveSeconds()).observe(durationMs / 1000);
  }

  /** Counts no more: requests that outlive their route do not bring its series back. */
  retire(): void {
    this.#isRetired = true;
  }
}

/** See the file's header. */
export class ProxyMetrics {
  readonly connections: Gauge;
  readonly connectionsRefused: Counter;
  readonly requestsInProgress: Gauge;
  readonly upstreamConnections: Gauge;
  readonly upstreamConnectFailures: Counter;
  readonly upstreamRetries: Counter;
  readonly malformedRequests: Counter;
  readonly #mirrored: Family<Counter, LabelsOf<typeof mirrorLabels>>;
  readonly #requests: Family<Counter, LabelsOf<typeof requestLabels>>;
  readonly #seconds: Family<Histogram, LabelsOf<typeof secondsLabels>>;

  constructor(registry: MetricsRegistry) {
    this.#requests = registry.counter({
      name: "weir_proxy_requests_total",
      help: "Requests that were answered, by gateway, route and class of status.",
      labels: requestLabels,
      seriesMax: REQUEST_SERIES_MAX,
    });
    this.#seconds = registry.histogram({
      name: "weir_proxy_request_seconds",
      help: "Time from the request's head to the end of its response.",
      labels: secondsLabels,
      seriesMax: SECONDS_SERIES_MAX,
      buckets: requestSecondsBuckets,
    });
    this.#mirrored = registry.counter({
      name: "weir_proxy_mirrored_requests_total",
      help: "Copies of requests for mirrors, by what became of them.",
      labels: mirrorLabels,
    });
    const gauge = (name: string, help: string): Gauge => registry.gauge({ name, help }).with({});
    const counter = (name: string, help: string): Counter =>
      registry.counter({ name, help }).with({});
    this.connections = gauge("weir_proxy_connections", "Open connections of clients.");
    this.connectionsRefused = counter(
      "weir_proxy_connections_refused_total",
      "Connections that were closed or not accepted because there were too many.",
    );
    this.requestsInProgress = gauge("weir_proxy_requests_in_progress", "Requests in progress.");
    this.upstreamConnections = gauge(
      "weir_proxy_upstream_connections",
      "Open connections to endpoints, used or not.",
    );
    this.upstreamConnectFailures = counter(
      "weir_proxy_upstream_connect_failures_total",
      "Connections to endpoints that could not be opened.",
    );
    this.upstreamRetries = counter(
      "weir_proxy_upstream_retries_total",
      "Requests that were sent again to the same or another endpoint.",
    );
    this.malformedRequests = counter(
      "weir_proxy_malformed_requests_total",
      "Requests that were refused before they could be routed.",
    );
  }

  /** Counts a copy of a request for a mirror: it was answered, or was not to be had. */
  mirrored(outcome: (typeof mirrorLabels.outcome)[number]): void {
    this.#mirrored.with({ outcome }).inc();
  }

  /** The series of a route (`namespace/name`), or of requests that no route serves. */
  route(gateway: string, route = ""): RouteSeries {
    return new RouteSeries(
      (code) => this.#requests.with({ gateway, route, code }),
      () => this.#seconds.with({ gateway, route }),
    );
  }

  /** Forgets the series of a route (`namespace/name`) that a Gateway no longer has. */
  forgetRoute(gateway: string, route: string): void {
    for (const code of classes) this.#requests.remove({ gateway, route, code });
    this.#seconds.remove({ gateway, route });
  }

  /** Forgets the series of a Gateway that is no longer served. */
  forget(gateway: string): void {
    this.#requests.remove({ gateway });
    this.#seconds.remove({ gateway });
  }
}
