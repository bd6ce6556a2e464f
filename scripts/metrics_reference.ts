/**
 * The page of metrics, printed from what a process with every feature registers.
 *
 * The process is composed and never run, so the page cannot forget a metric.
 */

import { compose } from "../src/app/compose.ts";
import type { OpenCluster } from "../src/app/open_cluster.ts";
import { systemClock } from "../src/base/clock.ts";
import { noLog } from "../src/base/log.ts";
import type { MetricDescription } from "../src/base/metrics.ts";
import { openLabel } from "../src/base/metrics_labels.ts";
import type { ClusterTransport } from "../src/kube/cluster_transport.ts";
import { featureNames } from "../src/config/features.ts";
import { decodeSettings } from "../src/config/decode_settings.ts";
import { markdownTable } from "../src/config/flag_reference.ts";
import { type Config, flags } from "../src/config/flags.ts";

/** `docs/reference-metrics.md`. */
export function printMetricsReference(): string {
  const described = [...describe(undefined), ...describe(silentCluster)];
  const byName = new Map(described.map((metric) => [metric.name, metric]));
  const rows = [...byName.keys()].sort().flatMap((name) => {
    const metric = byName.get(name);
    return metric ? [metricRow(metric)] : [];
  });
  return `${head}\n${markdownTable(["Metric", "Type", "Labels", "What it tells"], rows)}`;
}

/** Of a process on manifests, or on `cluster`. */
function describe(cluster: OpenCluster | undefined): readonly MetricDescription[] {
  const config: Config = {
    ...decodeSettings(flags, []).settings,
    features: featureNames.map((name) => ({ name, on: true })),
  };
  const { metrics } = compose(config, {
    clock: systemClock,
    log: noLog,
    random: () => 0,
    newId: () => "",
    version: "",
    readTextFile: () => Promise.reject(new Error("no file is named")),
    mayWriteFile: () => Promise.resolve(true),
    writeSecretFile: () => Promise.resolve(),
    writeAccessLog: () => {},
    startPlanThread: () => ({ send() {}, terminate() {} }),
    ...cluster ? { cluster } : {},
  });
  return metrics.describe();
}

const silentTransport: ClusterTransport = {
  request: () => Promise.reject(new Error("nothing is asked")),
  open: () => Promise.reject(new Error("nothing is asked")),
};

const silentCluster: OpenCluster = {
  transport: silentTransport,
  leaseTransport: silentTransport,
  server: new URL("https://cluster.invalid"),
  isPod: true,
  delayedCount: () => 0,
  close() {},
};

const head = `# Metrics

Printed from the code by \`deno task docs\`. Which to watch, and alerts: [operations](operations.md).
A label with values behind it has only those; any other is capped per metric, and what is beyond the
cap is counted under \`other\`.
`;

function metricRow({ name, type, labels, help }: MetricDescription): readonly string[] {
  const shown = Object.entries(labels).map(([label, values]) =>
    values === openLabel ? label : `${label} (${values.join(", ")})`
  );
  return [`\`${name}\``, type, shown.join("; "), help];
}
