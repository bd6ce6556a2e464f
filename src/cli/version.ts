/**
 * `weir version`. Loads as little as possible: it is what scripts call to see whether weir is there.
 */

import { scalar } from "../config/flag.ts";
import { readArguments } from "../config/read_arguments.ts";
import { enumType } from "../config/value_type.ts";
import { type CliContext, type Command, exitCodes } from "./context.ts";
import { unexpectedArguments, usageError } from "./usage_error.ts";
import { defaultColumns } from "./wrap.ts";

const versionFlags = {
  output: scalar({
    group: "Output",
    short: "o",
    places: "flag",
    type: enumType(["text", "json"]),
    default: "text",
    help: "How the versions are printed",
  }),
};

/** See `weir help version`. */
export const versionCommand = {
  name: "version",
  usage: "[-o text|json]",
  description: ["Prints the version of weir and of what it runs on."],
  examples: [],
  flags: versionFlags,
  run: runVersion,
} as const satisfies Command;

async function runVersion(args: readonly string[], context: CliContext): Promise<number> {
  const { io, version } = context;
  const given = readArguments(versionFlags, args);
  if (given.asksForHelp) {
    const { commandHelp } = await import("./help.ts");
    io.stdout.write(commandHelp(versionCommand, io.columns ?? defaultColumns));
    return exitCodes.ok;
  }
  const stray = unexpectedArguments(given.positionals, () => `wanted no further argument`);
  const faults = [...given.faults, ...stray];
  if (faults.length > 0) return usageError(context, "version", faults);
  if (given.layer.get("output")?.value === "json") {
    io.stdout.write(`${JSON.stringify(version)}\n`);
    return exitCodes.ok;
  }
  const { weir, deno, v8, typescript, target } = version;
  io.stdout.write(`weir ${weir}\ndeno ${deno} (v8 ${v8}, typescript ${typescript}, ${target})\n`);
  return exitCodes.ok;
}
