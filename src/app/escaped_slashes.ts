/** What the data plane does with escaped separators, from the setting's words to the model's. */

import type { Config } from "../config/flags.ts";
import type { EscapedSlashes } from "../dataplane/normalize_path.ts";

/** `--path-with-escaped-slashes` in the words of the data plane. */
export const escapedSlashes: Readonly<Record<Config["pathWithEscapedSlashes"], EscapedSlashes>> = {
  "unescape-and-redirect": "UnescapeAndRedirect",
  "keep-unchanged": "KeepUnchanged",
};
