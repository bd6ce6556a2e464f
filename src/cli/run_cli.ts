/** From the arguments of the process to a command, and to an exit code. */

import { didYouMean } from "../base/nearest.ts";
import { toPrintable } from "../base/printable.ts";
import { type CommandRow, commands, overview } from "./commands.ts";
import { type CliContext, exitCodes } from "./context.ts";
import { OutputError } from "./output_error.ts";
import { defaultColumns } from "./wrap.ts";

/** Runs what `args` ask for; the exit code. Output that cannot be written is a failure of the run. */
export async function runCli(args: readonly string[], context: CliContext): Promise<number> {
  try {
    return await run(args, context);
  } catch (error) {
    if (!(error instanceof OutputError)) throw error;
    context.io.stderr.write(`weir: ${error.message}\n`);
    return exitCodes.failed;
  }
}

async function run(args: readonly string[], context: CliContext): Promise<number> {
  const [name, ...rest] = args;
  switch (name) {
    case undefined:
      context.io.stderr.write(overview());
      return exitCodes.usage;
    case "help":
    case "--help":
    case "-h":
      return await runHelp(rest, context);
    case "--version":
    case "-V":
      return await run(["version", ...rest], context);
  }
  const row = findCommand(name);
  if (!row) return unknownCommand(name, context);
  const command = await row.load();
  return await command.run(rest, context);
}

/** `weir help`, `weir help COMMAND`. */
async function runHelp(args: readonly string[], context: CliContext): Promise<number> {
  const name = args.find((arg) => !arg.startsWith("-"));
  if (name === undefined || name === "help") {
    context.io.stdout.write(overview());
    return exitCodes.ok;
  }
  const row = findCommand(name);
  if (!row) return unknownCommand(name, context);
  const [command, { commandHelp }] = await Promise.all([row.load(), import("./help.ts")]);
  context.io.stdout.write(commandHelp(command, context.io.columns ?? defaultColumns));
  return exitCodes.ok;
}

function findCommand(name: string): CommandRow | undefined {
  return commands.find((row) => row.name === name);
}

function unknownCommand(name: string, context: CliContext): number {
  const names = commands.map((row) => row.name);
  const what = name.startsWith("-")
    ? `is not a command, wanted the command first, as in "weir serve ${toPrintable(name)}"`
    : `is not a command${didYouMean(name, [...names, "help"]) || `, wanted ${names.join(", ")}`}`;
  context.io.stderr.write(
    `weir: "${toPrintable(name)}" ${what}\nRun "weir help" for the commands.\n`,
  );
  return exitCodes.usage;
}
