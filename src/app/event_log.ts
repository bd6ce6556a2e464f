/**
 * Events that are told of objects: counted, those of Secrets logged, all of them handed to the cluster
 * where there is one.
 *
 * The log hears of statuses by itself (status_log.ts), so events that follow from them are not logged.
 */

import type { Logger } from "../base/log.ts";
import type { MetricsRegistry } from "../base/metrics.ts";
import { type EventReason, type EventRecorder, eventTypes } from "../gateway/event_recorder.ts";

const reasons = Object.keys(eventTypes).filter((reason): reason is EventReason =>
  Object.hasOwn(eventTypes, reason)
);

/** Makes the recorder; `cluster` takes what is told as well. */
export function createEventLog(
  log: Logger,
  registry: MetricsRegistry,
  cluster?: EventRecorder,
): EventRecorder {
  const events = registry.counter({
    name: "weir_events_total",
    help: "Events that were told of objects, by type and reason.",
    labels: { type: ["Normal", "Warning"], reason: reasons },
  });
  return {
    record(event) {
      const { regarding, type, reason, action, note } = event;
      events.with({ type, reason }).inc();
      cluster?.record(event);
      const { kind, namespace, name } = regarding;
      if (kind !== "Secret") return;
      const object = `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
      const fields = { object, reason, action, note };
      if (type === "Warning") log.warn("Event", fields);
      else log.info("Event", fields);
    },
  };
}
