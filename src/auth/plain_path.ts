/**
 * Paths that mean the same to everybody who reads them. Pure.
 *
 * A right is given for a path as text, and a router normalises: what is allowed and what is served
 * would be two things for `/metrics/..%2fapi`. Where rights are asked for, only paths without escapes,
 * dot segments, empty segments and other ways to spell one path in two are taken.
 */

/** Object paths with the longest names of the Kubernetes API fit. */
const pathLengthMax = 1024;

/** Segments of unreserved characters and the delimiters that no router interprets (RFC 3986 3.3). */
const plain = /^(?:\/[A-Za-z0-9\-._~!$&'()*+,;=:@]+)+\/?$/;

/** Whether `path`, without a query, has one reading. */
export function isPlainPath(path: string): boolean {
  if (path === "/") return true;
  return path.length <= pathLengthMax && plain.test(path) && !/\/\.\.?(?:\/|$)/.test(path);
}
