/**
 * The metrics of the process: counters, gauges and histograms, and their Prometheus text.
 *
 * A registry is a value that the composition root makes and hands around; there is no global one.
 * The hot path holds a series (`family.with(labels)`, once) and calls it: no look-up, no allocation.
 * Everything is bounded: metrics per registry, series per metric (see metrics_labels.ts), buckets.
 * Names follow Prometheus: `_total` for counters, base units such as `_seconds` and `_bytes`.
 * Not here: pushing, exemplars, summaries, the values of the process itself.
 */

import { invariant } from "./invariant.ts";
import { HistogramSeries, ValueSeries } from "./metrics_series.ts";
import type { Sample } from "./metrics_series.ts";
import { openLabel, seriesDefaultMax, SeriesTable } from "./metrics_labels.ts";
import type { LabelSchema, LabelsOf } from "./metrics_labels.ts";
import { formatHead } from "./metrics_text.ts";
import type { MetricType } from "./metrics_text.ts";

/** A series that only grows. */
export interface Counter {
  /** Adds `by`, 1 when left out; a negative amount is a programmer error. */
  inc(by?: number): void;
}

/** A series that goes up and down. */
export interface Gauge {
  set(value: number): void;
  /** Adds `by`, which may be negative. */
  add(by: number): void;
}

/** A series that counts observations by size. */
export interface Histogram {
  /** Counts one observation, in the unit of the metric's name. */
  observe(value: number): void;
}

/** All series of one metric. */
export interface Family<Series, Labels> {
  /**
   * The series of `labels`, shown from now on (a counter starts at 0); beyond the cap the series
   * `other`. Looks up and may allocate: keep the answer where events are frequent.
   */
  with(labels: Labels): Series;
  /** Removes all series that have these labels, `other` excepted; returns how many. */
  remove(labels: Partial<Labels>): number;
}

/** How a metric is registered. */
export interface MetricOptions<Schema extends LabelSchema> {
  /** With the unit, and `_total` for a counter. */
  readonly name: string;
  /** One sentence. */
  readonly help: string;
  /** No labels when left out. */
  readonly labels?: Schema;
  /** Series of its own; {@linkcode seriesDefaultMax} when left out. */
  readonly seriesMax?: number;
}

/** How a histogram is registered. */
export interface HistogramOptions<Schema extends LabelSchema> extends MetricOptions<Schema> {
  /** Upper bounds, ascending and finite; `+Inf` is added. */
  readonly buckets: readonly number[];
}

/** How a metric is registered whose value is kept elsewhere. */
export interface ReadOptions<Schema extends LabelSchema> extends MetricOptions<Schema> {
  readonly type: "counter" | "gauge";
  /**
   * Called at each scrape, synchronously: one value, or one for each set of labels. When it throws,
   * the metric is left out of this scrape and `weir_metrics_read_errors_total` counts it.
   */
  read(): number | Iterable<readonly [LabelsOf<Schema>, number]>;
}

/** Metrics of one registry beyond which registering is a programmer error. */
const metricsMax = 500;

/** Buckets of one histogram beyond which registering is a programmer error. */
export const bucketsMax = 64;

/** Bucket bounds in seconds from milliseconds. */
const inSeconds = (...ms: number[]): readonly number[] => ms.map((bound) => bound / 1000);

/**
 * Bounds in seconds for work inside the event loop, such as a recompute: from 0.25 ms, because the
 * usual ones (5 ms and up) would put every healthy run into the first bucket.
 */
export const computeSecondsBuckets: readonly number[] = inSeconds(
  0.25,
  0.5,
  1,
  2,
  4,
  8,
  16,
  32,
  64,
  125,
  250,
  500,
  1000,
  2000,
);

/** Bounds in seconds for requests and other exchanges over a network. */
export const requestSecondsBuckets: readonly number[] = inSeconds(
  1,
  2.5,
  5,
  10,
  25,
  50,
  100,
  250,
  500,
  1000,
  2500,
  5000,
  10000,
  30000,
  60000,
);

interface Registered {
  readonly name: string;
  readonly help: string;
  readonly type: MetricType;
  readonly labels: LabelSchema;
  samples(): Iterable<Sample>;
}

/** What is known of a metric without its values, for documents. */
export interface MetricDescription {
  readonly name: string;
  readonly help: string;
  readonly type: MetricType;
  readonly labels: LabelSchema;
}

const metricNamePattern = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const labelNamePattern = /^(?!__)[a-zA-Z_][a-zA-Z0-9_]*$/;

/** See the file's header for the promises. */
export class MetricsRegistry {
  readonly #metrics = new Map<string, Registered>();
  readonly #overflows: Family<Counter, { readonly metric: string }>;
  readonly #readErrors: Family<Counter, { readonly metric: string }>;

  constructor() {
    this.#overflows = this.#ownCounter(
      "weir_metrics_series_overflow_total",
      "Look-ups of a series that were answered with the series other, by metric.",
    );
    this.#readErrors = this.#ownCounter(
      "weir_metrics_read_errors_total",
      "Scrapes that had to leave out a metric because reading it failed, by metric.",
    );
  }

  /** Registers a counter; its name ends in `_total`. */
  counter<const Schema extends LabelSchema = Record<never, never>>(
    options: MetricOptions<Schema>,
  ): Family<Counter, LabelsOf<Schema>> {
    return this.#register("counter", options, (name, labels) => new ValueSeries(name, labels));
  }

  /** Registers a gauge. */
  gauge<const Schema extends LabelSchema = Record<never, never>>(
    options: MetricOptions<Schema>,
  ): Family<Gauge, LabelsOf<Schema>> {
    return this.#register("gauge", options, (name, labels) => new ValueSeries(name, labels));
  }

  /** Registers a histogram. */
  histogram<const Schema extends LabelSchema = Record<never, never>>(
    options: HistogramOptions<Schema>,
  ): Family<Histogram, LabelsOf<Schema>> {
    const { buckets } = options;
    const ascending = buckets.every((bound, index) =>
      Number.isFinite(bound) && (index === 0 || bound > (buckets[index - 1] ?? NaN))
    );
    invariant(ascending, "Bounds of a histogram are finite and ascend");
    invariant(buckets.length <= bucketsMax, `A histogram has at most ${bucketsMax} bounds`);
    return this.#register(
      "histogram",
      options,
      (name, labels) => new HistogramSeries(name, labels, buckets),
    );
  }

  /** Registers a metric whose values are read at each scrape. */
  read<const Schema extends LabelSchema = Record<never, never>>(
    options: ReadOptions<Schema>,
  ): void {
    this.#check(options, options.type);
    const { name, help, type, labels = {} } = options;
    const samples = (): Iterable<Sample> => this.#readSamples(options);
    this.#metrics.set(name, { name, help, type, labels, samples });
  }

  /** Every metric, sorted by name. */
  describe(): readonly MetricDescription[] {
    return [...this.#metrics.keys()].sort().flatMap((key) => {
      const metric = this.#metrics.get(key);
      if (!metric) return [];
      const { name, help, type, labels } = metric;
      return [{ name, help, type, labels }];
    });
  }

  /** All metrics as text in the exposition format 0.0.4, sorted by name. Never throws. */
  render(): string {
    const names = [...this.#metrics.keys()].sort();
    // Its own counters come last in time, so that they include what this scrape adds to them.
    const own = new Set(["weir_metrics_read_errors_total", "weir_metrics_series_overflow_total"]);
    const blocks = new Map<string, string>();
    for (const name of names) if (!own.has(name)) blocks.set(name, this.#renderMetric(name));
    for (const name of own) blocks.set(name, this.#renderMetric(name));
    return names.map((name) => blocks.get(name) ?? "").join("");
  }

  #renderMetric(name: string): string {
    const metric = this.#metrics.get(name);
    if (!metric) return "";
    let lines = "";
    for (const sample of metric.samples()) lines += sample.text();
    return lines === "" ? "" : formatHead(metric.name, metric.help, metric.type) + lines;
  }

  #readSamples(options: ReadOptions<LabelSchema>): Iterable<Sample> {
    const table = this.#table(options, (name, labels) => new ValueSeries(name, labels));
    try {
      const values = options.read();
      if (typeof values === "number") table.lookup({}).set(values);
      else for (const [labels, value] of values) table.lookup(labels).add(value);
      return table;
    } catch {
      // The scrape goes on without it; the counter is what tells, and an alert can watch it.
      this.#readErrors.with({ metric: options.name }).inc();
      return [];
    }
  }

  #register<Series extends Sample, Schema extends LabelSchema>(
    type: MetricType,
    options: MetricOptions<Schema>,
    create: (name: string, labels: string) => Series,
  ): Family<Series, LabelsOf<Schema>> {
    this.#check(options, type);
    const { name, help } = options;
    const table = this.#table(options, create);
    const { labels = {} } = options;
    this.#metrics.set(name, { name, help, type, labels, samples: () => table });
    return {
      with: (labels) => table.lookup(labels),
      remove: (labels) => table.remove(labels),
    };
  }

  #table<Series>(
    options: MetricOptions<LabelSchema>,
    create: (name: string, labels: string) => Series,
  ): SeriesTable<Series> {
    return new SeriesTable({
      schema: options.labels ?? {},
      seriesMax: options.seriesMax ?? seriesDefaultMax,
      create: (labels) => create(options.name, labels),
      onOverflow: () => this.#overflows.with({ metric: options.name }).inc(),
    });
  }

  #ownCounter(name: string, help: string): Family<Counter, { readonly metric: string }> {
    // One series for each metric, so the cap of metrics is its cap and it cannot overflow itself.
    return this.counter({ name, help, labels: { metric: openLabel }, seriesMax: metricsMax });
  }

  #check(options: MetricOptions<LabelSchema>, type: MetricType): void {
    const { name, labels = {}, seriesMax = seriesDefaultMax } = options;
    invariant(metricNamePattern.test(name), `Metric name '${name}' fits the exposition format`);
    invariant(!this.#metrics.has(name), `Metric '${name}' is registered once`);
    invariant(this.#metrics.size < metricsMax, `A registry has at most ${metricsMax} metrics`);
    invariant(seriesMax > 0, `Metric '${name}' may have at least one series`);
    invariant(
      (type === "counter") === name.endsWith("_total"),
      `Metric '${name}' ends in _total exactly when it is a counter`,
    );
    for (const label of Object.keys(labels)) {
      const isFree = labelNamePattern.test(label) && !(type === "histogram" && label === "le");
      invariant(isFree, `Label '${label}' of metric '${name}' fits the exposition format`);
    }
  }
}
