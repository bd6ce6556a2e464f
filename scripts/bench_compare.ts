/**
 * Compares two runs of the benchmarks: `deno task bench --json > before.json`, change something, run
 * again, then `deno task bench:compare before.json after.json`.
 *
 * It informs and never fails because of speed: figures of a busy machine prove nothing. A difference
 * within the spread of either run is called noise.
 */

// deno-lint-ignore-file no-console -- A script talks to the terminal.

/** One benchmark's figures, nanoseconds for one iteration. */
export interface BenchFigures {
  readonly min: number;
  readonly avg: number;
  readonly p75: number;
  readonly p99: number;
}

/** One line of the comparison. */
export interface BenchDifference {
  readonly name: string;
  readonly before: BenchFigures | undefined;
  readonly after: BenchFigures | undefined;
  readonly verdict: "faster" | "slower" | "noise" | "new" | "gone";
}

interface BenchReport {
  readonly benches: readonly {
    readonly group: string | null;
    readonly name: string;
    readonly results: readonly { readonly ok?: BenchFigures }[];
  }[];
}

/**
 * The figures of a report of `deno bench --json`, by name; benchmarks that failed are left out.
 *
 * @throws Error when `text` is no such report
 */
export function readBenches(text: string): Map<string, BenchFigures> {
  const report: unknown = JSON.parse(text);
  if (!isReport(report)) throw new Error("Cannot read benchmarks: no report of deno bench --json");
  const figures = new Map<string, BenchFigures>();
  for (const { group, name, results } of report.benches) {
    const [result] = results;
    if (result?.ok) figures.set(group === null ? name : `${group} / ${name}`, result.ok);
  }
  return figures;
}

function isReport(value: unknown): value is BenchReport {
  return typeof value === "object" && value !== null && "benches" in value &&
    Array.isArray(value.benches);
}

/** What changed, sorted by name. */
export function compareBenches(
  before: ReadonlyMap<string, BenchFigures>,
  after: ReadonlyMap<string, BenchFigures>,
): BenchDifference[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return names.map((name) => {
    const old = before.get(name);
    const now = after.get(name);
    return { name, before: old, after: now, verdict: judge(old, now) };
  });
}

/** A change is real when the three quarters of one run lie beyond the fastest of the other. */
function judge(
  before: BenchFigures | undefined,
  after: BenchFigures | undefined,
): BenchDifference["verdict"] {
  if (!before) return "new";
  if (!after) return "gone";
  if (after.min > before.p75) return "slower";
  if (after.p75 < before.min) return "faster";
  return "noise";
}

/** `1.23 ms`, three significant digits. */
export function formatNanoseconds(value: number): string {
  const units: readonly (readonly [number, string])[] = [[1e9, "s"], [1e6, "ms"], [1e3, "us"]];
  for (const [size, unit] of units) {
    if (value >= size) return `${(value / size).toPrecision(3)} ${unit}`;
  }
  return `${value.toPrecision(3)} ns`;
}

/** The comparison as lines for a terminal. */
export function formatDifferences(differences: readonly BenchDifference[]): string[] {
  const width = Math.max(4, ...differences.map(({ name }) => name.length));
  const figure = (figures: BenchFigures | undefined): string =>
    (figures ? formatNanoseconds(figures.avg) : "-").padStart(9);
  return differences.map(({ name, before, after, verdict }) => {
    const ratio = before && after ? `x${(after.avg / before.avg).toFixed(2)}` : "";
    return `${name.padEnd(width)} ${figure(before)} ${figure(after)} ${
      ratio.padStart(6)
    }  ${verdict}`;
  });
}

if (import.meta.main) {
  const [before, after] = Deno.args;
  if (before === undefined || after === undefined) {
    console.error("Usage: deno task bench:compare BEFORE.json AFTER.json");
    Deno.exit(2);
  }
  const [old, now] = await Promise.all(
    [before, after].map(async (path) => readBenches(await Deno.readTextFile(path))),
  );
  if (old && now) console.log(formatDifferences(compareBenches(old, now)).join("\n"));
}
