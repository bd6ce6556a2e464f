/**
 * The parts of HTTP filters and rules that name no other part of the model, in the API's words.
 *
 * Defaults of the API are filled in; what is absent here is left to the data plane.
 */

/** Applied in this order: remove, set, add. */
export interface HeaderModifier {
  readonly set: readonly HeaderValue[];
  readonly add: readonly HeaderValue[];
  readonly remove: readonly string[];
}

/** One header line; the name is written as given. */
export interface HeaderValue {
  readonly name: string;
  readonly value: string;
}

/** Absent parts are taken from the request, as the API says of each field. */
export interface Redirect {
  readonly scheme?: "http" | "https";
  readonly hostname?: string;
  readonly path?: PathModifier;
  readonly port?: number;
  readonly statusCode: number;
}

/** Changes of the request on its way to the backend. */
export interface UrlRewrite {
  readonly hostname?: string;
  readonly path?: PathModifier;
}

/** `prefix` is the matched prefix that is replaced. */
export type PathModifier =
  | { readonly type: "ReplaceFullPath"; readonly value: string }
  | { readonly type: "ReplacePrefixMatch"; readonly value: string; readonly prefix: string };

/**
 * Which pages of other origins may use the answers of a rule (Gateway API, HTTPCORSFilter). Each list
 * is `*` alone, or holds no `*` entry; `exposeHeaders` may have one among others.
 */
export interface CorsPolicy {
  /** `SCHEME://HOST[:PORT]` in lower case; HOST is `*`, exact or `*.suffix`. Empty: none. */
  readonly allowOrigins: readonly string[];
  /** Beyond GET, HEAD and POST, which are always allowed. Upper case. */
  readonly allowMethods: readonly string[];
  readonly allowHeaders: readonly string[];
  readonly exposeHeaders: readonly string[];
  readonly allowCredentials: boolean;
  /** How long a client may keep the answer to a preflight request. */
  readonly maxAgeSeconds: number;
}

/** When a request is sent to a backend again (Gateway API, HTTPRouteRetry; GEP-1731). */
export interface RetryPolicy {
  /** Statuses of a backend that lead to another try, sorted, each once. */
  readonly codes: readonly number[];
  /** Tries after the first. Absent: the data plane's default. */
  readonly attempts?: number;
  /** The least time between two tries. Absent: the data plane's default. */
  readonly backoffMs?: number;
}

/** How requests of one client reach the same endpoint (GEP-1619). */
export interface SessionPersistence {
  readonly type: "Cookie" | "Header";
  /** The name of the cookie or header; of one that the route leaves out, unique to the rule. */
  readonly sessionName: string;
  /** After it the session ends, whatever the client does. Absent: never. */
  readonly absoluteTimeoutMs?: number;
  /** Whether a cookie outlives the browser; then `absoluteTimeoutMs` says how long. */
  readonly isPermanent: boolean;
}
