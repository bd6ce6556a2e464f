/**
 * From a parsed YAML document to plain JSON data.
 *
 * Stricter than the library's own conversion, because an object of the API is JSON: every key is a
 * string and appears once, numbers are finite, nothing is recursive. Anchors, aliases and merge keys
 * (`<<`) work as people use them in manifests. Aliased parts are shared, not copied, so that a small
 * text cannot become a large value; whoever walks the value bounds its size first.
 */

import { type Document, isAlias, isMap, isScalar, isSeq, type Pair, type YAMLMap } from "yaml";
import { isRecord } from "../../kube/json_value.ts";
import { type TextFault, textNestingMax } from "./text_fault.ts";

/** More in one document are refused. */
const aliasesMax = 1000;
/** Keys that merges copy in one document; more are refused, because each copy takes memory. */
const mergedKeysMax = 100_000;

/** The data of a document, or the first fault of it. */
export type YamlValue =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly fault: TextFault };

/** Converts a document that was parsed without errors. */
export function toPlainValue(document: Document): YamlValue {
  try {
    return { ok: true, value: new Conversion().convert(document.contents, textNestingMax) };
  } catch (error) {
    if (error instanceof ConversionError) return { ok: false, fault: error.fault };
    throw error;
  }
}

/** Leaves the recursion; never leaves this file. */
class ConversionError extends Error {
  override name = "ConversionError";
  readonly fault: TextFault;

  constructor(offset: number, message: string) {
    super(message);
    this.fault = { offset, message };
  }
}

class Conversion {
  readonly #anchors = new Map<string, unknown>();
  #aliasCount = 0;
  #mergedKeyCount = 0;
  #offset = 0;

  convert(node: unknown, depthLeft: number): unknown {
    if (node === null || node === undefined) return null;
    if (depthLeft === 0) {
      throw this.#fault(`values are nested deeper than ${textNestingMax} levels`);
    }
    if (isAlias(node)) return this.#resolve(node.source, startOf(node));
    if (!isScalar(node) && !isMap(node) && !isSeq(node)) throw this.#fault("unknown kind of node");
    this.#offset = startOf(node);
    const value = isScalar(node)
      ? this.#checkScalar(node.value)
      : isMap(node)
      ? this.#convertMap(node, depthLeft)
      : node.items.map((item) => this.convert(item, depthLeft - 1));
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, value);
    return value;
  }

  #checkScalar(value: unknown): unknown {
    if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
    if (typeof value === "number" && Number.isFinite(value)) return value;
    throw this.#fault("a value is neither text, a finite number, a boolean nor null");
  }

  #resolve(name: string, offset: number): unknown {
    this.#offset = offset;
    this.#aliasCount += 1;
    if (this.#aliasCount > aliasesMax) throw this.#fault(`more than ${aliasesMax} aliases`);
    if (!this.#anchors.has(name)) throw this.#fault("an alias has no anchor before it");
    return this.#anchors.get(name);
  }

  #convertMap(map: YAMLMap, depthLeft: number): unknown {
    const result: Record<string, unknown> = {};
    const merged: unknown[] = [];
    for (const pair of map.items) {
      if (isMergeKey(pair)) {
        merged.push(this.convert(pair.value, depthLeft - 1));
        continue;
      }
      const key = this.#toKey(pair.key);
      if (Object.hasOwn(result, key)) throw this.#fault("a key appears twice in one map");
      define(result, key, this.convert(pair.value, depthLeft - 1));
    }
    // A list of maps is merged like several merge keys; earlier ones win, own keys win over all.
    for (const source of merged.flat()) {
      if (!isRecord(source)) throw this.#fault("a merge key needs a map or a list of maps");
      const entries = Object.entries(source);
      this.#mergedKeyCount += entries.length;
      if (this.#mergedKeyCount > mergedKeysMax) {
        throw this.#fault(`merge keys copy more than ${mergedKeysMax} keys`);
      }
      for (const [key, value] of entries) {
        if (!Object.hasOwn(result, key)) define(result, key, value);
      }
    }
    return result;
  }

  #toKey(node: unknown): string {
    if (isAlias(node)) {
      const value = this.#resolve(node.source, startOf(node));
      if (typeof value === "string") return value;
    } else if (isScalar(node)) {
      this.#offset = startOf(node);
      if (node.anchor !== undefined) this.#anchors.set(node.anchor, node.value);
      if (typeof node.value === "string") return node.value;
      if (node.value !== null) return node.source ?? String(node.value);
    }
    throw this.#fault("a key is not text");
  }

  #fault(message: string): ConversionError {
    return new ConversionError(this.#offset, message);
  }
}

function isMergeKey(pair: Pair): boolean {
  return isScalar(pair.key) && pair.key.value === "<<" && pair.key.type === "PLAIN";
}

function startOf(node: { readonly range?: readonly number[] | null | undefined }): number {
  return node.range?.[0] ?? 0;
}

/** Plain assignment would change the prototype for one name. */
function define(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true });
}
