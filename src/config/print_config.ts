/**
 * Settings as a YAML file that `--config` reads back, each with where it comes from. Pure.
 *
 * Every text is in a form that no YAML reader takes for something else; a secret is never printed.
 */

import type { Flag, FlagTable } from "./flag.ts";
import { settingName } from "./flag.ts";
import { describeOrigin, type Origin } from "./given.ts";

/** The file, in the order of the table. Flags that cannot stand in a file are left out. */
export function printConfig(
  table: FlagTable,
  settings: Readonly<Record<string, unknown>>,
  origins: ReadonlyMap<string, Origin>,
): string {
  let text = "# Settings of weir: VALUE # WHERE IT COMES FROM\n";
  for (const [name, flag] of Object.entries(table)) {
    if ((flag.places ?? "everywhere") !== "everywhere") continue;
    const origin = origins.get(name) ?? { place: "default" };
    text += printSetting(name, flag, settings[settingName(name, flag)], describeOrigin(origin));
  }
  return text;
}

function printSetting(name: string, flag: Flag, value: unknown, comment: string): string {
  if (value === undefined) return `# ${name}: not set # ${comment}\n`;
  if (flag.secret) return `# ${name}: hidden # ${comment}\n`;
  if (flag.shape === "scalar") {
    return `${name}: ${yamlScalar(flag, flag.type.format(value))} # ${comment}\n`;
  }
  const items = Array.isArray(value) ? value : [];
  if (items.length === 0) return `${name}: [] # ${comment}\n`;
  const lines = items.map((item) => `  - ${yamlText(flag.type.item.format(item))}\n`);
  return `${name}: # ${comment}\n${lines.join("")}`;
}

/** Integers and booleans are YAML's own, everything else is text. */
function yamlScalar(flag: Flag, text: string): string {
  return flag.type.name === "integer" || flag.type.name === "boolean" ? text : yamlText(text);
}

/**
 * Bare only when it starts with a letter, has no sign that means something in YAML, and is no word of
 * it; else in double quotes, where every JSON string is also a YAML one.
 */
function yamlText(text: string): string {
  const isBare = /^[a-z][\w./-]*(?::[\w./-]+)*$/i.test(text) &&
    !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);
  return isBare ? text : JSON.stringify(text);
}
