/**
 * When Envoy sends a request again (Gateway API, HTTPRouteRetry; GEP-1731).
 *
 * Without a policy as the embedded data plane does: where nothing has reached a backend, on another
 * endpoint. A policy adds statuses, and with a limit for one try also what ran into it.
 */

import type { HttpRouteAction } from "../../dataplane/model.ts";
import type { ProtoObject } from "../codec.ts";
import { duration, extension, present } from "./proto_fields.ts";

/** Tries after the first where a rule says nothing. */
const attemptsDefault = 3;

/** What is always safe to send again. */
const unsent = ["connect-failure", "refused-stream", "reset-before-request"];

/** `config.route.v3.RetryPolicy`. */
export function retryPolicy({ retry, backendRequestTimeoutMs = 0 }: HttpRouteAction): ProtoObject {
  const conditions = [
    ...(retry === undefined || retry.codes.length === 0 ? [] : ["retriable-status-codes"]),
    ...unsent,
    ...(retry !== undefined && backendRequestTimeoutMs > 0 ? ["reset"] : []),
  ];
  const codes = retry?.codes ?? [];
  return {
    retryOn: conditions.join(","),
    ...present({
      numRetries: retry === undefined ? attemptsDefault : retry.attempts,
      perTryTimeout: backendRequestTimeoutMs > 0 ? duration(backendRequestTimeoutMs) : undefined,
      retriableStatusCodes: codes.length > 0 ? codes : undefined,
      retryBackOff: backOff(retry?.backoffMs),
    }),
    retryHostPredicate: [
      extension(
        "envoy.retry_host_predicates.previous_hosts",
        "envoy.extensions.retry.host.previous_hosts.v3.PreviousHostsPredicate",
      ),
    ],
    hostSelectionRetryMaxAttempts: "5",
  };
}

/** The longest wait is Envoy's: ten times the least. */
function backOff(milliseconds: number | undefined): ProtoObject | undefined {
  if (milliseconds === undefined || milliseconds === 0) return undefined;
  return { baseInterval: duration(milliseconds) };
}
