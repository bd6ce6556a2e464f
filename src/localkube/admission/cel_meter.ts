/**
 * The bound on the work of rules.
 *
 * Everything that a rule does beyond a constant is iteration, so the elements that are iterated over
 * are what is counted; the lists and maps that rules see report them (cel_value.ts).
 */

/** Counts the elements that rules iterate over. */
export class CelMeter {
  readonly #max: number;
  #spent = 0;

  /** @param max elements that may be iterated over; the next one throws */
  constructor(max: number) {
    this.#max = max;
  }

  /** Whether the budget is used up. It stays so. */
  get isExhausted(): boolean {
    return this.#spent > this.#max;
  }

  /** Elements iterated over so far. */
  get spent(): number {
    return this.#spent;
  }

  /** Takes `count` elements from the budget; throws when there are not that many left. */
  spend(count: number): void {
    this.#spent += count;
    if (this.#spent > this.#max) throw new RangeError("cost budget used up");
  }
}
