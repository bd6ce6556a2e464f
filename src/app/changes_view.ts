/** The change log as the HTTP API streams it: entries as events, revisions with their epoch. */

import type { ChangeEvent, GapEvent } from "../api/changes.ts";
import type { ChangeEntry, ChangeLog, GapReason } from "../gateway/change_log.ts";
import type { EventSink } from "../http/event_sink.ts";
import type { ChangesView } from "../http/views.ts";
import { parseObjectKey } from "../kube/object.ts";

/** UTF-16 units of the events that a stream begins with; beyond: a gap. */
const replayCharsMax = 4 * 1024 * 1024;

/** Makes the view over `log`. An entry becomes text once, however many follow it. */
export function createChangesView(
  log: ChangeLog,
  epoch: string,
  charsMax = replayCharsMax,
): ChangesView {
  const texts = new WeakMap<ChangeEntry, string>();
  const textOf = (entry: ChangeEntry): string => {
    let data = texts.get(entry);
    if (data === undefined) texts.set(entry, data = JSON.stringify(toEvent(entry, epoch)));
    return data;
  };
  const send = (sink: EventSink, entry: ChangeEntry): void =>
    sink.send({ event: "change", id: `${epoch}.${entry.revision}`, data: textOf(entry) });
  const isTooMuch = (entries: readonly ChangeEntry[]): boolean => {
    let chars = 0;
    return entries.some((entry) => (chars += textOf(entry).length) > charsMax);
  };
  return {
    follow(since, sink) {
      const found = since === undefined ? [] : entriesSince(log, epoch, since);
      const known = typeof found !== "string" && isTooMuch(found) ? "TooMuch" : found;
      if (typeof known === "string") {
        const gap: GapEvent = { revision: `${epoch}.${log.revision}`, reason: known };
        sink.mark(gap.revision);
        sink.send({ event: "gap", id: gap.revision, data: JSON.stringify(gap) });
      } else {
        sink.mark(since ?? `${epoch}.${log.revision}`);
        for (const entry of known) send(sink, entry);
      }
      return log.follow((entry) => send(sink, entry));
    },
  };
}

function entriesSince(
  log: ChangeLog,
  epoch: string,
  since: string,
): readonly ChangeEntry[] | GapReason | "ForeignEpoch" {
  const dot = since.lastIndexOf(".");
  return since.slice(0, dot) === epoch ? log.since(Number(since.slice(dot + 1))) : "ForeignEpoch";
}

function toEvent({ revision, timeMs, causes, changes, isWhole }: ChangeEntry, epoch: string) {
  return {
    revision: `${epoch}.${revision}`,
    time: new Date(timeMs).toISOString(),
    causes: causes.changes.map(({ kind, key, source, revision: made }) => {
      const { namespace, name } = parseObjectKey(key);
      const place = { kind, ...(namespace === undefined ? {} : { namespace }), name };
      return { ...place, source, revision: `${epoch}.${made}` };
    }),
    causeCount: causes.count,
    changes,
    isWhole,
  } satisfies ChangeEvent;
}
