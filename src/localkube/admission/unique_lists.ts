/**
 * Uniqueness in lists of type `set` (whole items) and `map` (the items' keys).
 *
 * The second and no later occurrence of a value is reported, as the API server does: one finding
 * for each value that occurs more than once.
 */

import { isRecord } from "../../kube/json_value.ts";
import type { FaultList } from "./fault_list.ts";
import { duplicate, invalid } from "./field_error.ts";
import type { SchemaNode } from "./schema_node.ts";

/** Adds the duplicates in `value` and below to `faults`. */
export function checkUniqueLists(
  value: unknown,
  node: SchemaNode,
  path: string,
  faults: FaultList,
): void {
  if (!node.hasUniqueLists) return;
  if (Array.isArray(value)) {
    if (node.raw.listType === "set") checkSet(value, path, faults);
    else if (node.raw.listType === "map") checkMap(value, node, path, faults);
    if (node.items === undefined) return;
    for (const [index, item] of value.entries()) {
      checkUniqueLists(item, node.items, `${path}[${index}]`, faults);
    }
  } else if (isRecord(value)) checkFields(value, node, path, faults);
}

function checkFields(
  fields: Readonly<Record<string, unknown>>,
  node: SchemaNode,
  path: string,
  faults: FaultList,
): void {
  const other = node.additionalProperties;
  for (const name in fields) {
    if (!Object.hasOwn(fields, name)) continue;
    const property = node.properties?.get(name);
    if (property !== undefined) {
      checkUniqueLists(fields[name], property, path === "" ? name : `${path}.${name}`, faults);
    } else if (typeof other === "object") {
      checkUniqueLists(fields[name], other, `${path}[${name}]`, faults);
    }
  }
}

function checkSet(items: readonly unknown[], path: string, faults: FaultList): void {
  for (const index of repeated(items)) faults.add(duplicate(`${path}[${index}]`, items[index]));
}

function checkMap(
  items: readonly unknown[],
  node: SchemaNode,
  path: string,
  faults: FaultList,
): void {
  const keys: Record<string, unknown>[] = [];
  for (const [index, item] of items.entries()) {
    if (item !== null && !isRecord(item)) {
      const detail = "must be an object for an array of list-type map";
      return faults.add(invalid(`${path}[${index}]`, item, detail));
    }
    const key: Record<string, unknown> = {};
    for (const name of node.raw.listMapKeys ?? []) {
      if (item !== null && Object.hasOwn(item, name)) key[name] = item[name];
    }
    keys.push(key);
  }
  for (const index of repeated(keys)) faults.add(duplicate(`${path}[${index}]`, keys[index]));
}

/** The indexes of second occurrences. */
function repeated(values: readonly unknown[]): number[] {
  if (values.length < 2) return [];
  const counts = new Map<string, number>();
  const found: number[] = [];
  for (const [index, value] of values.entries()) {
    // A type tag keeps 1 and "1" apart; key objects are built in one field order.
    const text = `${typeof value}:${JSON.stringify(value)}`;
    const count = counts.get(text) ?? 0;
    if (count === 1) found.push(index);
    counts.set(text, count + 1);
  }
  return found;
}
