/**
 * Check mode: wanted values are computed once more from scratch and held against the memos.
 *
 * A difference is a broken query (one that reads behind the database's back, keeps something between
 * runs, or changes a result that it has returned) or a fold whose update does not add up. One check
 * serves many values of one revision: what they share is computed once.
 */

import type { Database } from "./database.ts";
import type { MemoTable } from "./memo_table.ts";
import { type Difference, ScratchRun } from "./scratch_run.ts";

/** See the file's header. */
export class Check {
  readonly #database: Database;
  readonly #run = new ScratchRun();

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Compares the value of `key`, and all that it follows from. Returns the first difference that this
   * check has found. Memos that are not up to date are not compared.
   */
  compare<Key extends string, Value>(
    table: MemoTable<Key, Value>,
    key: Key,
  ): Difference | undefined {
    this.#database.withScratch(this.#run, () => table.get(key));
    return this.#run.difference;
  }

  /** Forgets what was computed. The inputs must not change before. */
  end(): void {
    this.#run.end();
  }
}

/** A difference as lines for a log: the path, then what was not recorded. Holds no values. */
export function describeDifference({ path, unrecorded }: Difference): string {
  const reads = unrecorded.length === 0
    ? "it recorded every read, so it is not a pure function of them"
    : `not recorded: ${unrecorded.join(", ")}`;
  return `${path.join(" -> ")}: the memo differs from a computation from scratch; ${reads}`;
}
