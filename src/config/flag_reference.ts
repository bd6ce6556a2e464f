/**
 * The documentation of flags and features as Markdown, printed from their tables. Pure.
 *
 * The page in docs is this text; a test fails when it is not.
 */

import { type Feature, features } from "./features.ts";
import type { Flag, FlagTable } from "./flag.ts";

/** The page, formatted as the formatter of the project wants it. */
export function printFlagReference(table: FlagTable): string {
  const groups = Map.groupBy(Object.entries(table), ([, flag]) => flag.group);
  const sections = [...groups].map(([group, rows]) =>
    `## ${group}\n\n${
      markdownTable(["Flag", "Value", "Default", "What it does"], rows.map(flagRow))
    }`
  );
  return `# Flags\n\n${intro}\n\n${sections.join("\n")}\n${featureSection()}`;
}

const intro =
  `Every flag of \`weir serve\`; other commands take some of them, see \`weir help COMMAND\`. This page is
generated from the table in \`src/config/flags.ts\` by \`deno task docs\`.

A setting is taken from the first of these places that has it:

1. the command line: \`--flag value\`, \`--flag=value\`, for a boolean \`--flag\`, \`--no-flag\` or
   \`--flag=false\`; lists take commas and may be given several times;
2. the environment: \`WEIR_\` and the name in upper case with underscores, \`WEIR_API_ADDRESS\` for
   \`--api-address\`; empty counts as not set; paths in a list are separated by colons;
3. the YAML file that \`--config\` or \`WEIR_CONFIG\` names, with the names of flags as keys;
4. the default.

\`weir serve --print-config\` prints the result and where each value comes from, as such a file. A
duration is written like \`250ms\`, \`10s\` or \`1m30s\`, a size like \`4096\`, \`60KiB\` or \`1MiB\`.`;

/** The default of `flag` as a person would write it; undefined when there is none. */
export function defaultText(flag: Flag): string | undefined {
  if (flag.shape === "scalar") {
    return flag.default === undefined ? undefined : flag.type.format(flag.default);
  }
  if (flag.default.length === 0) return undefined;
  return flag.default.map((item) => flag.type.item.format(item)).join(",");
}

function flagRow([name, flag]: readonly [string, Flag]): readonly string[] {
  const initial = defaultText(flag);
  const note = flag.places === "flag" ? ". Only on the command line" : "";
  return [
    `\`--${name}\``,
    escapeCell(flag.type.name),
    initial === undefined ? "" : `\`${initial}\``,
    escapeCell(`${flag.help}${note}`),
  ];
}

function featureSection(): string {
  const rows = Object.entries<Feature>(features).map(([name, feature]) => [
    `\`${name}\``,
    feature.stage,
    feature.default ? "on" : "off",
    feature.since,
    feature.owner,
    escapeCell(feature.description),
    escapeCell(feature.removal),
  ]);
  const heads = ["Feature", "Stage", "Default", "Since", "Owner", "What it is", "Switch removed"];
  const text = "Switched with `--features=+NAME,-NAME`. A feature that is off is not built: its " +
    "paths do not exist,\nand readiness lists it as off.";
  return `## Features\n\n${text}\n\n${markdownTable(heads, rows)}`;
}

/** A table of `rows`, a cell for each of `heads`, padded as the formatter does it; ends its line. */
export function markdownTable(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0))
  );
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, column) => (cells[column] ?? "").padEnd(width)).join(" | ")} |\n`;
  const rule = widths.map((width) => "-".repeat(width));
  return [heads, rule, ...rows].map(line).join("");
}

function escapeCell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("*", "\\*");
}
