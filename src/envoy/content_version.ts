/**
 * The version of a resource: a digest of its bytes.
 *
 * A counter would start again with the process, and every Envoy would be sent the world anew by a
 * control plane that was only restarted.
 */

import { createHash } from "node:crypto";

/** Hexadecimal digits of a version: 128 bits, of which no two contents are found to share one. */
const versionLength = 32;

/** Follows from `bytes` alone, in every process. Tells nothing about them. */
export function contentVersion(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex").slice(0, versionLength);
}
