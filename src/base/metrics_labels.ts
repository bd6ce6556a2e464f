/**
 * The label sets of a metric and the table of its series.
 *
 * Label names are fixed when the metric is registered. The values of a closed label are listed; those
 * of an open one come from outside (a route, a Gateway), so the series of a metric are capped.
 * At the cap, and for a value that is not listed or too long, the look-up answers the series whose
 * value is `other` instead, and the overflow is counted: memory stays bounded and no event is lost.
 */

import { formatLabels } from "./metrics_text.ts";

/** Marks a label whose values are not known in advance. */
export const openLabel = "open";

/** The label value that stands for all that found no series of their own. */
const otherValue = "other";

/** Label names in order of output, each with its values, or {@linkcode openLabel}. */
export type LabelSchema = Readonly<Record<string, readonly string[] | typeof openLabel>>;

/** The labels that a look-up takes: the listed values of a closed label, any string of an open one. */
export type LabelsOf<Schema extends LabelSchema> = {
  readonly [Name in keyof Schema]: Schema[Name] extends readonly (infer Value extends string)[]
    ? Value
    : string;
};

/** Series of one metric beyond which look-ups answer `other`. */
export const seriesDefaultMax = 1000;

/** UTF-16 units of a label value; a longer one is `other`. Covers `namespace/name` and a section. */
export const labelValueLengthMax = 640;

interface Entry<Series> {
  readonly values: readonly string[];
  readonly isOther: boolean;
  readonly series: Series;
}

/** What a {@linkcode SeriesTable} is made of. */
export interface SeriesTableOptions<Series> {
  readonly schema: LabelSchema;
  readonly seriesMax: number;
  /** @param labels the rendered labels, without braces */
  readonly create: (labels: string) => Series;
  /** Called at each look-up that is answered with `other`. */
  readonly onOverflow: () => void;
}

/** See the file's header for the promises. Iterates in the order of creation. */
export class SeriesTable<Series> {
  readonly #options: SeriesTableOptions<Series>;
  readonly #names: readonly string[];
  readonly #entries = new Map<string, Entry<Series>>();
  /** Series that are not `other`; those are bounded by the closed labels and not counted. */
  #ownCount = 0;

  constructor(options: SeriesTableOptions<Series>) {
    this.#options = options;
    this.#names = Object.keys(options.schema);
  }

  /** The series of `labels`, created at first use, or the `other` that stands for it. */
  lookup(labels: Readonly<Record<string, string>>): Series {
    const values = this.#names.map((name) => labels[name] ?? "");
    const known = this.#entries.get(keyOf(values));
    if (known) return known.series;
    const others = values.map((value, index) => this.#otherwise(index, value));
    const isOther = values.includes(otherValue) && keyOf(values) === keyOf(others);
    if (isOther) return this.#create(values, true);
    if (this.#ownCount < this.#options.seriesMax && values.every(this.#isAllowed, this)) {
      this.#ownCount++;
      return this.#create(values, false);
    }
    this.#options.onOverflow();
    return this.#entries.get(keyOf(others))?.series ?? this.#create(others, true);
  }

  /**
   * Removes every series whose labels equal all those given, and returns how many. The `other`
   * series stay, because they speak for many. A handle that somebody still holds counts on unseen.
   */
  remove(labels: Readonly<Record<string, string | undefined>>): number {
    const wanted = this.#names.map((name) => labels[name]);
    const whole = wanted.filter((value) => value !== undefined);
    if (whole.length === wanted.length) return this.#removeOne(keyOf(whole));
    let removed = 0;
    for (const [key, entry] of this.#entries) {
      const matches = wanted.every((value, index) =>
        value === undefined || value === entry.values[index]
      );
      if (!matches || entry.isOther) continue;
      this.#entries.delete(key);
      this.#ownCount--;
      removed++;
    }
    return removed;
  }

  #removeOne(key: string): number {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.isOther) return 0;
    this.#entries.delete(key);
    this.#ownCount--;
    return 1;
  }

  /** Every series. */
  *[Symbol.iterator](): Iterator<Series> {
    for (const entry of this.#entries.values()) yield entry.series;
  }

  #create(values: readonly string[], isOther: boolean): Series {
    const series = this.#options.create(formatLabels(this.#names, values));
    this.#entries.set(keyOf(values), { values, isOther, series });
    return series;
  }

  /** What the label at `index` says in the series that stands for those without their own. */
  #otherwise(index: number, value: string): string {
    return this.#isListed(index, value) ? value : otherValue;
  }

  /** Whether `value` may have a series of its own. */
  #isAllowed(value: string, index: number): boolean {
    const isOpen = this.#options.schema[this.#names[index] ?? ""] === openLabel;
    return isOpen ? value.length <= labelValueLengthMax : this.#isListed(index, value);
  }

  /** Whether `value` is one of the listed values of a closed label. */
  #isListed(index: number, value: string): boolean {
    const allowed = this.#options.schema[this.#names[index] ?? ""];
    return allowed !== undefined && allowed !== openLabel && allowed.includes(value);
  }
}

/** Unambiguous whatever the values hold: each is preceded by its length. */
function keyOf(values: readonly string[]): string {
  let key = "";
  for (const value of values) key += `${value.length}:${value}`;
  return key;
}
