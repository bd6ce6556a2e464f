/** Names that several want: each is there as long as somebody does. */

import { editSorted, noteEdit } from "../../base/sorted_edits.ts";

/** See the file's header. */
export class CountedNames<Name extends string> {
  readonly #counts = new Map<Name, number>();
  readonly #edits = new Map<Name, boolean>();
  #sorted: readonly Name[] = [];

  /** One more wants `name`. True when it is the first. */
  add(name: Name): boolean {
    const count = this.#counts.get(name) ?? 0;
    this.#counts.set(name, count + 1);
    if (count > 0) return false;
    noteEdit(this.#edits, name, true);
    return true;
  }

  /** One less wants `name`, which somebody wanted. True when it was the last. */
  remove(name: Name): boolean {
    const count = this.#counts.get(name) ?? 0;
    if (count > 1) {
      this.#counts.set(name, count - 1);
      return false;
    }
    if (this.#counts.delete(name)) noteEdit(this.#edits, name, false);
    return true;
  }

  /** The names that somebody wants, sorted; the same list while they are the same. */
  sorted(): readonly Name[] {
    if (this.#edits.size > 0) {
      this.#sorted = editSorted(this.#sorted, this.#edits);
      this.#edits.clear();
    }
    return this.#sorted;
  }
}
