/**
 * Sets of fields, as `metadata.managedFields` holds them (`FieldsV1`). Pure: sets never change.
 *
 * A set is a tree of steps: `f:NAME` a field, `k:{…}` an item of a keyed list, `v:…` a value of a
 * set. A step may be a member itself, lead to members, or both.
 */

import { isRecord, type JsonRecord } from "../../kube/json_value.ts";

/** A set of fields below one place. */
export interface FieldSet {
  /** Whether this place itself is in the set. */
  readonly isMember: boolean;
  readonly below: ReadonlyMap<string, FieldSet>;
}

const nothingBelow: ReadonlyMap<string, FieldSet> = new Map();

/** The empty set. */
export const noFields: FieldSet = { isMember: false, below: nothingBelow };
/** A place without anything below it. */
export const oneField: FieldSet = { isMember: true, below: nothingBelow };

/** Whether nothing is in it. */
export function isEmptySet({ isMember, below }: FieldSet): boolean {
  return !isMember && below.size === 0;
}

/** A set from its parts; parts that are empty are left out. */
export function fieldSet(
  isMember: boolean,
  below: Iterable<readonly [string, FieldSet]>,
): FieldSet {
  const parts = new Map<string, FieldSet>();
  for (const [step, part] of below) if (!isEmptySet(part)) parts.set(step, part);
  return parts.size === 0 ? (isMember ? oneField : noFields) : { isMember, below: parts };
}

/** What is in either. */
export function unionOf(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmptySet(a)) return b;
  if (isEmptySet(b)) return a;
  const parts = new Map(a.below);
  for (const [step, part] of b.below) parts.set(step, unionOf(parts.get(step) ?? noFields, part));
  return fieldSet(a.isMember || b.isMember, parts);
}

/** What is in `a` and not in `b`. */
export function differenceOf(a: FieldSet, b: FieldSet): FieldSet {
  const parts = [...a.below].map(([step, part]) =>
    [step, differenceOf(part, b.below.get(step) ?? noFields)] as const
  );
  return fieldSet(a.isMember && !b.isMember, parts);
}

/** What is in both. */
export function intersectionOf(a: FieldSet, b: FieldSet): FieldSet {
  const parts = [...a.below].map(([step, part]) =>
    [step, intersectionOf(part, b.below.get(step) ?? noFields)] as const
  );
  return fieldSet(a.isMember && b.isMember, parts);
}

/** `a` without the steps of `names` at its top. */
export function withoutSteps(a: FieldSet, names: readonly string[]): FieldSet {
  return fieldSet(a.isMember, [...a.below].filter(([step]) => !names.includes(step)));
}

/** Whether both hold the same. */
export function equalSets(a: FieldSet, b: FieldSet): boolean {
  return a.isMember === b.isMember && a.below.size === b.below.size &&
    [...a.below].every(([step, part]) => {
      const other = b.below.get(step);
      return other !== undefined && equalSets(part, other);
    });
}

/** The members as paths in the words of a conflict: `.spec.ports[port=80,protocol="TCP"].name`. */
export function pathsOf(set: FieldSet, prefix = ""): readonly string[] {
  const paths = set.isMember ? [prefix] : [];
  for (const [step, part] of set.below) paths.push(...pathsOf(part, prefix + stepText(step)));
  return paths;
}

function stepText(step: string): string {
  const rest = step.slice(2);
  if (step.startsWith("f:")) return `.${rest}`;
  if (!step.startsWith("k:")) return `[=${rest}]`;
  const key: unknown = JSON.parse(rest);
  const pairs = isRecord(key) ? Object.entries(key) : [];
  return `[${pairs.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(",")}]`;
}

/** The set as `FieldsV1`. */
export function encodeFields(set: FieldSet): JsonRecord {
  const entries = [...set.below].map(([step, part]): [string, unknown] => [
    step,
    part.below.size === 0 ? {} : encodeFields(part),
  ]);
  const own: [string, unknown][] = set.isMember && set.below.size > 0 ? [[".", {}]] : [];
  return Object.fromEntries([...own, ...entries]);
}

/** Deeper sets are not read. */
const depthMax = 100;

/** Reads `FieldsV1`; undefined when it is none. */
export function decodeFields(value: unknown, depth = 0): FieldSet | undefined {
  if (!isRecord(value) || depth > depthMax) return undefined;
  const parts = new Map<string, FieldSet>();
  for (const [step, item] of Object.entries(value)) {
    if (step === ".") continue;
    if (!isStep(step)) return undefined;
    const part = decodeFields(item, depth + 1);
    if (!part) return undefined;
    parts.set(step, part.below.size === 0 ? oneField : part);
  }
  return { isMember: Object.hasOwn(value, "."), below: parts };
}

function isStep(step: string): boolean {
  if (step.startsWith("f:")) return true;
  if (/^i:\d{1,9}$/.test(step)) return true;
  if (!step.startsWith("k:") && !step.startsWith("v:")) return false;
  try {
    const parsed: unknown = JSON.parse(step.slice(2));
    return step.startsWith("v:") || isRecord(parsed);
  } catch {
    // Not JSON: not a step.
    return false;
  }
}
