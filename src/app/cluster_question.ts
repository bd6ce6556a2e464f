/** Questions of `weir check` to the API server: bounded in time, failures as values. */

import { ClusterError } from "../kube/cluster_error.ts";
import type { ClusterRequest, ClusterTransport } from "../kube/cluster_transport.ts";
import { isRecord, type JsonRecord } from "../kube/json_value.ts";

/** An answer, or why there is none. */
export type ClusterAnswer =
  | { readonly ok: true; readonly value: JsonRecord }
  | { readonly ok: false; readonly error: ClusterError };

const answerMs = 10_000;

/** Asks once. Rejects only with the signal's reason. */
export async function askCluster(
  { transport, signal }: { readonly transport: ClusterTransport; readonly signal: AbortSignal },
  request: Omit<ClusterRequest, "signal">,
): Promise<ClusterAnswer> {
  try {
    const answer = await transport.request({ timeoutMs: answerMs, ...request, signal });
    return isRecord(answer)
      ? { ok: true, value: answer }
      : { ok: false, error: new ClusterError("garbled", "The answer is no object") };
  } catch (error) {
    if (error instanceof ClusterError) return { ok: false, error };
    throw error;
  }
}

/** The value behind `path` in `value`; undefined where the way ends. */
export function valueAt(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce((found: unknown, name) => isRecord(found) ? found[name] : undefined, value);
}
