/**
 * What a CORS policy answers (Gateway API, HTTPCORSFilter; the Fetch standard's protocol): the one
 * reading of it for the embedded data plane and for explanations. Pure.
 *
 * A foreign origin gets the answer without the headers that would let its page read it. Where the
 * answer depends on the origin, it says so to caches, also to whom it says nothing else.
 */

import type { CorsPolicy } from "./http_filters.ts";

/** A question of a browser before it sends the request itself. */
export interface Preflight {
  readonly origin: string;
  readonly method: string;
  /** As the header has them; absent: none is asked for. */
  readonly headers?: string;
}

/** A header line. */
export type HeaderLine = readonly [name: string, value: string];

/** The preflight that a request is; undefined: it is none. `rawHeaders`: name, value, name, value … */
export function readPreflight(
  method: string,
  rawHeaders: readonly string[],
): Preflight | undefined {
  if (method !== "OPTIONS") return undefined;
  const origin = valueOf(rawHeaders, "origin");
  const wanted = valueOf(rawHeaders, "access-control-request-method");
  if (origin === undefined || wanted === undefined) return undefined;
  const headers = valueOf(rawHeaders, "access-control-request-headers");
  return { origin, method: wanted, ...(headers === undefined ? {} : { headers }) };
}

/** Of several lines none: nobody sends two origins, and two methods are no method. */
function valueOf(rawHeaders: readonly string[], wanted: string): string | undefined {
  let found: string | undefined;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() !== wanted) continue;
    if (found !== undefined) return undefined;
    found = rawHeaders[index + 1];
  }
  return found;
}

/** The header lines of the answer to `preflight`. */
export function preflightLines(policy: CorsPolicy, preflight: Preflight): readonly HeaderLine[] {
  if (!allowsOrigin(policy, preflight.origin)) return varies(policy);
  const methods = listFor(policy, policy.allowMethods, preflight.method);
  const headers = listFor(policy, policy.allowHeaders, preflight.headers);
  return [
    ...originLines(policy, preflight.origin),
    ...(methods === undefined ? [] : [["Access-Control-Allow-Methods", methods] as const]),
    ...(headers === undefined ? [] : [["Access-Control-Allow-Headers", headers] as const]),
    ["Access-Control-Max-Age", String(policy.maxAgeSeconds)],
  ];
}

/** The header lines of any other answer; `rawHeaders` are the request's. */
export function actualLines(
  policy: CorsPolicy,
  rawHeaders: readonly string[],
): readonly HeaderLine[] {
  const origin = valueOf(rawHeaders, "origin");
  if (origin === undefined || !allowsOrigin(policy, origin)) return varies(policy);
  return originLines(policy, origin);
}

function originLines(policy: CorsPolicy, origin: string): readonly HeaderLine[] {
  const { allowCredentials, exposeHeaders } = policy;
  const isSame = varies(policy).length === 0;
  const exposed = exposeHeaders.includes("*") && !allowCredentials
    ? ["*"]
    : exposeHeaders.filter((name) => name !== "*");
  return [
    ["Access-Control-Allow-Origin", isSame ? "*" : origin],
    ...(allowCredentials ? [["Access-Control-Allow-Credentials", "true"] as const] : []),
    ...(exposed.length === 0
      ? []
      : [["Access-Control-Expose-Headers", exposed.join(", ")] as const]),
    ...varies(policy),
  ];
}

/** Every origin gets the same answer when all are allowed and none may send credentials. */
function varies({ allowOrigins, allowCredentials }: CorsPolicy): readonly HeaderLine[] {
  return allowOrigins.includes("*") && !allowCredentials ? [] : [["Vary", "Origin"]];
}

/** With credentials a lone `*` has no meaning to browsers: what was asked for is allowed instead. */
function listFor(
  { allowCredentials }: CorsPolicy,
  allowed: readonly string[],
  asked: string | undefined,
): string | undefined {
  if (allowed.length === 0) return undefined;
  if (!allowed.includes("*")) return allowed.join(", ");
  return allowCredentials ? asked : "*";
}

/** Whether pages of `origin` may read answers. */
export function allowsOrigin({ allowOrigins }: CorsPolicy, origin: string): boolean {
  const given = origin.toLowerCase();
  return allowOrigins.some((pattern) => matchesOrigin(pattern, given));
}

/** `*` in a host stands for one label or more; alone, for every host. */
function matchesOrigin(pattern: string, origin: string): boolean {
  if (pattern === "*" || pattern === origin) return true;
  const star = pattern.indexOf("*");
  if (star < 0) return false;
  const before = pattern.slice(0, star);
  const behind = pattern.slice(star + 1);
  if (!origin.startsWith(before) || !origin.endsWith(behind)) return false;
  const matched = origin.slice(before.length, origin.length - behind.length);
  return matched !== "" && isHost(matched, behind);
}

/** What the star stands for is a host or labels of one, and has no port where the pattern has none. */
function isHost(matched: string, behind: string): boolean {
  if (behind === "" || behind.startsWith(":")) {
    return /^(?:[-a-z0-9_.]+|\[[0-9a-f:.]+\])$/.test(matched);
  }
  return /^[-a-z0-9_.]+$/.test(matched);
}
