/** Namespace (v1): the labels that listeners select by. */

import * as v from "valibot";
import { decodeBy, type Decoded, type Immutable } from "./decoded.ts";
import { clusterMetadataSchema } from "./metadata.ts";

const namespaceSchema = v.object({
  metadata: v.object({
    ...clusterMetadataSchema.entries,
    labels: v.optional(v.record(v.string(), v.string()), {}),
  }),
});

/** A Namespace as the engine reads it. */
export type Namespace = Immutable<v.InferOutput<typeof namespaceSchema>>;

/** Decodes a Namespace. */
export function decodeNamespace(object: unknown): Decoded<Namespace> {
  return decodeBy(namespaceSchema, object);
}
