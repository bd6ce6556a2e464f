/**
 * Comparing resourceVersions of one kind of one server.
 *
 * They are decimal numbers of any size for every kind that an API server keeps itself (KEP-5504);
 * others may be any text, about which nothing is known but equality.
 */

const decimal = /^(?:0|[1-9]\d*)$/;

/** Whether `a` is certainly older than `b`. False when they cannot be compared. */
export function isOlderVersion(a: string, b: string): boolean {
  if (!decimal.test(a) || !decimal.test(b)) return false;
  return a.length === b.length ? a < b : a.length < b.length;
}
