/** GatewayClass (gateway.networking.k8s.io/v1): who serves the Gateways of a class. */

import * as v from "valibot";
import { decodeBy, type Decoded, type Immutable } from "./decoded.ts";
import { clusterMetadataSchema } from "./metadata.ts";

const gatewayClassSchema = v.object({
  metadata: clusterMetadataSchema,
  spec: v.object({
    controllerName: v.string(),
    parametersRef: v.exactOptional(
      v.object({ group: v.string(), kind: v.string(), name: v.string() }),
    ),
  }),
});

/** A GatewayClass as the engine reads it. */
export type GatewayClass = Immutable<v.InferOutput<typeof gatewayClassSchema>>;

/** Decodes a GatewayClass. */
export function decodeGatewayClass(object: unknown): Decoded<GatewayClass> {
  return decodeBy(gatewayClassSchema, object);
}
