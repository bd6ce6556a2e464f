/**
 * Strategic merge patches, for Kubernetes' own kinds: lists whose items have keys are merged, and
 * directives say the rest (`$patch`, `$retainKeys`, `$setElementOrder/…`, `$deleteFromPrimitiveList/…`).
 *
 * The rules are those of `k8s.io/apimachinery` (package `strategicpatch`). Pure: nothing is mutated.
 */

import { asList, isRecord, type JsonRecord } from "../../kube/json_value.ts";
import type { PatchResult } from "./json_patch.ts";
import { type FieldShape, shapeFor } from "./field_shapes.ts";

const orderPrefix = "$setElementOrder/";
const deletePrefix = "$deleteFromPrimitiveList/";

/** A patch that cannot be understood; caught at the door of this file. */
class PatchFault extends Error {}

/** Applies `patch` to an object of `shape`. */
export function applyStrategicMerge(
  target: unknown,
  patch: unknown,
  shape: FieldShape,
): PatchResult {
  if (!isRecord(patch)) return { ok: false, fault: "the patch is not an object" };
  try {
    return { ok: true, value: mergeMap(isRecord(target) ? target : {}, patch, shape) };
  } catch (error) {
    if (error instanceof PatchFault) return { ok: false, fault: error.message };
    throw error;
  }
}

function mergeMap(target: JsonRecord, patch: JsonRecord, shape: FieldShape): unknown {
  const { $patch: directive, $retainKeys: retained, ...fields } = patch;
  if (directive === "replace") return stripDirectives(fields);
  if (directive === "delete") return {};
  if (directive !== undefined && directive !== "merge") {
    throw new PatchFault(`the directive $patch: ${JSON.stringify(directive)} does not exist`);
  }
  const result = new Map(Object.entries(target));
  if (retained !== undefined) {
    const kept = new Set(asList(retained));
    for (const key of result.keys()) if (!kept.has(key)) result.delete(key);
  }
  for (const [key, value] of Object.entries(fields)) {
    if (key.startsWith(orderPrefix)) continue;
    if (key.startsWith(deletePrefix)) {
      const name = key.slice(deletePrefix.length);
      const gone = new Set(asList(value));
      const left = asList(result.get(name)).filter((item) => !gone.has(item));
      if (result.has(name)) result.set(name, left);
    } else if (value === null) result.delete(key);
    else {
      const order = fields[`${orderPrefix}${key}`];
      result.set(key, mergeField(result.get(key), value, below(shape, key), order));
    }
  }
  orderUntouchedLists(result, fields, shape);
  return Object.fromEntries(result);
}

/** An order may be given for a list of which nothing else changes. */
function orderUntouchedLists(
  result: Map<string, unknown>,
  fields: JsonRecord,
  shape: FieldShape,
): void {
  for (const [key, order] of Object.entries(fields)) {
    if (!key.startsWith(orderPrefix)) continue;
    const name = key.slice(orderPrefix.length);
    if (Object.hasOwn(fields, name) && fields[name] !== null) continue;
    const list = result.get(name);
    if (Array.isArray(list)) result.set(name, sorted(list, order, below(shape, name)));
  }
}

function below(shape: FieldShape, name: string): FieldShape {
  return shape.type === "map" ? shape.below(name) : { type: "leaf" };
}

function mergeField(
  target: unknown,
  patch: unknown,
  declared: FieldShape,
  order: unknown,
): unknown {
  if (isRecord(patch)) {
    // Maps are merged in a strategic patch also where server-side apply takes them as one.
    const shape = declared.type === "map" ? declared : anyFields;
    return mergeMap(isRecord(target) ? target : {}, patch, shape);
  }
  if (!Array.isArray(patch)) return patch;
  const shape = shapeFor(declared, patch);
  if (shape.type === "set") {
    const unique = new Map(
      [...asList(target), ...patch].map((item) => [JSON.stringify(item), item]),
    );
    return sorted([...unique.values()], order, shape);
  }
  if (shape.type !== "keyed") return patch.map(stripDirectives);
  return sorted(mergeKeyed(asList(target), patch, shape), order, shape);
}

const anyFields: FieldShape = { type: "map", isStruct: false, below: () => ({ type: "leaf" }) };

type Keyed = Extract<FieldShape, { readonly type: "keyed" }>;

/** A strategic patch tells items apart by the first key only. */
function mergeKeyed(
  target: readonly unknown[],
  patch: readonly unknown[],
  shape: Keyed,
): readonly unknown[] {
  const [key = ""] = shape.keys;
  if (
    patch.some((item) => isRecord(item) && item.$patch === "replace" && item[key] === undefined)
  ) {
    return patch.filter((item) => !isRecord(item) || item.$patch === undefined);
  }
  const itemShape: FieldShape = shape.item.type === "map" ? shape.item : anyFields;
  const result = new Map(target.map((item, at) => [nameOf(item, key) ?? `#${at}`, item]));
  for (const item of patch) {
    const name = nameOf(item, key);
    if (!isRecord(item) || name === undefined) {
      throw new PatchFault(`an item of a list has no ${JSON.stringify(key)} to merge it by`);
    }
    const old = result.get(name);
    if (item.$patch === "delete") result.delete(name);
    else result.set(name, mergeMap(isRecord(old) ? old : {}, item, itemShape));
  }
  return [...result.values()];
}

/** What an item is told apart by; the item itself in a list without keys. */
function nameOf(item: unknown, key: string | undefined): string | undefined {
  if (key === undefined) return JSON.stringify(item);
  const value = isRecord(item) && Object.hasOwn(item, key) ? item[key] : undefined;
  return value === undefined || value === null ? undefined : JSON.stringify(value);
}

/** In the order that is asked for; what it does not name keeps its place. */
function sorted(
  list: readonly unknown[],
  order: unknown,
  shape: FieldShape,
): readonly unknown[] {
  if (!Array.isArray(order)) return list;
  const key = shape.type === "keyed" ? shape.keys[0] : undefined;
  const ranks = new Map<string | undefined, number>();
  order.forEach((item, at) => ranks.set(nameOf(item, key), at));
  const rankOf = (item: unknown): number | undefined => ranks.get(nameOf(item, key));
  const ranked = list.filter((item) => rankOf(item) !== undefined)
    .sort((a, b) => (rankOf(a) ?? 0) - (rankOf(b) ?? 0));
  let next = 0;
  return list.map((item) => rankOf(item) === undefined ? item : ranked[next++]);
}

function stripDirectives(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stripDirectives);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) =>
        !/^\$(patch|retainKeys)$|^\$(setElementOrder|deleteFromPrimitiveList)\//.test(key)
      )
      .map(([key, item]) => [key, stripDirectives(item)]),
  );
}
