/** Translations with the settings of tests. */

import type { DataPlaneConfig } from "../../src/dataplane/model.ts";
import { RegexCache } from "../../src/dataplane/regex.ts";
import { loadEnvoyCodec } from "../../src/envoy/protobuf_codec.ts";
import {
  type EnvoyTranslation,
  EnvoyTranslator,
  type TranslateOptions,
} from "../../src/envoy/translate/translator.ts";

/** Made once: it takes a while. */
export const envoyCodec = await loadEnvoyCodec();

/** What a translation depends on besides the configuration. */
export const translateOptions: TranslateOptions = {
  escapedSlashes: "UnescapeAndRedirect",
  trustedHopCount: 0,
  systemTrustFile: "/etc/ssl/certs/ca-certificates.crt",
  place: (address, port) => ({ address, port }),
};

/** A translator that has not translated anything yet. */
export function newTranslator(options: Partial<TranslateOptions> = {}): EnvoyTranslator {
  return new EnvoyTranslator(envoyCodec, new RegexCache(), { ...translateOptions, ...options });
}

/** `config` translated from scratch. */
export function translateOnce(
  config: DataPlaneConfig,
  options: Partial<TranslateOptions> = {},
): EnvoyTranslation {
  return newTranslator(options).translate(config);
}
