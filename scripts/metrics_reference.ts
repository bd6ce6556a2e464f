/**
 * The page of metrics, printed from what a process with every feature registers.
 *
 * The process is composed and never run, so the page cannot forget a metric.
 */

import { compose } from "../src/app/compose.ts";
import { systemClock } from "../src/base/clock.ts";
import { noLog } from "../src/base/log.ts";
import type { MetricDescription } from "../src/base/metrics.ts";
import { openLabel } from "../src/base/metrics_labels.ts";
import { featureNames } from "../src/config/features.ts";
import { decodeSettings } from "../src/config/decode_settings.ts";
import { markdownTable } from "../src/config/flag_reference.ts";
import { type Config, flags } from "../src/config/flags.ts";

/** `docs/reference-metrics.md`. */
export function printMetricsReference(): string {
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
  });
  const rows = metrics.describe().map(metricRow);
  return `${head}\n${markdownTable(["Metric", "Type", "Labels", "What it tells"], rows)}`;
}

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
