/**
 * Long random checks that can be played again: the seed is printed whether they pass or fail, and
 * `deno test FILE -- --seed=N --runs=N` takes another one, or more runs.
 */

import { assert } from "@std/assert";
import fc from "fast-check";

/** How a check is run. */
export interface SeededCheckOptions {
  /** Stands before the seed in what is printed. */
  readonly name: string;
  /** Runs when the command line does not say. */
  readonly runs: number;
  /** What was done so far, printed behind the seed. */
  readonly tally: () => string;
}

/** Whether the command line says how many runs there are: then fewer may be meant. */
export function hasRunsArgument(): boolean {
  return argument("runs") !== undefined;
}

/** Checks `property`; throws with the counterexample and where it failed. */
export function checkSeeded<Values>(
  property: fc.IProperty<Values>,
  options: SeededCheckOptions,
): void {
  tell(fc.check(property, parameters(options)), options);
}

/** The same for a property that takes its time. */
export async function checkSeededAsync<Values>(
  property: fc.IAsyncProperty<Values>,
  options: SeededCheckOptions,
): Promise<void> {
  tell(await fc.check(property, parameters(options)), options);
}

function parameters({ runs }: SeededCheckOptions): { numRuns: number; seed?: number } {
  const seed = argument("seed");
  return { numRuns: argument("runs") ?? runs, ...(seed === undefined ? {} : { seed }) };
}

function tell<Values>(
  details: fc.RunDetails<Values>,
  { name, tally }: SeededCheckOptions,
): void {
  // deno-lint-ignore no-console -- the seed is how a failure elsewhere is played again
  console.log(`${name}: --seed=${details.seed}, ${tally()}`);
  const { errorInstance } = details;
  const cause = errorInstance instanceof Error ? `\n${errorInstance.stack}` : "";
  assert(!details.failed, `${fc.defaultReportMessage(details)}${cause}`);
}

function argument(name: string): number | undefined {
  const found = Deno.args.find((text) => text.startsWith(`--${name}=`));
  return found === undefined ? undefined : Number(found.split("=")[1]);
}
