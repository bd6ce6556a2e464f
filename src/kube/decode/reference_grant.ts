/** ReferenceGrant (gateway.networking.k8s.io/v1): which references into a namespace are allowed. */

import * as v from "valibot";
import { decodeBy, type Decoded, type Immutable } from "./decoded.ts";
import { namespacedMetadataSchema } from "./metadata.ts";

const referenceGrantSchema = v.object({
  metadata: namespacedMetadataSchema,
  spec: v.object({
    from: v.array(v.object({ group: v.string(), kind: v.string(), namespace: v.string() })),
    to: v.array(
      v.object({ group: v.string(), kind: v.string(), name: v.exactOptional(v.string()) }),
    ),
  }),
});

/** A ReferenceGrant as the engine reads it. */
export type ReferenceGrant = Immutable<v.InferOutput<typeof referenceGrantSchema>>;

/** Decodes a ReferenceGrant. */
export function decodeReferenceGrant(object: unknown): Decoded<ReferenceGrant> {
  return decodeBy(referenceGrantSchema, object);
}
