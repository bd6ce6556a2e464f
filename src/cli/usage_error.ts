/** Usage errors: all faults at once, where to change each, and where to read on. */

import { toPrintable } from "../base/printable.ts";
import type { ConfigFault } from "../config/given.ts";
import { type CliContext, exitCodes } from "./context.ts";

/** Prints `faults` of `weir COMMAND` to stderr; the exit code. */
export function usageError(
  context: CliContext,
  command: string,
  faults: readonly ConfigFault[],
): number {
  const lines = faults.map(({ where, message }) => `weir ${command}: ${where}: ${message}\n`);
  context.io.stderr.write(`${lines.join("")}Run "weir help ${command}" for the flags.\n`);
  return exitCodes.usage;
}

/** A fault for each argument that is no flag; `hint` says how to give what was probably meant. */
export function unexpectedArguments(
  positionals: readonly string[],
  hint: (argument: string) => string,
): readonly ConfigFault[] {
  return positionals.map((argument) => {
    const isBoolean = argument === "true" || argument === "false";
    const wanted = isBoolean ? `wanted the value behind "=", as in "--flag=${argument}"` : hint(
      toPrintable(argument),
    );
    return { where: `"${toPrintable(argument)}"`, message: `is not a flag, ${wanted}` };
  });
}
