/**
 * The faults that were found in one object, at most so many.
 *
 * An object of a megabyte can have a hundred thousand faults, and nobody reads more than a screen
 * of them: past the limit they are counted, and one last entry says how many there were.
 */

import { type FieldError, invalid, noField } from "./field_error.ts";

/** Faults that are listed one by one. */
export const faultsMax = 100;

/** Reasons after which rules are not run: the object has not the shape that they were written for. */
const blockingReasons: ReadonlySet<string> = new Set([
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);

/** Collects faults. */
export class FaultList {
  readonly #faults: FieldError[] = [];
  #count = 0;
  #isBlocking = false;

  /** Faults found, listed or not. */
  get count(): number {
    return this.#count;
  }

  /** Whether a fault was found that keeps the CEL rules from running. */
  get isBlocking(): boolean {
    return this.#isBlocking;
  }

  /** Adds a fault. */
  add(fault: FieldError): void {
    this.#count++;
    if (blockingReasons.has(fault.reason)) this.#isBlocking = true;
    if (this.#faults.length < faultsMax) this.#faults.push(fault);
  }

  /** Adds all faults of `other`. */
  addAll(other: FaultList): void {
    for (const fault of other.#faults) this.add(fault);
    this.#count += other.#count - other.#faults.length;
    if (other.#isBlocking) this.#isBlocking = true;
  }

  /** The faults in the order in which they were found. */
  toCauses(): readonly FieldError[] {
    const unlisted = this.#count - this.#faults.length;
    if (unlisted === 0) return this.#faults;
    return [
      ...this.#faults,
      invalid(noField, this.#count, `${unlisted} more faults are not listed`),
    ];
  }
}
