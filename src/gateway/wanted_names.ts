/**
 * Queries that are wanted by name, while configurations name them: clusters and certificates.
 *
 * Several listeners may name the same; each name is wanted once, from the first to the last.
 */

import type { SortedMap } from "../base/sorted_map.ts";
import { diffMembers } from "../query/member_diff.ts";
import type { MemoTable } from "../query/memo_table.ts";
import { CountedNames } from "./compute/counted_names.ts";
import { type Edited, editMap } from "./edit_map.ts";

/** The names that one Gateway wants, by listener. */
export type NameLists<Name> = readonly (readonly Name[])[];

/** See the file's header. */
export class WantedNames<Name extends string, Value extends NonNullable<unknown>> {
  readonly #table: MemoTable<Name, Value | undefined>;
  readonly #counted = new CountedNames<Name>();
  /** What nobody names any more, until it is told. */
  readonly #dropped = new Set<Name>();

  constructor(table: MemoTable<Name, Value | undefined>) {
    this.#table = table;
  }

  /** A Gateway names `after` where it named `before`. Lists that are the same are not walked. */
  replace(before: NameLists<Name> = [], after: NameLists<Name> = []): void {
    for (let index = 0; index < Math.max(before.length, after.length); index++) {
      const { added, removed } = diffMembers(before[index] ?? [], after[index] ?? []);
      for (const name of added) {
        if (!this.#counted.add(name)) continue;
        this.#dropped.delete(name);
        this.#table.want(name);
      }
      for (const name of removed) if (this.#counted.remove(name)) this.#dropped.add(name);
    }
  }

  /** `map` with what became of the names since the last call. What is dropped is let go. */
  edit(map: SortedMap<Name, Value>): Edited<Name, Value> {
    const changes: { readonly key: Name; readonly after: Value | undefined }[] = [];
    for (const name of this.#dropped) {
      this.#table.unwant(name);
      changes.push({ key: name, after: undefined });
    }
    this.#dropped.clear();
    return editMap(map, [...changes, ...this.#table.takeChanges()]);
  }
}
