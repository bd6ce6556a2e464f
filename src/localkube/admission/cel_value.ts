/**
 * JSON values as CEL sees them, typed by their schema.
 *
 * CEL tells 80 from 80.0 and a map from an object only by type, and JSON does not: integers become
 * CEL ints because the schema says so, and fields get the escaped names that rules use
 * (`__namespace__`). Lists and maps are metered, so that the work of all rules on one object has a
 * bound that does not depend on trust in the rules.
 */

import { type CelInput, celList, celMap } from "@bufbuild/cel";
import { isRecord } from "../../kube/json_value.ts";
import type { SchemaNode } from "./schema_node.ts";

/** Counts the elements that rules iterate over. */
export class CelMeter {
  readonly #max: number;
  #spent = 0;

  /** @param max elements that may be iterated over; the next one throws */
  constructor(max: number) {
    this.#max = max;
  }

  /** Whether the budget is used up. It stays so. */
  get isExhausted(): boolean {
    return this.#spent > this.#max;
  }

  /** Elements iterated over so far. */
  get spent(): number {
    return this.#spent;
  }

  /** Takes `count` elements from the budget; throws when there are not that many left. */
  spend(count: number): void {
    this.#spent += count;
    if (this.#spent > this.#max) throw new RangeError("cost budget used up");
  }
}

/** A list whose iteration is metered: the CEL library iterates through `values()`. */
class MeteredList extends Array<CelInput> {
  meter: CelMeter | undefined;

  override values(): ArrayIterator<CelInput> {
    this.meter?.spend(this.length);
    return super.values();
  }
}

/** A map whose iteration is metered: the CEL library iterates through `keys()`. */
class MeteredMap extends Map<string, CelInput> {
  readonly #meter: CelMeter;

  constructor(meter: CelMeter) {
    super();
    this.#meter = meter;
  }

  override keys(): MapIterator<string> {
    this.#meter.spend(this.size);
    return super.keys();
  }
}

/** Words that CEL keeps for itself, so that a field of such a name is escaped. */
const reservedWords: ReadonlySet<string> = new Set([
  "true",
  "false",
  "null",
  "in",
  "as",
  "break",
  "const",
  "continue",
  "else",
  "for",
  "function",
  "if",
  "import",
  "let",
  "loop",
  "package",
  "namespace",
  "return",
  "var",
  "void",
  "while",
]);

const escapes: Readonly<Record<string, string>> = {
  "__": "__underscores__",
  ".": "__dot__",
  "-": "__dash__",
  "/": "__slash__",
};

/** The name that rules use for the field `name`; undefined when rules cannot name it. */
export function escapeFieldName(name: string): string | undefined {
  if (reservedWords.has(name)) return `__${name}__`;
  if (!/^[a-zA-Z_][a-zA-Z0-9_.\-/]*$/.test(name)) return undefined;
  return name.replace(/__|[.\-/]/g, (found) => escapes[found] ?? found);
}

/** Field names are few and repeat in every object. */
const escapedNames = new WeakMap<SchemaNode, ReadonlyMap<string, string>>();

function namesOf(node: SchemaNode): ReadonlyMap<string, string> {
  const known = escapedNames.get(node);
  if (known !== undefined) return known;
  const names = new Map<string, string>();
  for (const name of node.properties?.keys() ?? []) {
    const escaped = escapeFieldName(name);
    if (escaped !== undefined) names.set(name, escaped);
  }
  escapedNames.set(node, names);
  return names;
}

/**
 * Converts the values of one object, each once: the rules of a list, of its items and of their
 * fields see the same converted values.
 */
export class CelConverter {
  readonly #meter: CelMeter;
  readonly #converted = new Map<object, CelInput>();

  /** @param meter pays for every iteration over a converted list or map */
  constructor(meter: CelMeter) {
    this.#meter = meter;
  }

  /** `value` as CEL sees it at `node`. */
  convert(value: unknown, node: SchemaNode | undefined): CelInput {
    switch (typeof value) {
      case "string":
      case "boolean":
        return value;
      case "number":
        return isInteger(value, node) ? BigInt(value) : value;
    }
    if (value === null) return null;
    if (!Array.isArray(value) && !isRecord(value)) {
      throw new TypeError(`Cannot show a value to a rule: a ${typeof value} is not JSON`);
    }
    const known = this.#converted.get(value);
    if (known !== undefined) return known;
    const made = Array.isArray(value) ? this.#list(value, node) : this.#map(value, node);
    this.#converted.set(value, made);
    return made;
  }

  #list(items: readonly unknown[], node: SchemaNode | undefined): CelInput {
    const list = new MeteredList();
    list.meter = this.#meter;
    for (const item of items) list.push(this.convert(item, node?.items));
    return celList(list);
  }

  #map(fields: Readonly<Record<string, unknown>>, node: SchemaNode | undefined): CelInput {
    const map = new MeteredMap(this.#meter);
    const names = node === undefined ? undefined : namesOf(node);
    const other = node?.additionalProperties;
    for (const name in fields) {
      if (!Object.hasOwn(fields, name)) continue;
      const property = node?.properties?.get(name);
      const key = property === undefined ? name : names?.get(name);
      if (key === undefined) continue;
      const below = property ?? (other === true ? undefined : other);
      map.set(key, this.convert(fields[name], below));
    }
    return celMap(map);
  }
}

function isInteger(value: number, node: SchemaNode | undefined): boolean {
  return Number.isInteger(value) && !(node !== undefined && node.raw.type === "number");
}
