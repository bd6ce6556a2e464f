/**
 * Secret (v1), parsed at the door: a certificate with its key when its type is `kubernetes.io/tls`,
 * and a bundle of certificate authorities in its `ca.crt`, whatever its type.
 *
 * All other data is dropped here and never kept. A Secret that holds no usable certificate or bundle
 * is kept with the reason, because a status has to name it. No message holds its bytes.
 */

import { Buffer } from "node:buffer";
import * as v from "valibot";
import { type CaBundle, parseCaBundle } from "../ca_bundle.ts";
import { parseTlsCertificate, type TlsCertificate } from "../tls_certificate.ts";
import { decodeBy, type Decoded, type Immutable } from "./decoded.ts";
import { namespacedMetadataSchema } from "./metadata.ts";

/** A Secret holds at most 1 MiB, so no value of it is longer in base64. */
const base64LengthMax = 1_500_000;

const secretSchema = v.object({
  metadata: namespacedMetadataSchema,
  type: v.optional(v.string(), "Opaque"),
  data: v.optional(v.record(v.string(), v.unknown()), {}),
});

/** A Secret as the engine reads it. */
export interface Secret {
  readonly metadata: Immutable<v.InferOutput<typeof namespacedMetadataSchema>>;
  readonly tls: TlsCertificate | { readonly invalid: string };
  readonly ca: CaBundle | { readonly invalid: string };
}

/** Decodes a Secret. */
export function decodeSecret(object: unknown): Decoded<Secret> {
  const decoded = decodeBy(secretSchema, object);
  if (!decoded.ok) return decoded;
  const { metadata, type, data } = decoded.value;
  return { ok: true, value: { metadata, tls: decodeTls(type, data), ca: decodeCa(data) } };
}

function decodeTls(type: string, data: Readonly<Record<string, unknown>>): Secret["tls"] {
  if (type !== "kubernetes.io/tls") {
    return { invalid: `its type is "${type}", wanted "kubernetes.io/tls"` };
  }
  const chain = decodeBase64(data["tls.crt"]);
  const key = decodeBase64(data["tls.key"]);
  if (chain === undefined) return { invalid: `its "tls.crt" is missing or not base64` };
  if (key === undefined) return { invalid: `its "tls.key" is missing or not base64` };
  return parseTlsCertificate(chain, key);
}

function decodeCa(data: Readonly<Record<string, unknown>>): Secret["ca"] {
  const pem = decodeBase64(data["ca.crt"]);
  return pem === undefined
    ? { invalid: `its "ca.crt" is missing or not base64` }
    : parseCaBundle(pem);
}

/** The API server stores base64 without line breaks, or with those that Go's decoder skips. */
function decodeBase64(value: unknown): string | undefined {
  if (typeof value !== "string" || value === "" || value.length > base64LengthMax) return undefined;
  const compact = value.replaceAll(/[\r\n]/g, "");
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(compact)) return undefined;
  return Buffer.from(compact, "base64").toString("utf8");
}
