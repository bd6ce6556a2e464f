/** All outputs as text, to compare byte by byte, without the revisions: they count the steps. */

import type { Outputs } from "../../src/gateway/outputs.ts";

/** See the file's header. Entries of maps are in the order of the maps. */
export function outputsText(outputs: Outputs): string {
  return JSON.stringify(toPlain(outputs), undefined, 1);
}

/** Maps print as nothing, so they are turned into lists of their entries first. */
function toPlain(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(toPlain);
  if ("forEach" in value && Symbol.iterator in value) return [...iterable(value)].map(toPlain);
  const fields = Object.entries(value).filter(([name]) => name !== "revision");
  return Object.fromEntries(fields.map(([name, field]) => [name, toPlain(field)]));
}

function iterable(value: object): Iterable<unknown> {
  return value as Iterable<unknown>;
}
