/**
 * A memo over all members of a set that is brought up to date member by member.
 *
 * A plain memo that reads ten thousand others runs again, over all of them, when one changes. A fold
 * is told which of them changed: it keeps the value that it last saw of each, and hands the
 * differences to its `update`. It changes nothing of its own before all it needs is verified, so a
 * failing query leaves it as it was.
 */

import {
  dirtyFlag,
  type InputChange,
  LeafNode,
  MemoNode,
  type MemoOwner,
  pending,
  type QueryNode,
} from "./node.ts";
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

/** Everything that a fold has to take over, verified. */
export interface Gathered<Member, Part> {
  readonly members: readonly Member[];
  readonly changes: readonly FoldChange<Member, Part>[];
  readonly cause: InputChange;
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

  /** `node`, which this one reads, may be another one. */
  touch(node: QueryNode): void {
    this.#touched.push(node);
  }

  /** The parts that it reads. */
  *partNodes(): Generator<MemoNode<Member, Part>> {
    for (const member of this.#parts.keys()) yield this.owner.parts.nodeOf(member);
  }

  /** Verifies what may have changed. Undefined: nothing has. */
  gather(refresher: Refresher): Gathered<Member, Part> | undefined {
    const source = this.owner.members.nodeOf(this.key);
    if (this.dependencies.length === 0) {
      addReader(source, this);
      this.dependencies = [source];
    }
    if (source.flags & dirtyFlag && source instanceof MemoNode) refresher.refresh(source);
    const isNew = this.value === pending;
    const hasOtherMembers = isNew || source.changedAt > this.verifiedAt;
    const members = hasOtherMembers ? this.owner.members.membersOf(this.key) : this.#members;
    const { added, removed } = diffMembers(this.#members, members);
    const changes: FoldChange<Member, Part>[] = [];
    let newest: QueryNode = hasOtherMembers ? source : this;
    for (const member of removed) {
      changes.push(changeOf(member, this.#parts.get(member), undefined));
    }
    for (const [member, node] of this.#changedParts(removed, refresher)) {
      const before = this.#parts.get(member);
      if (node.value === pending || before === node.value) continue;
      changes.push(changeOf(member, before, node.value));
      if (isNewer(node, newest)) newest = node;
    }
    for (const member of added) {
      const node = this.owner.parts.nodeOf(member);
      refresher.refresh(node);
      if (node.value === pending) continue;
      changes.push(changeOf(member, undefined, node.value));
      if (isNewer(node, newest)) newest = node;
    }
    if (!isNew && changes.length === 0) this.#take(members);
    return isNew || changes.length > 0 ? { members, changes, cause: newest.cause } : undefined;
  }

  /** Takes over what was gathered. `cut` removes the edge to a part that is not read any more. */
  apply(
    { members, changes }: Gathered<Member, Part>,
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
    this.#take(members);
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

  #take(members: readonly Member[]): void {
    this.#members = members;
    this.#touched = [];
  }

  #changedParts(
    removed: readonly Member[],
    refresher: Refresher,
  ): Map<Member, MemoNode<Member, Part>> {
    const found = new Map<Member, MemoNode<Member, Part>>();
    if (this.#touched.length === 0) return found;
    const gone = new Set<string>(removed);
    for (const touched of this.#touched) {
      if (!(touched instanceof MemoNode) || gone.has(touched.key)) continue;
      const member = this.#memberOf(touched);
      if (member === undefined || found.has(member)) continue;
      const node = this.owner.parts.nodeOf(member);
      refresher.refresh(node);
      found.set(member, node);
    }
    return found;
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
