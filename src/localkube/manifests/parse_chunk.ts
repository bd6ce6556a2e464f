/**
 * From the text of one piece of a file to its objects and faults. Pure, never throws.
 *
 * Results depend on the text alone and hold no line numbers of the file, so that they stay valid when
 * the piece moves. Positions are kept as offsets where that is free, else looked up on demand
 * (position.ts).
 */

import { type Document, isNode, parseAllDocuments } from "yaml";
import { type DataPath, type Identified, identify } from "./identify.ts";
import { findJsonFault } from "./json_scan.ts";
import type { TextFault } from "./text_fault.ts";
import { findYamlFault } from "./yaml_fault.ts";
import { toPlainValue } from "./yaml_value.ts";

/** Where something stands in the text of a piece. */
export interface Place {
  /** Which of the documents of the piece, from 0. */
  readonly documentIndex: number;
  readonly path: DataPath;
  /** Absent: to be looked up. */
  readonly offset?: number;
}

/** Something in a piece, and where. */
export interface Placed<Item> {
  readonly item: Item;
  readonly place: Place;
}

/** What one piece holds. */
export interface ParsedChunk {
  readonly text: string;
  readonly items: readonly Placed<Identified>[];
  readonly syntaxFaults: readonly TextFault[];
}

/** One spelling of the settings, so that a second parse for positions sees the same documents. */
const yamlOptions = {
  version: "1.2",
  schema: "core",
  // Checked by the conversion, which does not slow down with the number of keys.
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: "silent",
} as const;

/** Parses a piece of YAML, or a whole JSON file. */
export function parseChunk(text: string, format: "yaml" | "json"): ParsedChunk {
  if (format === "json" || /^\s*\{/.test(text)) {
    const value = parseJson(text);
    if (value !== undefined) {
      const items = identify(value).map((item) => placeInJson(item, text));
      return { text, items, syntaxFaults: [] };
    }
    const fault = format === "json" ? findJsonFault(text) : undefined;
    if (fault) return { text, items: [], syntaxFaults: [fault] };
  }
  return parseYaml(text);
}

/** The value, when `text` is JSON without repeated keys. */
function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return findJsonFault(text) === undefined ? value : undefined;
  } catch {
    // The fault is found and told by the caller; this error would quote the text.
    return undefined;
  }
}

function parseYaml(text: string): ParsedChunk {
  const items: Placed<Identified>[] = [];
  const syntaxFaults: TextFault[] = [];
  try {
    readDocuments(text).forEach((document, documentIndex) => {
      const found = findYamlFault(document, text);
      const data = found ? { ok: false as const, fault: found } : toPlainValue(document);
      if (!data.ok) syntaxFaults.push(data.fault);
      else {for (const item of identify(data.value)) {
          items.push(place(item, documentIndex, document));
        }}
    });
    return { text, items, syntaxFaults };
  } catch (error) {
    // The library recurses: a text that is nested many thousand levels deep exhausts the stack.
    if (!(error instanceof RangeError)) throw error;
    return {
      text,
      items: [],
      syntaxFaults: [{ offset: 0, message: "values are nested too deeply" }],
    };
  }
}

/** The documents of `text`, each with its errors. */
export function readDocuments(text: string): readonly Document[] {
  const documents = parseAllDocuments(text, yamlOptions);
  return Array.isArray(documents) ? documents : [];
}

function place(item: Identified, documentIndex: number, document: Document): Placed<Identified> {
  const { path } = item;
  const node = path.length === 0 ? document.contents : document.getIn(path, true);
  const offset = isNode(node) ? node.range?.[0] : undefined;
  return { item, place: { documentIndex, path, ...(offset === undefined ? {} : { offset }) } };
}

function placeInJson(item: Identified, text: string): Placed<Identified> {
  const { path } = item;
  const offset = path.length === 0 ? { offset: text.search(/\S/) } : {};
  return { item, place: { documentIndex: 0, path, ...offset } };
}
