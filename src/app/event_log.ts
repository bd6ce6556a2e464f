/** Events as log records and a count, as long as there is no cluster to write them to. */

import type { Logger } from "../base/log.ts";
import type { MetricsRegistry } from "../base/metrics.ts";
import { type EventReason, type EventRecorder, eventTypes } from "../gateway/event_recorder.ts";

const reasons = Object.keys(eventTypes).filter((reason): reason is EventReason =>
  Object.hasOwn(eventTypes, reason)
);

/** Makes the recorder. */
export function createEventLog(log: Logger, registry: MetricsRegistry): EventRecorder {
  const events = registry.counter({
    name: "weir_events_total",
    help: "Events that were told of objects, by type and reason.",
    labels: { type: ["Normal", "Warning"], reason: reasons },
  });
  return {
    record({ regarding, type, reason, action, note }) {
      events.with({ type, reason }).inc();
      const { kind, namespace, name } = regarding;
      const object = `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
      const fields = { object, reason, action, note };
      if (type === "Warning") log.warn("Event", fields);
      else log.info("Event", fields);
    },
  };
}
