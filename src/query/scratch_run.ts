/**
 * A computation from scratch beside the memos, for check mode: nothing is recorded, nothing kept.
 *
 * The first memo that differs from its fresh value, in the order in which values are finished, is the
 * culprit: everything it read was finished before and did not differ.
 */

/** Where the memos and a computation from scratch part. */
export interface Difference {
  /** From the value that was checked down to the memo that is wrong, as `query "key"`. */
  readonly path: readonly string[];
  readonly query: string;
  readonly key: string;
  readonly memoised: unknown;
  readonly fresh: unknown;
  /** Inputs and queries that the fresh computation read and the memo has no record of. */
  readonly unrecorded: readonly string[];
}

/** A table whose fresh values are forgotten at the end. */
export interface ScratchTable {
  forgetFresh(): void;
}

/** See the file's header. */
export class ScratchRun {
  readonly #tables = new Set<ScratchTable>();
  readonly #path: string[] = [];
  /** What each query of the path has read so far. */
  readonly #reads: Set<string>[] = [];
  #difference: Difference | undefined;

  /** The first difference found; later ones follow from it. */
  get difference(): Difference | undefined {
    return this.#difference;
  }

  /** Notes a read of what `what` describes. */
  noteRead(what: string): void {
    this.#reads.at(-1)?.add(what);
  }

  /** Computes one value, and returns it with what it read. */
  compute<Value>(
    table: ScratchTable,
    what: string,
    work: () => Value,
  ): { readonly value: Value; readonly reads: ReadonlySet<string> } {
    this.#tables.add(table);
    const reads = new Set<string>();
    this.#path.push(what);
    this.#reads.push(reads);
    try {
      return { value: work(), reads };
    } finally {
      this.#path.pop();
      this.#reads.pop();
    }
  }

  /** Keeps the first difference; its path is completed from the queries that wait for it. */
  report(what: string, difference: Omit<Difference, "path">): void {
    this.#difference ??= { ...difference, path: [...this.#path, what] };
  }

  /** Forgets all fresh values. */
  end(): void {
    for (const table of this.#tables) table.forgetFresh();
    this.#tables.clear();
  }
}
