/**
 * A memo over all members of a set that is brought up to date member by member.
 *
 * A plain memo that reads ten thousand others runs again, over all of them, when one changes. A fold
 * is told which of them changed: it keeps the value that it last saw of each, and hands the
 * differences to its `update`, all at once or in passes. Between two passes its state is ahead of its
 * value; whoever ends them there has it go on from what it accounts for.
 */

import { dirtyFlag, LeafNode, MemoNode, type MemoOwner, pending, type QueryNode } from "./node.ts";
import { addReader } from "./readers.ts";
import { isNewer } from "./dependencies.ts";
import { diffMembers } from "./member_diff.ts";

/** What became of one member: it came (no `before`), left (no `after`), or has another part. */
export interface FoldChange<Member, Part> {
  readonly member: Member;
  readonly before?: Part;
  readonly after?: Part;
}

/** Where a fold finds its members: a set of inputs, or a query whose result is a list. */
export interface MemberSource<Key extends string, Member> {
  /** The node to depend on. */
  nodeOf(key: Key): LeafNode | MemoNode<Key, readonly Member[]>;
  /** A tracked read. */
  get(key: Key): readonly Member[];
  /** The members, each once, when that node is up to date. */
  membersOf(key: Key): readonly Member[];
}

/** Where a fold finds the part of a member: a query. */
export interface PartSource<Member extends string, Part> {
  nodeOf(member: Member): MemoNode<Member, Part>;
}

/** The query that a fold belongs to. */
export interface FoldOwner<Key extends string, Member extends string, Part, State, Value>
  extends MemoOwner<Key, Value> {
  readonly members: MemberSource<Key, Member>;
  readonly parts: PartSource<Member, Part>;
  start(key: Key): State;
  update(state: State, changes: readonly FoldChange<Member, Part>[]): Value;
}

/** Brings a memo up to date; the database does it. */
export interface Refresher {
  refresh(node: MemoNode): void;
}

/** What a fold has to take over, verified: all of it, or as much as one pass takes. */
export interface FoldPass<Member, Part> {
  readonly members: readonly Member[];
  readonly changes: readonly FoldChange<Member, Part>[];
  /** The newest of all that was taken over since the last value. */
  readonly newest: QueryNode;
  readonly isLast: boolean;
}

/** See the file's header. */
export class FoldNode<
  Key extends string = string,
  Member extends string = string,
  Part extends NonNullable<unknown> = NonNullable<unknown>,
  State extends NonNullable<unknown> = NonNullable<unknown>,
  Value = unknown,
> extends MemoNode<Key, Value> {
  declare readonly owner: FoldOwner<Key, Member, Part, State, Value>;
  #state: State | undefined;
  #members: readonly Member[] = [];
  /** The part of each member that the value accounts for. */
  readonly #parts = new Map<Member, Part>();
  /** What it reads and what became dirty since; some of it may be gone again. */
  #touched: QueryNode[] = [];
  /** While the state is ahead of the value: the newest of what it was brought ahead by. */
  #ahead: QueryNode | undefined;

  /** `node`, which this one reads, may be another one. */
  touch(node: QueryNode): void {
    this.#touched.push(node);
  }

  /** The parts that it reads. */
  *partNodes(): Generator<MemoNode<Member, Part>> {
    for (const member of this.#parts.keys()) yield this.owner.parts.nodeOf(member);
  }

  /**
   * Verifies what may have changed, in passes of at most `changesMax` changes. Each is applied before
   * the next one is asked for. No pass: nothing has changed.
   */
  *gather(refresher: Refresher, changesMax: number): Generator<FoldPass<Member, Part>> {
    const source = this.#verifiedSource(refresher);
    const isDue = this.value === pending || this.#ahead !== undefined;
    const hasOtherMembers = isDue || source.changedAt > this.verifiedAt;
    const members = hasOtherMembers ? this.owner.members.membersOf(this.key) : this.#members;
    let newest: QueryNode = this.#ahead ?? (hasOtherMembers ? source : this);
    let changes: FoldChange<Member, Part>[] = [];
    let isFirst = true;
    for (const { change, node } of this.#changes(members, refresher)) {
      if (changes.length >= changesMax) {
        yield { members, changes, newest, isLast: false };
        changes = [];
        isFirst = false;
      }
      changes.push(change);
      if (node && isNewer(node, newest)) newest = node;
    }
    if (isDue || !isFirst || changes.length > 0) yield { members, changes, newest, isLast: true };
    else this.#settle(members);
  }

  /** Takes over a pass. `cut` removes the edge to a part that is not read any more. */
  apply(
    { members, changes, newest, isLast }: FoldPass<Member, Part>,
    cut: (part: MemoNode) => void,
  ): Value {
    for (const { member, before, after } of changes) {
      const node = this.owner.parts.nodeOf(member);
      if (after === undefined) {
        this.#parts.delete(member);
        cut(node);
      } else {
        if (before === undefined) addReader(node, this);
        this.#parts.set(member, after);
      }
    }
    if (isLast) this.#settle(members);
    else this.#ahead = newest;
    try {
      if (this.#state !== undefined) return this.owner.update(this.#state, changes);
      this.#state = this.owner.start(this.key);
      const all = [...this.#parts].map(([member, part]) => changeOf(member, undefined, part));
      return this.owner.update(this.#state, all);
    } catch (error) {
      // Half an update is in the state: the next one starts over.
      this.#state = undefined;
      this.value = pending;
      throw error;
    }
  }

  #verifiedSource(refresher: Refresher): LeafNode | MemoNode<Key, readonly Member[]> {
    const source = this.owner.members.nodeOf(this.key);
    if (this.dependencies.length === 0) {
      addReader(source, this);
      this.dependencies = [source];
    }
    if (source.flags & dirtyFlag && source instanceof MemoNode) refresher.refresh(source);
    return source;
  }

  /** The value, once it is there, accounts for `members`. */
  #settle(members: readonly Member[]): void {
    this.#members = members;
    this.#touched = [];
    this.#ahead = undefined;
  }

  /** What differs from what the state accounts for, one after the other, each verified. */
  *#changes(
    members: readonly Member[],
    refresher: Refresher,
  ): Generator<{ readonly change: FoldChange<Member, Part>; readonly node?: MemoNode }> {
    const { added, removed } = diffMembers(
      this.#ahead ? [...this.#parts.keys()] : this.#members,
      members,
    );
    const gone = new Set<string>(removed);
    const touched = new Set(this.#touched);
    for (const member of removed) {
      yield { change: changeOf(member, this.#parts.get(member), undefined) };
    }
    for (const found of touched) {
      if (!(found instanceof MemoNode) || gone.has(found.key)) continue;
      const member = this.#memberOf(found);
      if (member === undefined) continue;
      const node = this.owner.parts.nodeOf(member);
      refresher.refresh(node);
      const before = this.#parts.get(member);
      if (node.value === pending || before === node.value) continue;
      yield { change: changeOf(member, before, node.value), node };
    }
    for (const member of added) {
      const node = this.owner.parts.nodeOf(member);
      refresher.refresh(node);
      if (node.value === pending) continue;
      yield { change: changeOf(member, undefined, node.value), node };
    }
  }

  #memberOf(node: MemoNode): Member | undefined {
    if (!this.#isMember(node.key)) return undefined;
    // The source of the members may be a query with the same key.
    return this.owner.parts.nodeOf(node.key) === node ? node.key : undefined;
  }

  #isMember(key: string): key is Member {
    const parts: ReadonlyMap<string, Part> = this.#parts;
    return parts.has(key);
  }
}

function changeOf<Member, Part>(
  member: Member,
  before: Part | undefined,
  after: Part | undefined,
): FoldChange<Member, Part> {
  if (before === undefined) return after === undefined ? { member } : { member, after };
  return after === undefined ? { member, before } : { member, before, after };
}

/** What `node` read: in order; of a fold, its set and then the parts of its members. */
export function* dependenciesOf(node: MemoNode): Generator<LeafNode | MemoNode> {
  for (const dependency of node.dependencies) {
    if (dependency instanceof LeafNode || dependency instanceof MemoNode) yield dependency;
  }
  if (node instanceof FoldNode) yield* node.partNodes();
}
