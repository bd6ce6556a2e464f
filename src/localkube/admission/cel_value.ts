/**
 * JSON values as CEL sees them, typed by their schema.
 *
 * CEL tells 80 from 80.0 and a map from an object only by type, and JSON does not: integers become
 * CEL ints because the schema says so, and fields get the escaped names that rules use
 * (`__namespace__`). Lists and maps are metered, so that the work of all rules on one object has a
 * bound that does not depend on trust in the rules. Texts stay texts whatever their format: a rule
 * that wants a time or a duration says `timestamp(self)` or `duration(self)`.
 */

import { type CelInput, celList, celMap } from "@bufbuild/cel";
import { isRecord } from "../../kube/json_value.ts";
import { escapeFieldName } from "./cel_field_name.ts";
import type { CelMeter } from "./cel_meter.ts";
import type { SchemaNode } from "./schema_node.ts";

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
