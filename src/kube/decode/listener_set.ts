/** ListenerSet (gateway.networking.k8s.io/v1): listeners that join those of a Gateway. */

import * as v from "valibot";
import { decodeBy, type Decoded, type Immutable } from "./decoded.ts";
import { listenerSchema } from "./listener.ts";
import { namespacedMetadataSchema } from "./metadata.ts";
import { parentGatewayReferenceSchema } from "./parent_reference.ts";

const listenerSetSchema = v.object({
  metadata: namespacedMetadataSchema,
  spec: v.object({
    parentRef: parentGatewayReferenceSchema,
    listeners: v.array(listenerSchema),
  }),
});

/** A ListenerSet as the engine reads it. Its `parentRef` stands as it was written. */
export type ListenerSet = Immutable<v.InferOutput<typeof listenerSetSchema>>;

/** Decodes a ListenerSet. */
export function decodeListenerSet(object: unknown): Decoded<ListenerSet> {
  return decodeBy(listenerSetSchema, object);
}
