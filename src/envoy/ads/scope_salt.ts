/** Makes Envoy take a scope whose bytes it knows already, and did not put into service. */

import type { EnvoyCodec } from "../codec.ts";
import { messageNames } from "../resources.ts";

/**
 * Bytes to put behind an encoded scope: protobuf merges them into it, as metadata that nothing reads.
 * Other counts give other contents.
 */
export function encodeScopeSalt(codec: EnvoyCodec, count: number): Uint8Array {
  return codec.encode(messageNames.scope, {
    routeConfiguration: { metadata: { filterMetadata: { weir: { salt: count } } } },
  });
}
