/**
 * Keys by group, handed out sorted: how sets of inputs are read.
 *
 * A group's sorted list is made when it is first read after a change and kept until the next one.
 * Empty groups are dropped. Of most keys there is one group; what says so is shared by its members,
 * because foreign objects shall weigh no more than their keys.
 */

import type { ObjectKey } from "../kube/object.ts";

interface Group<Name> {
  /** The groups of a key that is in this one alone. */
  readonly alone: readonly Name[];
  readonly members: Set<ObjectKey>;
  sorted: readonly ObjectKey[] | undefined;
}

/** See the file's header. */
export class GroupIndex<Name extends string> {
  readonly #groups = new Map<Name, Group<Name>>();
  readonly #groupsOf = new Map<ObjectKey, readonly Name[]>();

  /** Puts `key` into exactly these groups; none removes it. */
  set(key: ObjectKey, groups: readonly Name[]): void {
    for (const name of this.#groupsOf.get(key) ?? []) this.#leave(key, name);
    if (groups.length === 0) {
      this.#groupsOf.delete(key);
      return;
    }
    let joined: Group<Name> | undefined;
    for (const name of groups) joined = this.#join(key, name);
    this.#groupsOf.set(key, groups.length === 1 && joined ? joined.alone : groups);
  }

  /** The groups that `key` is in. */
  groupsOf(key: ObjectKey): readonly Name[] {
    return this.#groupsOf.get(key) ?? [];
  }

  /** The members of a group in the order of their keys. The list is not changed later. */
  members(group: Name): readonly ObjectKey[] {
    const found = this.#groups.get(group);
    if (!found) return [];
    return found.sorted ??= [...found.members].sort();
  }

  /** How many keys are known. */
  get size(): number {
    return this.#groupsOf.size;
  }

  #join(key: ObjectKey, name: Name): Group<Name> {
    let group = this.#groups.get(name);
    if (!group) {
      this.#groups.set(name, group = { alone: [name], members: new Set(), sorted: undefined });
    }
    group.members.add(key);
    group.sorted = undefined;
    return group;
  }

  #leave(key: ObjectKey, name: Name): void {
    const group = this.#groups.get(name);
    if (!group) return;
    group.members.delete(key);
    group.sorted = undefined;
    if (group.members.size === 0) this.#groups.delete(name);
  }
}
