/**
 * Reading JSON of unknown shape without trusting it, for the parts of an object that weir keeps as
 * they are: the stored status and what other controllers wrote there.
 *
 * Nothing here validates: a value of another shape than asked for reads as absent.
 */

/** A JSON object. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** Whether `value` is a JSON object. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `value` when it is a list, else the empty list. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** `value` when it is a string, else undefined. */
export function asString(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** `value` when it is a number, else undefined. */
export function asNumber(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/**
 * Whether two JSON values mean the same: keys in any order, lists in order, a field that is
 * `undefined` the same as one that is absent (JSON cannot tell them apart).
 */
export function equalJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length &&
      a.every((item, index) => equalJson(item, b[index]));
  }
  if (!isRecord(a) || !isRecord(b)) return false;
  return Object.keys(a).every((key) => equalJson(a[key], b[key])) &&
    Object.keys(b).every((key) => Object.hasOwn(a, key) || b[key] === undefined);
}

/** Orders strings by code unit: the same on every machine, unlike a locale's order. */
export function compareStrings(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
