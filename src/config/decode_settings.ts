/**
 * From layers to settings: for every flag the value of the place with the most weight.
 *
 * The one place where values that were read one by one become the typed object; each of them was
 * read by its flag's own type, which is what the types of a table promise. Pure.
 */

import { deepFreeze } from "./deep_freeze.ts";
import { type FlagTable, settingName, type Settings } from "./flag.ts";
import type { Given, Layer, Origin } from "./given.ts";

/** Settings, and where each comes from by the name of its flag. */
export interface DecodedSettings<Table extends FlagTable> {
  /** Deep-frozen. */
  readonly settings: Settings<Table>;
  readonly origins: ReadonlyMap<string, Origin>;
}

/** @param layers those with more weight first; a flag that is in none gets its default */
export function decodeSettings<Table extends FlagTable>(
  table: Table,
  layers: readonly Layer[],
): DecodedSettings<Table> {
  const settings: Record<string, unknown> = {};
  const origins = new Map<string, Origin>();
  for (const [name, flag] of Object.entries(table)) {
    const given: Given = layers.find((layer) => layer.has(name))?.get(name) ??
      { value: flag.default, origin: { place: "default" } };
    settings[settingName(name, flag)] = given.value;
    origins.set(name, given.origin);
  }
  return { settings: deepFreeze(settings) as Settings<Table>, origins };
}
