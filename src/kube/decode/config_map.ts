/**
 * ConfigMap (v1) as a bundle of certificate authorities, parsed at the door.
 *
 * Only `data["ca.crt"]` is read (Gateway API, `caCertificateRefs`); all other data is dropped here
 * and never kept. A ConfigMap without a usable bundle is kept with the reason, because a status has
 * to name it. No message holds its data.
 */

import * as v from "valibot";
import { type CaBundle, parseCaBundle } from "../ca_bundle.ts";
import { decodeBy, type Decoded, type Immutable } from "./decoded.ts";
import { namespacedMetadataSchema } from "./metadata.ts";

const configMapSchema = v.object({
  metadata: namespacedMetadataSchema,
  data: v.nullish(v.object({ "ca.crt": v.exactOptional(v.unknown()) }), {}),
});

/** A ConfigMap as the engine reads it. */
export interface ConfigMap {
  readonly metadata: Immutable<v.InferOutput<typeof namespacedMetadataSchema>>;
  readonly ca: CaBundle | { readonly invalid: string };
}

/** Decodes a ConfigMap. */
export function decodeConfigMap(object: unknown): Decoded<ConfigMap> {
  const decoded = decodeBy(configMapSchema, object);
  if (!decoded.ok) return decoded;
  const { metadata, data } = decoded.value;
  const pem = data["ca.crt"];
  const ca = typeof pem === "string" ? parseCaBundle(pem) : { invalid: `its "ca.crt" is missing` };
  return { ok: true, value: { metadata, ca } };
}
