/**
 * How benchmarks of the engine tell what they found: figures with their targets, several runs of each,
 * and the machine that they were measured on.
 *
 * A file of figures run by itself measures each three times (or `RUNS` times) and prints the least and
 * the median; below `deno bench` each is one benchmark, measured once. With `WEIR_BENCH_SMOKE` set
 * sizes are small and figures mean nothing: then it is seen that they run.
 */

import os from "node:os";
import { medianOf } from "./weir_process.ts";

/** One number that was measured. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The most that it shall be. */
  readonly target?: number;
  /** What else there is to say of the run that had this value. */
  readonly note?: string;
}

/** Figures that are measured together. */
export interface FigureSet {
  readonly name: string;
  measure(): readonly Figure[] | Promise<readonly Figure[]>;
}

/** Whether it is only to be seen that the benchmarks run. */
export const isSmoke: boolean = Deno.env.has("WEIR_BENCH_SMOKE");

/** A size or a number of repeats, and the one for a smoke run. */
export function sized(full: number, smoke: number): number {
  return isSmoke ? smoke : full;
}

/** Measures `sets`, in order, and tells what they found. See the file's header. */
export async function reportFigures(isMain: boolean, sets: readonly FigureSet[]): Promise<void> {
  if (!isMain) {
    for (const { name, measure } of sets) {
      Deno.bench({ name, n: 1, warmup: 0 }, async () => {
        for (const figure of await measure()) write(describe([figure]));
      });
    }
    return;
  }
  const runs = Math.min(20, Math.max(1, Number(Deno.args[0] ?? 3)));
  write(describeMachine());
  for (const { measure } of sets) {
    const found = new Map<string, Figure[]>();
    for (let run = 0; run < runs; run++) {
      for (const figure of await measure()) {
        found.set(figure.name, [...found.get(figure.name) ?? [], figure]);
      }
    }
    for (const figures of found.values()) write(describe(figures));
  }
  write(describeMachine());
}

/** The same figure of several runs as one line. */
function describe(figures: readonly Figure[]): string {
  const sorted = [...figures].sort((a, b) => a.value - b.value);
  const [least] = sorted;
  if (!least) return "";
  const { name, unit, target, note } = least;
  const values = sorted.map(({ value }) => value);
  const median = values.length > 1 ? `, median ${round(medianOf(values))}` : "";
  const wanted = target === undefined || isSmoke
    ? ""
    : ` (target ${round(target)}: ${least.value <= target ? "met" : "MISSED"})`;
  return `${name}: ${round(least.value)}${median} ${unit}${wanted}${note ? `; ${note}` : ""}`;
}

function round(value: number): string {
  const size = Math.abs(value);
  return value.toFixed(
    Number.isInteger(value) || size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 3 : 4,
  );
}

function describeMachine(): string {
  const cpus = os.cpus();
  const load = os.loadavg().map((value) => value.toFixed(1)).join(" ");
  return `${cpus.length} cores of ${cpus[0]?.model ?? "unknown"}, load ${load}, ` +
    `Deno ${Deno.version.deno}; calibration loop ${calibrate().toFixed(2)} ms`;
}

/** Standard error, so that `deno bench --json` stays one document. */
function write(line: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`${line}\n`));
}

/** Milliseconds of a loop that is always the same, to compare figures of different machines. */
export function calibrate(): number {
  const texts = Array.from({ length: 20_000 }, (_, n) => `key-${(n * 7919) % 20_000}`);
  return medianOf(Array.from({ length: 15 }, () => {
    const start = performance.now();
    const map = new Map(texts.map((text, index) => [text, { index, text }]));
    [...map.keys()].sort();
    return performance.now() - start;
  }));
}

/** The sample below which `share` of all are. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** `p95 … p99 …` of `samples`, milliseconds. */
export function describeTail(samples: readonly number[]): string {
  return [0.95, 0.99].map((share) => `p${100 * share} ${round(percentile(samples, share))}`)
    .join(" ");
}

/** Bytes in use after a full collection; needs `--v8-flags=--expose-gc`, without which it throws. */
export function heapUsed(): number {
  const { gc } = globalThis as { readonly gc?: () => void };
  if (!gc) throw new Error("Cannot measure the heap: run with --v8-flags=--expose-gc");
  for (let i = 0; i < 3; i++) gc();
  return Deno.memoryUsage().heapUsed;
}

/** A clock of what this thread did: what it waited for a core, others had it, does not count. */
export interface HoldClock {
  /** Milliseconds. */
  readonly now: () => number;
  /** `wall` where the system does not tell the waits: Linux does, to who may read everything (`-A`). */
  readonly name: "own" | "wall";
}

/** See {@linkcode HoldClock}. */
export function holdClock(): HoldClock {
  return coreWaitMs() === undefined
    ? { now: () => performance.now(), name: "wall" }
    : { now: () => performance.now() - (coreWaitMs() ?? 0), name: "own" };
}

/** How long this thread waited for a core so far: the second field of proc_pid_schedstat. */
function coreWaitMs(): number | undefined {
  try {
    const text = Deno.readTextFileSync(`/proc/self/task/${Deno.pid}/schedstat`);
    return Number(text.split(" ")[1]) / 1e6;
  } catch {
    // No such file, or no permission: wall time has to do.
    return undefined;
  }
}
