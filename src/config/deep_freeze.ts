/** Freezing of plain data, so that a setting cannot change behind somebody's back. */

/**
 * Freezes `value` and everything in it, and returns it. For trees of plain objects and arrays; other
 * objects are left alone.
 */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) deepFreeze(part);
  return value;
}
