/** What the API double is asked, and what it answers. */

import type { DoubleStream } from "./double_stream.ts";

/** A request as it reaches the server. */
export interface DoubleRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly authorization: string | undefined;
  readonly body?: string;
  readonly contentType?: string;
}

/** How the server answers. */
export type DoubleReply =
  | {
    readonly type: "answer";
    readonly code: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body: string;
  }
  | { readonly type: "stream"; readonly stream: DoubleStream }
  /** The connection breaks before an answer. */
  | { readonly type: "reset" }
  /** Nothing comes, for ever. */
  | { readonly type: "hang" };

/** A `Status` of the API as an answer. */
export function refusal(
  code: number,
  reason: string,
  more: {
    readonly message?: string;
    readonly retryAfter?: number;
    readonly causes?: readonly {
      readonly reason: string;
      readonly field?: string;
      readonly message?: string;
    }[];
  } = {},
): DoubleReply {
  return {
    type: "answer",
    code,
    headers: more.retryAfter === undefined ? {} : { "retry-after": String(more.retryAfter) },
    body: JSON.stringify(statusOf(code, reason, more)),
  };
}

/** A `Status` of the API. */
export function statusOf(
  code: number,
  reason: string,
  more: Parameters<typeof refusal>[2] = {},
): Readonly<Record<string, unknown>> {
  const { message = reason, causes } = more;
  return {
    kind: "Status",
    apiVersion: "v1",
    status: "Failure",
    code,
    reason,
    message,
    ...causes ? { details: { causes } } : {},
  };
}

/** `value` as an answer. */
export function answer(value: unknown): DoubleReply {
  return { type: "answer", code: 200, body: JSON.stringify(value) };
}
