/**
 * Reads the file of descriptions that `scripts/make_schemas.ts` wrote.
 *
 * Whoever imports this module has the whole text in memory; import it when it is needed.
 */

import text from "../schema/gateway_api_descriptions.json" with { type: "text" };

/** The index of a text (-1: none), and the fields below by name. */
export type DescriptionEntry =
  | number
  | readonly [number, Readonly<Record<string, DescriptionEntry>>];

/** The descriptions of all kinds; each distinct text once. */
export interface DescriptionFile {
  readonly texts: readonly string[];
  readonly kinds: Readonly<Record<string, DescriptionEntry>>;
}

/** The file. Its form is trusted, as it is part of the program. */
export function decodeDescriptionFile(): DescriptionFile {
  return JSON.parse(text) as DescriptionFile;
}
