/** Why a status says what it says: values, with revisions and times as numbers. */

import type { DesiredCondition } from "../../kube/desired_status.ts";
import type { ConditionGroup } from "./condition_groups.ts";
import type { InputPlace } from "./input_words.ts";

/** An input that was read, as it is now. */
export interface ExplainedInput extends InputPlace {
  /** The change that made it what it is; 0: it has never been anything else. */
  readonly revision: number;
  /** Wall time of that change, milliseconds since the epoch; 0 when it is not known. */
  readonly timeMs: number;
  /** There is no such object, or no member of the set. */
  readonly isAbsent: boolean;
  /** Of a set: how many members there are. */
  readonly count?: number;
  /** The fields that the last change of the object altered; all of them when it came or went. */
  readonly changed: readonly string[];
}

/** One step from a condition down to an input. */
export interface ExplainedStep {
  /** A name for programs: that of the query, or `input`. */
  readonly step: string;
  /** What is computed or read, for a person. */
  readonly what: string;
  /** What came of it, for a person. */
  readonly concluded: string;
  /** At which it last became another one. */
  readonly revision: number;
  readonly timeMs: number;
}

/** When a condition became what it is. */
export interface ExplainedChange {
  /** Of the commit. */
  readonly revision: number;
  readonly timeMs: number;
  /** It has been so since the process first computed it: what was before is not known. */
  readonly isSinceStart: boolean;
  /** The newest change before; absent when it is not known. */
  readonly input?: ExplainedInput;
}

/** A condition, and why. */
export interface ExplainedCondition {
  readonly condition: DesiredCondition;
  /** What altered it, what its message names and what is missing first; then the nearest. */
  readonly because: readonly ExplainedInput[];
  /** More was read than is told. */
  readonly isTruncated: boolean;
  /** Inputs of other conditions of the object may be among what is told. */
  readonly isSuperset: boolean;
  /** From the status down to what altered it, else what is named or missing, else changed last. */
  readonly chain: readonly ExplainedStep[];
  readonly lastChange: ExplainedChange;
}

/** The conditions about one thing, in the order of the status. */
export interface ExplainedGroup extends Omit<ConditionGroup, "conditions"> {
  readonly conditions: readonly ExplainedCondition[];
}
