/** A running weir that a command asks, with the token for it. */

import type { ApiSettings } from "../cli/api_flag.ts";
import { readSettingsFile } from "./secret_files.ts";

/** See the file's header. */
export interface RunningApi {
  /** Of its HTTP API. */
  readonly origin: string;
  /** Sent with every request; absent: none. */
  readonly token?: string;
}

/**
 * The weir that the settings name; undefined: none.
 *
 * Rejects with an Error that names the file, and nothing of what is in it, when it holds no token.
 */
export async function openRunningApi(
  { api: origin, apiTokenFile: path }: ApiSettings,
): Promise<RunningApi | undefined> {
  if (origin === undefined) return undefined;
  if (path === undefined) return { origin };
  const token = (await readSettingsFile(path)).trim();
  if (/^[!-~]+$/.test(token)) return { origin, token };
  throw new Error(`Read token: "${path}" holds no token, wanted one line without spaces`);
}
