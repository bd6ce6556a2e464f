/**
 * What an Envoy would be given, as `weir translate --envoy` prints it: the resources as they would be
 * delivered, with what Envoy's documentation calls their fields. Private keys are left out.
 */

import type { EnvoyMessage, TranslatedEnvoy } from "../api/translate.ts";
import { invariant } from "../base/invariant.ts";
import type { DataPlaneConfig } from "../dataplane/model.ts";
import { RegexCache } from "../dataplane/regex.ts";
import { loadEnvoyCodec } from "../envoy/protobuf_codec.ts";
import { type EnvoyKind, messageNames } from "../envoy/resources.ts";
import { EnvoyTranslator } from "../envoy/translate/translator.ts";
import { isRecord } from "../kube/json_value.ts";

/** Renders what one Envoy would be given for all Gateways of `config`. */
export async function renderEnvoy(config: DataPlaneConfig): Promise<TranslatedEnvoy> {
  const codec = await loadEnvoyCodec();
  const translator = new EnvoyTranslator(codec, new RegexCache(), {
    escapedSlashes: "UnescapeAndRedirect",
    trustedHopCount: 0,
    systemTrustFile: "/etc/ssl/certs/ca-certificates.crt",
    place: (address, port) => ({ address, port }),
  });
  const { world, refusals } = translator.translate(config);
  const shown = (kind: EnvoyKind): readonly EnvoyMessage[] =>
    [...world.resources[kind].values()].map(({ bytes }) =>
      asMessage(codec.decode(messageNames[kind], bytes))
    );
  return {
    listeners: shown("listener"),
    routes: shown("route"),
    clusters: shown("cluster"),
    endpoints: shown("endpoints"),
    secrets: shown("secret").map(withoutKey),
    refusals: refusals.map(({ refusal: { origin, message } }) => ({
      object: `${origin.kind} ${origin.namespace}/${origin.name}`,
      message,
    })),
  };
}

function asMessage(value: unknown): EnvoyMessage {
  invariant(isRecord(value), "A resource is an object");
  return value;
}

/** What may be shown of a secret: whoever sees a key can speak for the Gateway. */
function withoutKey(secret: EnvoyMessage): EnvoyMessage {
  const { tlsCertificate } = secret;
  if (!isRecord(tlsCertificate)) return secret;
  const { certificateChain } = tlsCertificate;
  return { ...secret, tlsCertificate: { certificateChain } };
}
