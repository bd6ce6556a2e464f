/**
 * A memoised query: a pure function of its key and of what it reads through the same database.
 *
 * A query keeps nothing between runs, reads nothing but inputs and queries, and never catches what a
 * read throws. Check mode (check.ts) finds the ones that do.
 */

import { share } from "../base/equal.ts";
import type { Database } from "./database.ts";
import { MemoTable } from "./memo_table.ts";
import { MemoNode, noChange } from "./node.ts";

/** How a query is made. */
export interface QueryOptions<Key extends string, Value> {
  /** For traces and messages; unique within the database. */
  readonly name: string;
  readonly compute: (key: Key) => Value;
  /** Among what is wanted, and among barriers, a lower rank is verified first; 0 when left out. */
  readonly rank?: number;
  /**
   * For what many read and few changes alter: it is verified before everything else, and its readers
   * are looked at only if its value became another one. What it reads must come from inputs and from
   * barriers of a lower rank alone, through whatever queries. False when left out.
   */
  readonly isBarrier?: boolean;
  /**
   * `next` with what of `previous` is equal in its place; `previous` itself when all is: then nobody
   * is woken. {@linkcode share} when left out, so that results are plain data.
   */
  readonly keep?: (previous: Value, next: Value) => Value;
}

/** See the file's header. */
export class Query<Key extends string, Value> extends MemoTable<Key, Value> {
  readonly #options: QueryOptions<Key, Value>;

  constructor(database: Database, options: QueryOptions<Key, Value>) {
    super(database, options.name, options.rank ?? 0, options.isBarrier);
    this.#options = options;
  }

  override compute(key: Key): Value {
    return this.#options.compute(key);
  }

  override keep(previous: Value, next: Value): Value {
    const { keep } = this.#options;
    return keep ? keep(previous, next) : share(previous, next);
  }

  protected override makeNode(key: Key): MemoNode<Key, Value> {
    return new MemoNode<Key, Value>(this, key, noChange);
  }
}
