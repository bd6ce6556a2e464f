/**
 * The way every command comes to its settings: help, faults and stray arguments handled alike.
 */

import { toPrintable } from "../base/printable.ts";
import { environmentName, type FlagTable, type Settings } from "../config/flag.ts";
import { apiClientFlags } from "../config/api_access_flags.ts";
import { flags } from "../config/flags.ts";
import type { Origin } from "../config/given.ts";
import { loadConfig } from "../config/load_config.ts";
import { type CliContext, type Command, exitCodes } from "./context.ts";
import { unexpectedArguments, usageError } from "./usage_error.ts";
import { defaultColumns } from "./wrap.ts";

/** Settings to go on with, or the exit code of a command that is done. */
export type LoadedSettings<Table extends FlagTable> =
  | {
    readonly ok: true;
    readonly settings: Settings<Table>;
    readonly origins: ReadonlyMap<string, Origin>;
    /** Arguments that are no flags; none unless the command takes some. */
    readonly positionals: readonly string[];
    /** What works and may surprise, for a person. */
    readonly warnings: readonly string[];
  }
  | { readonly ok: false; readonly exitCode: number };

/**
 * Loads the settings of `command`; prints help or faults where there is nothing to go on with.
 *
 * @param hintForArgument how to give what an argument that is no flag probably meant; `taken` when the
 * command takes such arguments
 */
export async function loadSettings<Table extends FlagTable>(
  command: Command & { readonly flags: Table },
  args: readonly string[],
  context: CliContext,
  hintForArgument: ((argument: string) => string) | "taken",
): Promise<LoadedSettings<Table>> {
  const { io } = context;
  const names = Object.keys({ ...command.flags, ...flags, ...apiClientFlags }).map(environmentName);
  const loaded = await loadConfig(command.flags, {
    args,
    environment: io.environment(names),
    readTextFile: (path, bytesMax) => io.readTextFile(path, bytesMax),
  });
  if (loaded.outcome === "help") {
    const { commandHelp } = await import("./help.ts");
    io.stdout.write(commandHelp(command, io.columns ?? defaultColumns));
    return { ok: false, exitCode: exitCodes.ok };
  }
  const stray = hintForArgument === "taken"
    ? []
    : unexpectedArguments(loaded.positionals, hintForArgument);
  const faults = loaded.outcome === "faults" ? [...loaded.faults, ...stray] : stray;
  if (loaded.outcome === "faults" || faults.length > 0) {
    return { ok: false, exitCode: usageError(context, command.name, faults) };
  }
  const unknown = loaded.unknownVariables.map(({ name, nearest }) =>
    `environment variable ${toPrintable(name)} is not a setting` +
    (nearest === undefined ? "" : `, did you mean "${nearest}"?`)
  );
  return {
    ok: true,
    settings: loaded.settings,
    origins: loaded.origins,
    positionals: loaded.positionals,
    warnings: [...unknown, ...loaded.warnings],
  };
}

/** Tells `warnings` on stderr, for commands that do not log. */
export function printWarnings(context: CliContext, warnings: readonly string[]): void {
  for (const warning of warnings) context.io.stderr.write(`warning: ${warning}\n`);
}
