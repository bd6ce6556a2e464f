/**
 * BackendTLSPolicy (gateway.networking.k8s.io/v1): how connections to a Service use TLS.
 *
 * Types and names that this version does not know are kept as they stand, so that a status can name
 * them.
 */

import * as v from "valibot";
import { decodeBy, type Decoded, type Immutable } from "./decoded.ts";
import { namespacedMetadataSchema } from "./metadata.ts";
import { localObjectReferenceSchema } from "./object_reference.ts";

const backendTLSPolicySchema = v.object({
  metadata: namespacedMetadataSchema,
  spec: v.object({
    targetRefs: v.array(v.object({
      ...localObjectReferenceSchema.entries,
      /** The name of a port of the Service; absent: all ports. */
      sectionName: v.exactOptional(v.string()),
    })),
    validation: v.object({
      caCertificateRefs: v.optional(v.array(localObjectReferenceSchema), []),
      wellKnownCACertificates: v.exactOptional(v.string()),
      hostname: v.pipe(v.string(), v.toLowerCase()),
      subjectAltNames: v.optional(
        v.array(v.object({
          type: v.string(),
          hostname: v.exactOptional(v.pipe(v.string(), v.toLowerCase())),
          uri: v.exactOptional(v.string()),
        })),
        [],
      ),
    }),
    options: v.optional(v.record(v.string(), v.string()), {}),
  }),
});

/** A BackendTLSPolicy as the engine reads it. */
export type BackendTLSPolicy = Immutable<v.InferOutput<typeof backendTLSPolicySchema>>;
/** One entry of `spec.targetRefs`. */
export type PolicyTargetReference = BackendTLSPolicy["spec"]["targetRefs"][number];

/** Decodes a BackendTLSPolicy. */
export function decodeBackendTLSPolicy(object: unknown): Decoded<BackendTLSPolicy> {
  return decodeBy(backendTLSPolicySchema, object);
}
