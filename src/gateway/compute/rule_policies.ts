/** Retries and session persistence of a rule, from the API's shape to the data plane's. */

import type { RetryPolicy, SessionPersistence } from "../../dataplane/http_filters.ts";
import type { HTTPRouteRule } from "../../kube/decode/http_route.ts";
import type { DataPlaneCapabilities } from "../capabilities.ts";
import type { Finding } from "./finding.ts";
import type { RuleSpec } from "./rule_spec.ts";

/** Why `dataPlane` cannot do what the fields of `rule` ask for. */
export function findPolicyFault(
  { retry, sessionPersistence }: Pick<RuleSpec, "retry" | "sessionPersistence">,
  { name, features }: DataPlaneCapabilities,
): Finding | undefined {
  const reason = "UnsupportedValue";
  const unserved = (field: string): Finding => {
    return { reason, message: `field "${field}" is not served by data plane "${name}"` };
  };
  if (retry && !features.has("HTTPRouteRetry")) return unserved("retry");
  if (!sessionPersistence) return undefined;
  if (!features.has("HTTPRouteSessionPersistence")) return unserved("sessionPersistence");
  const { sessionName = "" } = sessionPersistence;
  if (sessionName === "" || isToken(sessionName)) return undefined;
  const message = `sessionPersistence: sessionName "${sessionName}" cannot be the name of a ` +
    "cookie or header";
  return { reason, message };
}

/** RFC 9110, section 5.6.2; RFC 6265 wants the same of the name of a cookie. */
function isToken(text: string): boolean {
  return /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(text);
}

/** `retry` as data planes read it. */
export function compileRetry(retry: NonNullable<HTTPRouteRule["retry"]>): RetryPolicy {
  const { codes, attempts, backoff } = retry;
  return {
    codes: [...new Set(codes)].sort((a, b) => a - b),
    ...(attempts === undefined ? {} : { attempts }),
    ...(backoff === undefined ? {} : { backoffMs: backoff }),
  };
}

/**
 * `persistence` as data planes read it.
 *
 * @param owner tells the rule from all others; two rules with one cookie would move each other's
 * sessions
 */
export function compileSessionPersistence(
  persistence: NonNullable<HTTPRouteRule["sessionPersistence"]>,
  owner: string,
): SessionPersistence {
  const { type, sessionName, absoluteTimeout, cookieConfig } = persistence;
  return {
    type,
    sessionName: sessionName || `weir-session-${digestOf(owner)}`,
    ...(absoluteTimeout === undefined ? {} : { absoluteTimeoutMs: absoluteTimeout }),
    isPermanent: type === "Cookie" && cookieConfig?.lifetimeType === "Permanent",
  };
}

/** FNV-1a in eight digits: clients see the name, and shall not learn what objects are called. */
function digestOf(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) {
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  }
  return hash.toString(16).padStart(8, "0");
}
