/** A history of the conditions of a running engine, from its first publication on. */

import type { Clock } from "../../base/clock.ts";
import { causeOf } from "../../query/explain.ts";
import type { State } from "../state.ts";
import { ConditionHistory } from "./condition_history.ts";

/** Makes a history that is told of every commit of `state`, which has not published yet. */
export function followConditions(
  state: Pick<State, "view" | "onCommit">,
  clock: Pick<Clock, "now">,
): ConditionHistory {
  const history = new ConditionHistory(
    (kind, key) => causeOf(state.view.statuses[kind], key),
    () => clock.now(),
  );
  state.onCommit((changes, outputs) => history.record(changes, outputs));
  return history;
}
