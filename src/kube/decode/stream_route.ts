/**
 * TLSRoute, TCPRoute and UDPRoute (gateway.networking.k8s.io/v1): routes of connections, which have
 * backends and no filters.
 *
 * The versions before v1 take more than v1 does, and nothing converts them (as in a real cluster,
 * where their CRDs have no conversion webhook): a TLSRoute without hostnames, or with addresses as
 * hostnames, and up to 16 rules. So no more is wanted here than the oldest served version has.
 */

import * as v from "valibot";
import { backendReferenceSchema } from "./backend_reference.ts";
import { decodeBy, type Decoded, type Immutable } from "./decoded.ts";
import { namespacedMetadataSchema } from "./metadata.ts";
import { commonRouteEntries } from "./parent_reference.ts";

const ruleSchema = v.object({
  name: v.exactOptional(v.string()),
  backendRefs: v.optional(v.array(backendReferenceSchema), []),
});

const streamSpecSchema = v.object({
  ...commonRouteEntries,
  rules: v.array(ruleSchema),
});

const streamRouteSchema = v.object({ metadata: namespacedMetadataSchema, spec: streamSpecSchema });

const tlsRouteSchema = v.object({
  metadata: namespacedMetadataSchema,
  spec: v.object({
    ...streamSpecSchema.entries,
    /** Empty: every name. */
    hostnames: v.optional(v.array(v.pipe(v.string(), v.toLowerCase())), []),
  }),
});

/** A TLSRoute as the engine reads it. */
export type TLSRoute = Immutable<v.InferOutput<typeof tlsRouteSchema>>;
/** A TCPRoute as the engine reads it. */
export type TCPRoute = Immutable<v.InferOutput<typeof streamRouteSchema>>;
/** A UDPRoute as the engine reads it. */
export type UDPRoute = TCPRoute;
/** One entry of `spec.rules` of any of the three. */
export type StreamRouteRule = TCPRoute["spec"]["rules"][number];

/** Decodes a TLSRoute. */
export function decodeTLSRoute(object: unknown): Decoded<TLSRoute> {
  return decodeBy(tlsRouteSchema, object);
}

/** Decodes a TCPRoute. */
export function decodeTCPRoute(object: unknown): Decoded<TCPRoute> {
  return decodeBy(streamRouteSchema, object);
}

/** Decodes a UDPRoute. */
export function decodeUDPRoute(object: unknown): Decoded<UDPRoute> {
  return decodeBy(streamRouteSchema, object);
}
