/**
 * The configuration file: YAML, one mapping from the names of flags to values.
 *
 * A value is written as on the command line, or as the YAML number, boolean or sequence that says the
 * same. Every fault names file and line. Nothing in the file is passed over silently: an unknown key
 * would be a setting that somebody believes in. Pure: the text is given.
 */

import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Pair,
  parseDocument,
  type Scalar,
  type YAMLSeq,
} from "yaml";
import { didYouMean } from "../base/nearest.ts";
import { toPrintable } from "../base/printable.ts";
import type { Flag, FlagTable } from "./flag.ts";
import {
  type ConfigFault,
  type Given,
  type Layer,
  listItemsMax,
  quote,
  readText,
  readValue,
} from "./given.ts";
import type { Parsed } from "./value_type.ts";

/** A file that was read. */
export interface ConfigFile {
  /** As it was given, for messages. */
  readonly name: string;
  readonly text: string;
}

/** What the file says. */
export interface ReadConfigFile {
  readonly layer: Layer;
  readonly faults: readonly ConfigFault[];
}

/** Reads `file`, whose keys may be any of `table`. */
export function readConfigFile(table: FlagTable, file: ConfigFile): ReadConfigFile {
  const lines = new LineCounter();
  const document = parseDocument(file.text, { lineCounter: lines, prettyErrors: false });
  const layer = new Map<string, Given>();
  const faults: ConfigFault[] = [];
  const lineAt = (offset: number | undefined): number => lines.linePos(offset ?? 0).line || 1;
  const where = (line: number): string => `${toPrintable(file.name)}:${line}`;
  for (const error of document.errors) {
    const [summary = ""] = error.message.split("\n");
    // The library's words for this one advise programmers.
    const reason = error.code === "MULTIPLE_DOCS"
      ? "another document begins, wanted one"
      : toPrintable(summary);
    const message = `is not valid YAML: ${reason}`;
    faults.push({ where: where(lineAt(error.pos[0])), message });
  }
  if (faults.length > 0 || isEmpty(document.contents)) return { layer, faults };
  if (!isMap<unknown, unknown>(document.contents)) {
    const line = lineAt(document.contents?.range?.[0]);
    faults.push({ where: where(line), message: `is not a mapping, wanted "KEY: VALUE" lines` });
    return { layer, faults };
  }
  for (const pair of document.contents.items) {
    const line = lineAt(offsetOf(pair));
    const { name, read } = readPair(table, pair);
    if (read.ok) {
      layer.set(name, { value: read.value, origin: { place: "file", file: file.name, line } });
    } else {
      faults.push({ where: `${where(line)} ${toPrintable(name)}`, message: read.problem });
    }
  }
  return { layer, faults };
}

/** Whether there is nothing but comments and document marks. */
function isEmpty(contents: unknown): boolean {
  return contents === null || (isScalar(contents) && contents.value === null);
}

function offsetOf(pair: Pair<unknown, unknown>): number | undefined {
  return isNode(pair.key) ? pair.key.range?.[0] : undefined;
}

function readPair(
  table: FlagTable,
  pair: Pair<unknown, unknown>,
): { readonly name: string; readonly read: Parsed<unknown> } {
  if (!isScalar(pair.key)) {
    return { name: "?", read: { ok: false, problem: "is a key that is no text" } };
  }
  const name = String(pair.key.value);
  const flag = Object.hasOwn(table, name) ? table[name] : undefined;
  if (!flag) {
    const names = Object.keys(table).filter((key) => isAllowed(table[key]));
    return { name, read: { ok: false, problem: `is not a setting${didYouMean(name, names)}` } };
  }
  if (!isAllowed(flag)) {
    return { name, read: { ok: false, problem: `cannot stand in a file, wanted "--${name}"` } };
  }
  return { name, read: readNode(flag, pair.value) };
}

function isAllowed(flag: Flag | undefined): boolean {
  return flag !== undefined && (flag.places ?? "everywhere") === "everywhere";
}

function readNode(flag: Flag, node: unknown): Parsed<unknown> {
  if (isSeq<unknown>(node)) return readSequence(flag, node);
  const text = isScalar(node) ? scalarText(node) : undefined;
  if (text !== undefined) {
    return readText(flag, text, flag.shape === "list" ? flag.type.separator : undefined);
  }
  return { ok: false, problem: `${describe(node)}, wanted ${flag.type.name}` };
}

function readSequence(flag: Flag, node: YAMLSeq<unknown>): Parsed<unknown> {
  if (flag.shape === "scalar") {
    return { ok: false, problem: `is a list, wanted one ${flag.type.name}` };
  }
  if (node.items.length > listItemsMax) {
    return { ok: false, problem: `has more than ${listItemsMax} items` };
  }
  const items: unknown[] = [];
  for (const item of node.items) {
    const text = isScalar(item) ? scalarText(item) : undefined;
    if (text === undefined) {
      return { ok: false, problem: `item ${items.length} ${describe(item)}, wanted text` };
    }
    const parsed = readValue(flag.type.item, text, flag.secret ?? false);
    if (!parsed.ok) return { ok: false, problem: `item ${items.length}: ${parsed.problem}` };
    items.push(parsed.value);
  }
  return { ok: true, value: items };
}

/** The text of a scalar as it was written, so that `1.10` stays `1.10`; undefined for null. */
function scalarText(node: Scalar): string | undefined {
  switch (typeof node.value) {
    case "string":
      return node.value;
    case "number":
    case "bigint":
    case "boolean":
      return node.source ?? String(node.value);
    default:
      return undefined;
  }
}

function describe(node: unknown): string {
  if (isAlias(node)) return `is the alias ${quote(`*${node.source}`)}`;
  if (isMap(node)) return "is a mapping";
  if (isSeq(node)) return "is a list";
  return "has no value";
}
