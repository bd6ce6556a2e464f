/**
 * The latest changes of the outputs, each with its causes: what a stream of changes is fed from.
 *
 * One entry per commit that changed anything. The history is bounded by entries and by changes;
 * whoever asks for more than there is gets told. The first publication is no change: whoever follows
 * starts from a state that it has read. Listeners are called in order, one at a time, and may leave
 * while they are called.
 */

import type { OutputChanges } from "./diff.ts";
import type { InputCauses } from "./input_changes.ts";
import { outputChanges } from "./output_diff/output_diff.ts";
import type { OutputChange } from "./output_diff/output_change.ts";
import { noOutputs, type Outputs } from "./outputs.ts";

/** What one commit changed. */
export interface ChangeEntry {
  readonly revision: number;
  /** Wall time of the commit, milliseconds since the epoch. */
  readonly timeMs: number;
  readonly causes: InputCauses;
  readonly changes: readonly OutputChange[];
  /** False: there were more changes than an entry lists. */
  readonly isWhole: boolean;
}

/** The bounds of a log. */
export interface ChangeLogLimits {
  /** Entries that are kept. */
  readonly entriesMax: number;
  /** Changes that are kept in all entries together. */
  readonly changesMax: number;
  /** Changes that one entry lists. */
  readonly entryChangesMax: number;
  /** Causes that one entry lists. */
  readonly causesMax: number;
}

/** Some minutes of a busy cluster, some megabytes at most. */
const defaultChangeLogLimits: ChangeLogLimits = {
  entriesMax: 1000,
  changesMax: 10_000,
  entryChangesMax: 500,
  causesMax: 50,
};

/** Why a log cannot go on from a revision. */
export type GapReason = "TooOld" | "FutureRevision";

/** See the file's header. */
export class ChangeLog {
  readonly #takeCauses: (revision: number, listedMax: number) => InputCauses;
  readonly #now: () => number;
  readonly #limits: ChangeLogLimits;
  readonly #entries: ChangeEntry[] = [];
  readonly #listeners = new Set<(entry: ChangeEntry) => void>();
  #changeCount = 0;
  #outputs: Outputs = noOutputs;
  /** Everything after this revision is in the entries; undefined before the first publication. */
  #startRevision: number | undefined;

  constructor(
    takeCauses: (revision: number, listedMax: number) => InputCauses,
    now: () => number,
    limits: Partial<ChangeLogLimits> = {},
  ) {
    this.#takeCauses = takeCauses;
    this.#now = now;
    this.#limits = { ...defaultChangeLogLimits, ...limits };
  }

  /** The revision of the last commit; 0 before the first. */
  get revision(): number {
    return this.#outputs.revision;
  }

  /** Entries that are kept. */
  get size(): number {
    return this.#entries.length;
  }

  /** Notes a commit. */
  record(changes: OutputChanges, outputs: Outputs): void {
    const before = this.#outputs;
    this.#outputs = outputs;
    const causes = this.#takeCauses(outputs.revision, this.#limits.causesMax);
    if (this.#startRevision === undefined) {
      this.#startRevision = outputs.revision;
      return;
    }
    const found = this.#listChanges(before, outputs, changes);
    if (found.changes.length === 0) return;
    const entry = { revision: outputs.revision, timeMs: this.#now(), causes, ...found };
    this.#entries.push(entry);
    this.#changeCount += entry.changes.length;
    this.#trim();
    for (const listener of [...this.#listeners]) {
      if (this.#listeners.has(listener)) listener(entry);
    }
  }

  /** The entries after `revision`, or why they are not known. */
  since(revision: number): readonly ChangeEntry[] | GapReason {
    if (revision > this.revision) return "FutureRevision";
    if (this.#startRevision === undefined || revision < this.#startRevision) return "TooOld";
    const first = this.#entries.findIndex((entry) => entry.revision > revision);
    return first < 0 ? [] : this.#entries.slice(first);
  }

  /** Calls `listener` with every later entry; the returned function ends that. */
  follow(listener: (entry: ChangeEntry) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  #listChanges(
    before: Outputs,
    after: Outputs,
    changes: OutputChanges,
  ): Pick<ChangeEntry, "changes" | "isWhole"> {
    const listed: OutputChange[] = [];
    for (const change of outputChanges(before, after, changes)) {
      if (listed.length === this.#limits.entryChangesMax) {
        return { changes: listed, isWhole: false };
      }
      listed.push(change);
    }
    return { changes: listed, isWhole: true };
  }

  /** The newest entry always stays. */
  #trim(): void {
    const { entriesMax, changesMax } = this.#limits;
    let count = 0;
    let { length } = this.#entries;
    while (length > 1 && (length > entriesMax || this.#changeCount > changesMax)) {
      const dropped = this.#entries[count];
      if (!dropped) break;
      this.#changeCount -= dropped.changes.length;
      this.#startRevision = dropped.revision;
      count++;
      length--;
    }
    if (count > 0) this.#entries.splice(0, count);
  }
}
