/**
 * How often the reading of a cluster looks, and how long it waits.
 */

import { defaultReflectorPace, type ReflectorPace } from "./reflector.ts";

/** See the file's header. */
export interface InformerPace {
  readonly reflector: ReflectorPace;
  /** How often a kind that is not there is looked for, milliseconds, a fifth more or less. */
  readonly absentPollMs: number;
  /** How long a kind has to be gone before its objects are, milliseconds. */
  readonly absenceConfirmMs: number;
}

/** The pace for a real cluster. */
export const defaultInformerPace: InformerPace = {
  reflector: defaultReflectorPace,
  absentPollMs: 10_000,
  absenceConfirmMs: 5_000,
};
