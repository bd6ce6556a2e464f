/** What is watched of the certificates in use: a metric with their ends, and events before them. */

import type { Clock } from "../base/clock.ts";
import type { MetricsRegistry } from "../base/metrics.ts";
import { openLabel } from "../base/metrics_labels.ts";
import type { Config } from "../config/flags.ts";
import { CertificateWatch } from "../gateway/certificate_watch.ts";
import type { State } from "../gateway/state.ts";
import type { EventRecorder } from "../gateway/event_recorder.ts";

/** Certificates whose end is a metric; of more those that end first. */
const listedMax = 1000;

/** What the watch is mounted on. */
export interface CertificateMountOptions {
  readonly state: State;
  readonly config: Pick<Config, "certificateWarningDays">;
  readonly registry: MetricsRegistry;
  readonly clock: Clock;
  readonly recorder: EventRecorder;
}

/** Builds the watch; it hears of commits and has to be run. */
export function mountCertificates(options: CertificateMountOptions): CertificateWatch {
  const { state, config, registry, clock, recorder } = options;
  registry.read({
    name: "weir_certificate_expiry_timestamp_seconds",
    help:
      "When a certificate in use expires, by its Secret; of more than 1,000 those that end first.",
    type: "gauge",
    labels: { namespace: openLabel, name: openLabel },
    seriesMax: listedMax,
    read: () => endsOf(state),
  });
  const watch = new CertificateWatch({
    clock,
    recorder,
    state,
    warningDays: config.certificateWarningDays,
  });
  state.onCommit((changes) => watch.onCommit(changes));
  return watch;
}

function endsOf({ outputs }: State) {
  return [...outputs.dataPlane.certificates.values()]
    .map(({ name, leaf }) => {
      const [namespace = "", secret = ""] = name.split("/");
      return [{ namespace, name: secret }, Date.parse(leaf.notAfter) / 1000] as const;
    })
    .sort(([, a], [, b]) => a - b)
    .slice(0, listedMax);
}
