/**
 * Refusals of the server and its app as `metav1.Status`, for the Kubernetes API: its clients print
 * nothing else. Pure.
 */

import type { ProblemOptions, RefusalFormat } from "./problem.ts";

/** The API's reasons for the statuses that the server itself answers with. */
const reasons: Readonly<Record<number, string>> = {
  400: "BadRequest",
  403: "Forbidden",
  404: "NotFound",
  405: "MethodNotAllowed",
  408: "Timeout",
  413: "RequestEntityTooLarge",
  415: "UnsupportedMediaType",
  429: "TooManyRequests",
  500: "InternalError",
  503: "ServiceUnavailable",
};

/** The object as text. `cause` is our own stable word for why, where there is one. */
export function kubeStatusText(code: number, message: string, cause?: string): string {
  const status = {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message,
    reason: reasons[code] ?? "BadRequest",
    ...cause === undefined ? {} : { details: { causes: [{ reason: cause, message }] } },
    code,
  };
  return `${JSON.stringify(status)}\n`;
}

/** How the server words what it refuses. */
export const kubeStatusFormat: RefusalFormat = {
  contentType: "application/json",
  body: ({ status, reason, detail }: ProblemOptions) => kubeStatusText(status, detail, reason),
};
