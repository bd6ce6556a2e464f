/** `--api URL`, for commands that can ask a running weir. */

import { optional, type ScalarFlag } from "../config/flag.ts";
import { accepted, refused, type ValueType } from "../config/value_type.ts";

const apiUrlType: ValueType<string> = {
  name: "URL",
  metavar: "URL",
  parse(text) {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    return url && (url.protocol === "http:" || url.protocol === "https:")
      ? accepted(url.origin)
      : refused(`is not a URL, wanted for example "http://127.0.0.1:9080"`);
  },
  format: (value) => value,
};

/** What a command that may ask a running weir hands on. */
export interface ApiSettings {
  /** Origin of its HTTP API; absent: none is asked. */
  readonly api?: string;
  /** Path of the file with the token for it. */
  readonly apiTokenFile?: string;
}

/** The two settings, left out where they are not given. */
export function toApiSettings({ api, apiTokenFile }: {
  readonly api: string | undefined;
  readonly apiTokenFile: string | undefined;
}): ApiSettings {
  return {
    ...api === undefined ? {} : { api },
    ...apiTokenFile === undefined ? {} : { apiTokenFile },
  };
}

/** The flag; its value is the origin of the HTTP API. `help` says what is asked. */
export function apiFlag(help: string): ScalarFlag<string, string | undefined> {
  return optional({ group: "Input", places: "flag", type: apiUrlType, help });
}
