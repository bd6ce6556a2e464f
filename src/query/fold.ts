/**
 * A query over all members of a set, told which of them changed instead of reading all again.
 *
 * The result must be the same however the changes were cut up: from a fresh state with all members
 * at once, or one by one. Check mode holds it to that.
 */

import { share } from "../base/equal.ts";
import type { Database } from "./database.ts";
import { type FoldChange, FoldNode, type FoldOwner, type MemberSource } from "./fold_node.ts";
import { MemoTable } from "./memo_table.ts";

import { type MemoNode, noChange } from "./node.ts";

/** How a fold is made. */
export interface FoldOptions<Key extends string, Member extends string, Part, State, Value> {
  readonly name: string;
  /** Among what is wanted, a lower rank is verified first; 0 when left out. */
  readonly rank?: number;
  readonly members: MemberSource<Key, Member>;
  /** What is read of each member. */
  readonly parts: MemoTable<Member, Part>;
  /** The state of no members; the fold alone holds and changes it. */
  readonly start: (key: Key) => State;
  /**
   * Takes `changes` over into `state`, in no order, and returns the result, which later calls do not
   * change.
   */
  readonly update: (state: State, changes: readonly FoldChange<Member, Part>[]) => Value;
  /** As in a query; for a long result something that compares by reference. */
  readonly keep?: (previous: Value, next: Value) => Value;
}

/** See the file's header. */
export class Fold<
  Key extends string,
  Member extends string,
  Part extends NonNullable<unknown>,
  State extends NonNullable<unknown>,
  Value,
> extends MemoTable<Key, Value> implements FoldOwner<Key, Member, Part, State, Value> {
  readonly members: MemberSource<Key, Member>;
  readonly parts: MemoTable<Member, Part>;
  readonly #options: FoldOptions<Key, Member, Part, State, Value>;

  constructor(database: Database, options: FoldOptions<Key, Member, Part, State, Value>) {
    super(database, options.name, options.rank ?? 0);
    this.members = options.members;
    this.parts = options.parts;
    this.#options = options;
  }

  start(key: Key): State {
    return this.#options.start(key);
  }

  update(state: State, changes: readonly FoldChange<Member, Part>[]): Value {
    return this.#options.update(state, changes);
  }

  override compute(key: Key): Value {
    const members = this.members.get(key);
    const all = members.map((member) => ({ member, after: this.parts.get(member) }));
    return this.update(this.start(key), all);
  }

  override keep(previous: Value, next: Value): Value {
    const { keep } = this.#options;
    return keep ? keep(previous, next) : share(previous, next);
  }

  protected override makeNode(key: Key): MemoNode<Key, Value> {
    return new FoldNode<Key, Member, Part, State, Value>(this, key, noChange);
  }
}
