/**
 * Between messages of Envoy as JSON and their bytes: the one seam to the protobuf library.
 *
 * Resources are written as canonical proto-JSON (field names in camelCase, durations as `"1s"`,
 * `@type` in every Any), so that goldens show what Envoy's documentation shows.
 */

/** Canonical proto-JSON; absent values are left out, never undefined. */
export type ProtoJson =
  | null
  | boolean
  | number
  | string
  | readonly ProtoJson[]
  | { readonly [field: string]: ProtoJson };

/** An object in canonical proto-JSON. */
export type ProtoObject = { readonly [field: string]: ProtoJson };

/** Encodes and decodes messages of Envoy by their full name, `envoy.config.cluster.v3.Cluster`. */
export interface EnvoyCodec {
  /**
   * The bytes of `message`; equal messages have equal bytes. What a user wrote is only ever a value
   * in it, so this fails for a programmer's error alone.
   *
   * @throws Error for a message, field or `@type` that Envoy 1.40 does not have, or a value that the
   * field cannot hold
   */
  encode(messageName: string, message: ProtoObject): Uint8Array;
  /**
   * What `bytes` say. Types inside of an Any that are not known make it fail.
   *
   * @throws Error when they are no such message
   */
  decode(messageName: string, bytes: Uint8Array): ProtoJson;
}
