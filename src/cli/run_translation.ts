/** What the application computes from manifests, with the failures that a command can tell. */

import type { TranslateResult } from "../api/translate.ts";
import { InvariantError } from "../base/invariant.ts";
import { toPrintable } from "../base/printable.ts";
import { type CliContext, exitCodes, type TranslateRequest } from "./context.ts";
import { usageError } from "./usage_error.ts";

/** A result, or the exit code of a command that told why there is none. */
export type Computed<Result> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly exitCode: number };

/** Translates what `request` names for `weir COMMAND`. */
export async function runTranslation(
  context: CliContext,
  command: string,
  request: TranslateRequest,
): Promise<Computed<TranslateResult>> {
  return await runComputation(
    context,
    command,
    request.inputs,
    () => context.app.translate(request),
  );
}

/** Runs `compute`, which reads `inputs`, for `weir COMMAND`. */
export async function runComputation<Result>(
  context: CliContext,
  command: string,
  inputs: readonly string[],
  compute: () => Promise<Result>,
): Promise<Computed<Result>> {
  if (inputs.filter((input) => input === "-").length > 1) {
    const message = `names standard input more than once, wanted "-f -" at most once`;
    return { ok: false, exitCode: usageError(context, command, [{ where: "-f", message }]) };
  }
  try {
    return { ok: true, result: await compute() };
  } catch (error) {
    // A broken promise of the program itself is not told as a fault of the input.
    if (!(error instanceof Error) || error instanceof InvariantError) throw error;
    if (error instanceof TypeError || error instanceof RangeError) throw error;
    context.io.stderr.write(`weir ${command}: ${toPrintable(error.message)}\n`);
    return { ok: false, exitCode: exitCodes.failed };
  }
}
