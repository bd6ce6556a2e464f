/**
 * One series of a metric: the number that the hot path changes and the lines that a scrape reads.
 *
 * Changing a series allocates nothing; the text of its name and labels is made once, at creation.
 */

import { invariant } from "./invariant.ts";
import { formatNumber, formatSeries } from "./metrics_text.ts";

/** What a scrape asks of a series. */
export interface Sample {
  /** The series' lines, each with its line feed. */
  text(): string;
}

/** A counter's or gauge's series. */
export class ValueSeries implements Sample {
  readonly #prefix: string;
  #value = 0;

  /** @param labels the rendered labels, without braces */
  constructor(name: string, labels: string) {
    this.#prefix = formatSeries(name, labels);
  }

  /** Adds a non-negative amount. */
  inc(by = 1): void {
    invariant(by >= 0, "A counter only grows");
    this.#value += by;
  }

  /** Replaces the value. */
  set(value: number): void {
    this.#value = value;
  }

  /** Adds an amount, which may be negative. */
  add(by: number): void {
    this.#value += by;
  }

  text(): string {
    return `${this.#prefix}${formatNumber(this.#value)}\n`;
  }
}

/** A histogram's series: counts per bucket, kept separately and added up at a scrape. */
export class HistogramSeries implements Sample {
  readonly #bounds: readonly number[];
  /** One more than bounds: the last counts what exceeds them all. */
  readonly #counts: Float64Array;
  readonly #bucketPrefixes: readonly string[];
  readonly #sumPrefix: string;
  readonly #countPrefix: string;
  #sum = 0;

  /**
   * @param labels the rendered labels, without braces
   * @param bounds finite upper bounds, ascending
   */
  constructor(name: string, labels: string, bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
    const before = labels === "" ? "" : `${labels},`;
    this.#bucketPrefixes = [...bounds, Infinity].map((bound) =>
      formatSeries(`${name}_bucket`, `${before}le="${formatNumber(bound)}"`)
    );
    this.#sumPrefix = formatSeries(`${name}_sum`, labels);
    this.#countPrefix = formatSeries(`${name}_count`, labels);
  }

  /** Counts one observation; a bound belongs to its bucket. */
  observe(value: number): void {
    invariant(!Number.isNaN(value), "An observation is a number");
    const bounds = this.#bounds;
    let index = 0;
    // Linear: the usual observation is small and ends in one of the first buckets.
    while (index < bounds.length && value > (bounds[index] ?? Infinity)) index++;
    this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    this.#sum += value;
  }

  text(): string {
    let total = 0;
    let text = "";
    for (const [index, prefix] of this.#bucketPrefixes.entries()) {
      total += this.#counts[index] ?? 0;
      text += `${prefix}${formatNumber(total)}\n`;
    }
    return `${text}${this.#sumPrefix}${formatNumber(this.#sum)}\n${this.#countPrefix}${
      formatNumber(total)
    }\n`;
  }
}
