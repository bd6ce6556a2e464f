/**
 * A CORS policy for Envoy's filter (Gateway API, HTTPCORSFilter), with the reading of it that
 * `src/dataplane/cors.ts` has. A foreign origin's preflight is answered, without what lets it read.
 */

import { withoutControls } from "../../dataplane/writable_text.ts";
import type { CorsPolicy } from "../../dataplane/http_filters.ts";
import type { ProtoObject } from "../codec.ts";
import { listed, present, typed } from "./proto_fields.ts";
import { quoted } from "./writable_text.ts";

/** The Any for `envoy.filters.http.cors` of a route. */
export function corsConfig(policy: CorsPolicy): ProtoObject {
  const { allowOrigins, allowMethods, allowHeaders, exposeHeaders, allowCredentials } = policy;
  const exposed = exposeHeaders.includes("*") && !allowCredentials
    ? ["*"]
    : exposeHeaders.filter((name) => name !== "*");
  return typed("envoy.extensions.filters.http.cors.v3.CorsPolicy", {
    ...listed("allowOriginStringMatch", allowOrigins.map(originMatch)),
    ...present({
      allowMethods: joined(allowMethods),
      allowHeaders: joined(allowHeaders),
      exposeHeaders: joined(exposed),
      maxAge: String(policy.maxAgeSeconds),
    }),
    allowCredentials,
    forwardNotMatchingPreflights: false,
  });
}

function joined(names: readonly string[]): string | undefined {
  return names.length === 0 ? undefined : withoutControls(names.join(", "));
}

/**
 * A star alone is for every origin. In a host it stands for one label or more; alone there for every
 * host, and has no port where the pattern has none.
 */
function originMatch(pattern: string): ProtoObject {
  if (pattern === "*") return { safeRegex: { regex: ".*" } };
  const star = pattern.indexOf("*");
  if (star < 0) return { exact: pattern, ignoreCase: true };
  const before = pattern.slice(0, star);
  const behind = pattern.slice(star + 1);
  const host = behind === "" || behind.startsWith(":")
    ? "(?:[-a-z0-9_.]+|\\[[0-9a-f:.]+\\])"
    : "[-a-z0-9_.]+";
  return { safeRegex: { regex: `(?i:${quoted(before)}${host}${quoted(behind)})` } };
}
