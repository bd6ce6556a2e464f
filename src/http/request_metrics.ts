/**
 * The API's own metrics: how much is asked, what is answered, what is refused, what is open.
 *
 * Labels are bounded by the routes that exist and by the words of the code; nothing that a client
 * sends becomes a label.
 */

import { type MetricsRegistry, requestSecondsBuckets } from "../base/metrics.ts";
import { openLabel } from "../base/metrics_labels.ts";
import type { Answer } from "./app.ts";

/** What the app and the server report to. */
export interface RequestMetrics {
  readonly onAnswer: (answer: Answer) => void;
  readonly onRefused: (reason: string) => void;
}

const methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"] as const;

/** Registers the metrics. */
export function createRequestMetrics(
  registry: MetricsRegistry,
  connections: () => number,
): RequestMetrics {
  const answers = registry.counter({
    name: "weir_api_requests_total",
    help: "Requests that the HTTP API answered, by route, method and status.",
    labels: { route: openLabel, method: [...methods, "other"], code: openLabel },
  });
  const seconds = registry.histogram({
    name: "weir_api_request_seconds",
    help: "Time from a request of the HTTP API to the beginning of its answer, by route.",
    labels: { route: openLabel },
    buckets: requestSecondsBuckets,
  });
  const refusals = registry.counter({
    name: "weir_api_requests_refused_total",
    help: "Requests that were refused before a route saw them, by reason.",
    labels: { reason: openLabel },
    seriesMax: 50,
  });
  registry.read({
    name: "weir_api_connections",
    help: "Connections to the HTTP API that are open.",
    type: "gauge",
    read: connections,
  });
  return {
    onAnswer: ({ route = "none", method, status, seconds: duration }) => {
      const known = methods.find((name) => name === method) ?? "other";
      answers.with({ route, method: known, code: String(status) }).inc();
      seconds.with({ route }).observe(duration);
    },
    onRefused: (reason) => refusals.with({ reason }).inc(),
  };
}
