/**
 * Acting as somebody else: the `Impersonate-…` headers of the Kubernetes API.
 */

import type { Impersonation } from "./cluster_access.ts";

/** The headers for `impersonation`; none without one. */
export function impersonationHeaders(
  impersonation: Impersonation | undefined,
): Record<string, string | string[]> {
  if (impersonation === undefined) return {};
  const { user, uid, groups = [], extra = {} } = impersonation;
  const headers: Record<string, string | string[]> = { "impersonate-user": user };
  if (uid !== undefined) headers["impersonate-uid"] = uid;
  if (groups.length > 0) headers["impersonate-group"] = [...groups];
  for (const [name, values] of Object.entries(extra)) {
    // Names of extra fields hold characters that header names may not; the API decodes them.
    headers[`impersonate-extra-${encodeURIComponent(name.toLowerCase())}`] = [...values];
  }
  return headers;
}
