/**
 * Queries that are wanted by name, while configurations name them: clusters and certificates.
 *
 * Several listeners may name the same; each name is wanted once, from the first to the last.
 */

import { diffMembers } from "../query/member_diff.ts";
import type { MemoTable, OpenChanges } from "../query/memo_table.ts";
import { CountedNames } from "./compute/counted_names.ts";

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

  /** Whether there is anything to tell. */
  get hasChanges(): boolean {
    return this.#dropped.size > 0 || this.#table.hasChanges;
  }

  /** What became of the names since it was told last, with those that nobody names any more. */
  openChanges(): OpenChanges<Name, Value | undefined> {
    const open = this.#table.openChanges();
    const dropped = this.#dropped;
    return {
      *[Symbol.iterator]() {
        for (const key of dropped) yield { key, before: undefined, after: undefined };
        for (const change of open) if (!dropped.has(change.key)) yield change;
      },
      putBack: () => open.putBack(),
    };
  }

  /** Nothing asks any more about what is dropped. May be called again before it is told. */
  letGo(): void {
    for (const name of this.#dropped) this.#table.unwant(name);
  }

  /** What is dropped was told. */
  forgetDropped(): void {
    this.#dropped.clear();
  }
}
