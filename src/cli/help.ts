/** Help texts, from the table of commands and from the flags of a command. Pure. */

import { environmentName, type Flag, type FlagTable } from "../config/flag.ts";
import { defaultText } from "../config/flag_reference.ts";
import type { Command } from "./context.ts";
import { wrap } from "./wrap.ts";

/** Wider lines are hard to read, however wide the terminal is. */
const columnsMax = 100;

/** The help of `command`. */
export function commandHelp(command: Command, columns: number): string {
  const width = Math.min(columns, columnsMax);
  const paragraphs = command.description.map((paragraph) => wrap(paragraph, width));
  const examples = command.examples.map(([line, purpose]) =>
    `${wrap(purpose, width, "  ")}\n    ${line}`
  );
  const parts = [
    `Usage: weir ${command.name} ${command.usage}`.trimEnd(),
    ...paragraphs,
    ...(examples.length === 0 ? [] : [`Examples:\n${examples.join("\n")}`]),
    ...flagSections(command.flags, width),
    `Help:\n  -h, --help\n${wrap("Print this text", width, "      ")}`,
  ];
  return `${parts.join("\n\n")}\n`;
}

function flagSections(flags: FlagTable, width: number): string[] {
  const groups = Map.groupBy(Object.entries(flags), ([, flag]) => flag.group);
  return [...groups].map(([group, rows]) =>
    `${group}:\n${rows.map(([name, flag]) => flagHelp(name, flag, width)).join("\n")}`
  );
}

function flagHelp(name: string, flag: Flag, width: number): string {
  const short = flag.short === undefined ? "" : `-${flag.short}, `;
  const value = flag.type.metavar === "" ? "" : ` ${flag.type.metavar}`;
  const isCommandLineOnly = flag.places === "flag";
  const initial = defaultText(flag);
  const notes = [
    ...(initial === undefined || initial === "false" ? [] : [`Default: ${initial}.`]),
    ...(isCommandLineOnly ? [] : [`Environment: ${environmentName(name)}`]),
  ];
  const lines = [`  ${short}--${name}${value}`, wrap(`${flag.help}.`, width, "      ")];
  if (notes.length > 0) lines.push(wrap(notes.join(" "), width, "      "));
  return lines.join("\n");
}
