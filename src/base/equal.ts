/**
 * Structural equality and structural sharing of plain data: JSON values, and maps of them.
 *
 * Both walk the values once and allocate nothing while they compare. Order matters in arrays, not
 * among the keys of an object. Class instances, cycles and functions are outside of the contract.
 */

/** Whether `a` and `b` hold the same data. A property that is `undefined` differs from an absent one. */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) {
    return Number.isNaN(a) && Number.isNaN(b);
  }
  if (Array.isArray(a)) return Array.isArray(b) && equalArrays(a, b);
  if (a instanceof Map) return b instanceof Map && equalMaps(a, b);
  return isRecord(a) && isRecord(b) && equalRecords(a, b);
}

type PlainRecord = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is PlainRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value) &&
    !(value instanceof Map);
}

function equalArrays(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) {
    if (!equal(a[index], b[index])) return false;
  }
  return true;
}

function equalMaps(a: ReadonlyMap<unknown, unknown>, b: ReadonlyMap<unknown, unknown>): boolean {
  if (a.size !== b.size) return false;
  for (const [key, value] of a) {
    if (!b.has(key) || !equal(value, b.get(key))) return false;
  }
  return true;
}

function equalRecords(a: PlainRecord, b: PlainRecord): boolean {
  let count = 0;
  for (const key in a) {
    const value = b[key];
    if (a[key] !== value && !equal(a[key], value)) return false;
    if (value === undefined && !Object.hasOwn(b, key)) return false;
    count++;
  }
  for (const _ in b) count--;
  return count === 0;
}

/**
 * `next` with every part that equals its counterpart in `previous` replaced by that very part, so
 * that readers may compare by reference. The result equals `next`; when nothing differs it is
 * `previous`. Neither argument is changed.
 *
 * Elements of arrays are paired from the front and from the back: an insertion in the middle keeps
 * the identity of all others.
 */
export function share<T>(previous: unknown, next: T): T {
  // Most parts are equal, and to find that out is cheaper than to share.
  // deno-lint-ignore weir/no-cast -- the result equals `next`, so it has its type
  return (equal(previous, next) ? previous : shareUnknown(previous, next)) as T;
}

function shareUnknown(previous: unknown, next: unknown): unknown {
  if (previous === next) return next;
  if (Array.isArray(next)) return Array.isArray(previous) ? shareArrays(previous, next) : next;
  if (isRecord(next)) return isRecord(previous) ? shareRecords(previous, next) : next;
  return equal(previous, next) ? previous : next;
}

function shareArrays(previous: readonly unknown[], next: readonly unknown[]): readonly unknown[] {
  const shorter = Math.min(previous.length, next.length);
  let front = 0;
  while (front < shorter && equal(previous[front], next[front])) front++;
  if (front === previous.length && front === next.length) return previous;
  const shift = previous.length - next.length;
  let back = next.length;
  while (
    back > front && back + shift > front && equal(previous[back - 1 + shift], next[back - 1])
  ) {
    back--;
  }
  return next.map((element, index) => {
    if (index < front) return previous[index];
    if (index >= back) return previous[index + shift];
    return index < back + shift ? shareUnknown(previous[index], element) : element;
  });
}

function shareRecords(previous: PlainRecord, next: PlainRecord): PlainRecord {
  let result: Record<string, unknown> | undefined;
  let isSame = true;
  let count = 0;
  for (const key in next) {
    count++;
    const before = previous[key];
    const shared = shareUnknown(before, next[key]);
    if (shared !== before || !Object.hasOwn(previous, key)) isSame = false;
    if (shared !== next[key]) (result ??= { ...next })[key] = shared;
  }
  for (const _ in previous) count--;
  if (isSame && count === 0) return previous;
  return result ?? next;
}
