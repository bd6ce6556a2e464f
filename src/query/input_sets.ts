/**
 * An input: sets by name, such as "the routes of this parent".
 *
 * A set is read as a whole and in order; a new member wakes those who read its set and nobody else.
 * A set that nothing is in is read like any other. Lists that were handed out do not change later.
 */

import { editSorted, noteEdit } from "../base/sorted_edits.ts";
import type { Database } from "./database.ts";
import type { MemberSource } from "./fold_node.ts";
import { describeInput, type InputChange, LeafNode, type LeafOwner, noChange } from "./node.ts";

interface Group<Member> {
  /** Sorted, as of the last read. */
  members: readonly Member[];
  /** What came (true) and left (false) since. */
  readonly edits: Map<Member, boolean>;
  size: number;
  change: InputChange;
  leaf: LeafNode | undefined;
}

/** See the file's header. Members are sorted as text. */
export class InputSets<Name extends string, Member extends string>
  implements LeafOwner, MemberSource<Name, Member> {
  readonly name: string;
  readonly #database: Database;
  readonly #groups = new Map<string, Group<Member>>();
  readonly #groupsOf = new Map<Member, readonly Name[]>();

  constructor(database: Database, name: string) {
    this.name = name;
    this.#database = database;
  }

  /** How many members there are in any set. */
  get size(): number {
    return this.#groupsOf.size;
  }

  /** How many sets are known, empty ones that something reads included. */
  get groupCount(): number {
    return this.#groups.size;
  }

  /** Puts `member` into exactly these sets. False when it was in these before. */
  set(member: Member, groups: readonly Name[]): boolean {
    const before = this.#groupsOf.get(member) ?? [];
    const left = before.filter((group) => !groups.includes(group));
    const entered = groups.filter((group) => !before.includes(group));
    if (left.length === 0 && entered.length === 0) return false;
    if (groups.length === 0) this.#groupsOf.delete(member);
    else this.#groupsOf.set(member, groups);
    this.#database.transaction(0, () => {
      for (const group of left) this.#edit(group, member, false);
      for (const group of new Set(entered)) this.#edit(group, member, true);
    });
    return true;
  }

  /** The sets that `member` is in, for who is no query. */
  groupsOf(member: Member): readonly Name[] {
    return this.#groupsOf.get(member) ?? [];
  }

  /** A tracked read of the members of `name`, sorted. */
  get(name: Name): readonly Member[] {
    if (this.#database.isRecording) this.#database.record(this.nodeOf(name));
    else this.#database.scratch?.noteRead(describeInput(this.name, name, ""));
    return this.membersOf(name);
  }

  /** The members, for who is no query. */
  membersOf(name: Name): readonly Member[] {
    const group = this.#groups.get(name);
    if (!group) return noMembers;
    if (group.edits.size > 0) {
      group.members = editSorted(group.members, group.edits);
      group.edits.clear();
    }
    return group.members;
  }

  /** For the files beside. */
  nodeOf(name: Name): LeafNode {
    let group = this.#groups.get(name);
    if (!group) {
      this.#groups.set(name, group = emptyGroup(noChange));
    }
    if (!group.leaf) {
      group.leaf = new LeafNode(this, name, 0, "", group.change);
      this.#database.consider(group.leaf);
    }
    return group.leaf;
  }

  /** For the files beside. */
  countOf({ key }: LeafNode): number {
    return this.#groups.get(key)?.size ?? 0;
  }

  /** For the database. */
  forget({ key }: LeafNode): void {
    const group = this.#groups.get(key);
    if (!group) return;
    group.leaf = undefined;
    if (group.size === 0) this.#groups.delete(key);
  }

  #edit(name: Name, member: Member, hasEntered: boolean): void {
    const change = {
      ...this.#database.advance(this.name, name, memberSlice),
      member: { key: member, hasEntered },
    };
    let group = this.#groups.get(name);
    if (!group) this.#groups.set(name, group = emptyGroup(change));
    noteEdit(group.edits, member, hasEntered);
    group.size += hasEntered ? 1 : -1;
    group.change = change;
    if (group.leaf) this.#database.leafChanged(group.leaf, change);
    else if (group.size === 0) this.#groups.delete(name);
  }
}

function emptyGroup<Member>(change: InputChange): Group<Member> {
  return { members: noMembers, edits: new Map(), size: 0, change, leaf: undefined };
}

const noMembers: readonly never[] = [];
const memberSlice = ["members"] as const;
