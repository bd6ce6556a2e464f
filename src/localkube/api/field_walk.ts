/**
 * Walks values by their shape: which fields a value has, which differ between two, and how an applied
 * value is merged into a live one. Pure: nothing is mutated.
 *
 * The rules are those of structured-merge-diff: whoever names a field of a structure owns what is
 * below it, of an entry of a map and an item of a list also the place itself; whoever makes or takes
 * away a place by an update does so with all of it.
 */

import { asList, equalJson, isRecord, type JsonRecord } from "../../kube/json_value.ts";
import { type FieldSet, fieldSet, noFields, oneField } from "./field_set.ts";
import { type FieldShape, itemKey, shapeFor } from "./field_shapes.ts";

/** A part of a value with its step from above. */
interface Part {
  readonly value: unknown;
  readonly shape: FieldShape;
  /** Whether the place counts itself, besides what is below it. */
  readonly isOwnMember: boolean;
}

/** The parts of `value` by step; undefined when it is one piece. Repeated items count once. */
function partsOf(value: unknown, declared: FieldShape): ReadonlyMap<string, Part> | undefined {
  const shape = shapeFor(declared, value);
  const parts = new Map<string, Part>();
  if (shape.type === "map" && isRecord(value)) {
    for (const [name, item] of Object.entries(value)) {
      const isOwnMember = !shape.isStruct || item === null ||
        (isRecord(item) && Object.keys(item).length === 0);
      parts.set(`f:${name}`, { value: item, shape: shape.below(name), isOwnMember });
    }
    return parts;
  }
  if (!Array.isArray(value)) return undefined;
  if (shape.type === "set") {
    for (const item of value) {
      parts.set(`v:${JSON.stringify(item)}`, { value: item, shape: leaf, isOwnMember: true });
    }
    return parts;
  }
  if (shape.type !== "keyed") return undefined;
  for (const item of value) {
    const key = itemKey(shape, item);
    // A list with an item that cannot be told apart is one piece; validation will refuse it.
    if (key === undefined) return undefined;
    parts.set(`k:${key}`, { value: item, shape: shape.item, isOwnMember: true });
  }
  return parts;
}

const leaf: FieldShape = { type: "leaf" };

/** Every field that `value` has. */
export function fieldsOf(value: unknown, shape: FieldShape): FieldSet {
  const parts = partsOf(value, shape);
  if (!parts) return oneField;
  return fieldSet(
    false,
    [...parts].map(([step, part]) => {
      const inner = fieldsOf(part.value, part.shape);
      return [step, part.isOwnMember ? { ...inner, isMember: true } : inner];
    }),
  );
}

/** Every place in `value`, also structures, which {@linkcode fieldsOf} counts by what is below them. */
function placesOf(value: unknown, shape: FieldShape): FieldSet {
  const parts = partsOf(value, shape);
  if (!parts) return oneField;
  return fieldSet(
    true,
    [...parts].map(([step, part]) => [step, placesOf(part.value, part.shape)]),
  );
}

/** The places of `before` that `after` does not have. */
export function absentFields(before: unknown, after: unknown, shape: FieldShape): FieldSet {
  const oldParts = partsOf(before, shape);
  const newParts = partsOf(after, shape);
  if (!oldParts || !newParts) return noFields;
  return fieldSet(
    false,
    [...oldParts].map(([step, part]) => {
      const now = newParts.get(step);
      return [
        step,
        now ? absentFields(part.value, now.value, part.shape) : placesOf(part.value, part.shape),
      ];
    }),
  );
}

/** The places of `after` that `before` does not have, or has with another value. */
export function changedFields(before: unknown, after: unknown, shape: FieldShape): FieldSet {
  if (before === after) return noFields;
  const newParts = partsOf(after, shape);
  if (!newParts) return equalJson(before, after) ? noFields : oneField;
  const oldParts = partsOf(before, shape);
  return fieldSet(
    false,
    [...newParts].map(([step, part]) => {
      const old = oldParts?.get(step);
      return [
        step,
        old ? changedFields(old.value, part.value, part.shape) : placesOf(part.value, part.shape),
      ];
    }),
  );
}

/** `applied` merged into `live`: what it names wins, what it does not name stays. */
export function mergeApplied(live: unknown, applied: unknown, declared: FieldShape): unknown {
  const shape = shapeFor(declared, applied);
  if (shape.type === "map" && isRecord(applied)) {
    const result = new Map(isRecord(live) ? Object.entries(live) : []);
    for (const [name, value] of Object.entries(applied)) {
      // A null says that its author has no opinion.
      if (value === null && !result.has(name)) continue;
      result.set(name, mergeApplied(result.get(name), value, shape.below(name)));
    }
    return Object.fromEntries(result);
  }
  const parts = shape.type === "leaf" ? undefined : partsOf(applied, shape);
  const old = parts && partsOf(live ?? [], shape);
  if (!parts || !old) return applied;
  const merged = new Map<string, unknown>();
  for (const [step, part] of parts) {
    merged.set(step, mergeApplied(old.get(step)?.value, part.value, part.shape));
  }
  return inLiveOrder(old, merged);
}

/** Items that were there keep their order; new ones come at the place where they were applied. */
function inLiveOrder(
  old: ReadonlyMap<string, Part>,
  merged: ReadonlyMap<string, unknown>,
): readonly unknown[] {
  const items: unknown[] = [];
  const pending = [...merged];
  let at = 0;
  const isOld = (step: string | undefined): boolean => step !== undefined && old.has(step);
  for (const [step, part] of old) {
    if (!merged.has(step)) {
      items.push(part.value);
      continue;
    }
    // New items that were applied before this one.
    for (; at < pending.length && !isOld(pending[at]?.[0]); at++) items.push(pending[at]?.[1]);
    items.push(merged.get(step));
    if (isOld(pending[at]?.[0])) at++;
  }
  for (; at < pending.length; at++) if (!isOld(pending[at]?.[0])) items.push(pending[at]?.[1]);
  return items;
}

/**
 * `value` without the places of `gone` that are not in `kept` either, nor anything below them.
 *
 * @param gone what its owner has given up
 * @param kept what somebody still owns
 */
export function removeFields(
  value: unknown,
  gone: FieldSet,
  kept: FieldSet,
  declared: FieldShape,
): unknown {
  const parts = partsOf(value, declared);
  if (!parts || gone.below.size === 0) return value;
  const left: [string, unknown][] = [];
  for (const [step, part] of parts) {
    const lost = gone.below.get(step);
    const owned = kept.below.get(step);
    if (lost && !owned) continue;
    left.push([
      step,
      lost && owned ? removeFields(part.value, lost, owned, part.shape) : part.value,
    ]);
  }
  if (Array.isArray(value)) return left.map(([, item]) => item);
  return Object.fromEntries(left.map(([step, item]) => [step.slice(2), item]));
}

/** Whether a list of `value` has two items with the same key, which nobody can apply. */
export function findRepeated(value: unknown, declared: FieldShape, path = ""): string | undefined {
  const parts = partsOf(value, declared);
  if (!parts) return undefined;
  if (Array.isArray(value) && parts.size < asList(value).length) return path;
  for (const [step, part] of parts) {
    const inner = step.startsWith("f:") ? `${path}.${step.slice(2)}` : `${path}[${step.slice(2)}]`;
    const found = findRepeated(part.value, part.shape, inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `object` with only those of its top fields that `keeps` lets through. */
export function pickFields(object: JsonRecord, keeps: (name: string) => boolean): JsonRecord {
  return Object.fromEntries(Object.entries(object).filter(([name]) => keeps(name)));
}
