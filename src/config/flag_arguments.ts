/**
 * Settings as arguments of a command line that give them again: `--name=value`. Pure.
 */

import { type Flag, type FlagTable, settingName } from "./flag.ts";

/** The arguments for the settings that are not what `defaults` says, in the order of `table`. */
export function flagArguments(
  table: FlagTable,
  settings: Readonly<Record<string, unknown>>,
  defaults: FlagTable = table,
): readonly string[] {
  return Object.entries(table).flatMap(([name, flag]) => {
    const texts = textsOf(flag, settings[settingName(name, flag)]);
    const usual = defaults[name];
    const isUsual = usual !== undefined && isSame(texts, textsOf(usual, usual.default));
    return isUsual ? [] : texts.map((text) => `--${name}=${text}`);
  });
}

/** One text for each occurrence of the flag; none for a value that is not set. */
function textsOf(flag: Flag, value: unknown): readonly string[] {
  if (value === undefined) return [];
  if (flag.shape === "scalar") return [flag.type.format(value)];
  const items = Array.isArray(value) ? value.map((item) => flag.type.item.format(item)) : [];
  return items.length === 0 || flag.type.separator === undefined
    ? items
    : [items.join(flag.type.separator)];
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, index) => text === b[index]);
}
