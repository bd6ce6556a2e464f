/**
 * What the API says about its fields, for help texts.
 *
 * The texts are larger than the schemas and rarely read, so they are a file of their own that is
 * loaded when the first description is asked for.
 */

import type { DescriptionEntry, Descriptions } from "./decode_description_file.ts";

let loaded: Promise<Descriptions> | undefined;

/**
 * What the Gateway API says of the field at `path` of `kind`; undefined for an unknown field. Fields
 * of the experimental channel are included. List indexes and map keys in the path are ignored, so a
 * path of a fault can be given as it is; the empty path is the kind itself.
 */
export async function describeField(kind: string, path: string): Promise<string | undefined> {
  const { texts, kinds } = (await loadDescriptions()).gatewayApi;
  let entry: DescriptionEntry | undefined = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  for (const name of path.replace(/\[[^\]]*\]/g, "").split(".").filter((step) => step !== "")) {
    const fields = typeof entry === "object" ? entry[1] : {};
    entry = Object.hasOwn(fields, name) ? fields[name] : undefined;
  }
  if (entry === undefined) return undefined;
  return texts[typeof entry === "number" ? entry : entry[0]];
}

/** All descriptions, loaded with the first call. */
export function loadDescriptions(): Promise<Descriptions> {
  return loaded ??= load();
}

async function load(): Promise<Descriptions> {
  const { decodeDescriptions } = await import("./decode_description_file.ts");
  return decodeDescriptions();
}
