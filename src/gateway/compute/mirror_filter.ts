/**
 * The RequestMirror filter, from the API's shape to the data plane's.
 *
 * A mirror never breaks the request that it copies: one whose reference leads nowhere is left out
 * and told as unresolved (HTTPRequestMirrorFilter, `backendRef`).
 */

import type { HTTPRouteFilter } from "../../kube/decode/http_filter.ts";
import type { DataPlaneCapabilities } from "../capabilities.ts";
import { type ReferringRoute, resolveBackend } from "./backends.ts";
import type { CompiledFilter } from "./compiled_filter.ts";
import type { ComputeView } from "./compute_view.ts";
import type { Finding } from "./finding.ts";

type Mirror = NonNullable<HTTPRouteFilter["requestMirror"]>;

/** What `mirror` of `route` comes to. */
export function compileMirror(
  view: ComputeView,
  route: ReferringRoute,
  mirror: Mirror,
): CompiledFilter {
  const resolved = resolveBackend(view, route, mirror.backendRef);
  const unresolved = "reason" in resolved ? { unresolved: resolved } : {};
  const { numerator, denominator } = partOf(mirror);
  const fault = findPartFault(mirror);
  if (fault) return { ...unresolved, fault };
  // What cannot be secured as a policy asks is not sent in the clear either.
  if ("reason" in resolved || resolved.isUnusable || numerator === 0) return unresolved;
  const { cluster } = resolved;
  return { filter: { type: "RequestMirror", mirror: { cluster, numerator, denominator } } };
}

/** Which of the requests; with neither field, all. */
function partOf({ percent, fraction }: Mirror): {
  readonly numerator: number;
  readonly denominator: number;
} {
  return fraction ?? { numerator: percent ?? 100, denominator: 100 };
}

/** The CRD refuses these; an older one in the cluster may not. */
function findPartFault(mirror: Mirror): Finding | undefined {
  const reason = "UnsupportedValue";
  if (mirror.percent !== undefined && mirror.fraction !== undefined) {
    const message = `filter "RequestMirror": "percent" and "fraction" exclude each other`;
    return { reason, message };
  }
  const { numerator, denominator } = partOf(mirror);
  if (numerator >= 0 && denominator > 0 && numerator <= denominator) return undefined;
  const message = `filter "RequestMirror": ${numerator} of ${denominator} requests is no part of ` +
    "them, wanted none to all";
  return { reason, message };
}

/** What of several mirrors, or of a mirror of some requests, `dataPlane` has not. */
export function findMirrorFault(
  filters: readonly HTTPRouteFilter[],
  { name, features }: DataPlaneCapabilities,
): Finding | undefined {
  const mirrors = filters.flatMap(({ requestMirror }) => requestMirror ?? []);
  // Without the filter itself that is what is told.
  if (mirrors.length === 0 || !features.has("HTTPRouteRequestMirror")) return undefined;
  const what = mirrors.length > 1 && !features.has("HTTPRouteRequestMultipleMirrors")
    ? `more than one filter "RequestMirror"`
    : mirrors.some(isPartial) && !features.has("HTTPRouteRequestPercentageMirror")
    ? `filter "RequestMirror" for a part of the requests`
    : undefined;
  return what === undefined
    ? undefined
    : { reason: "UnsupportedValue", message: `${what} is not served by data plane "${name}"` };
}

function isPartial(mirror: Mirror): boolean {
  const { numerator, denominator } = partOf(mirror);
  return numerator !== denominator;
}
