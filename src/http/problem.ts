/**
 * Error answers (RFC 9457) as values and as responses. Holds no stack trace and nothing of a cause:
 * what went wrong inside is for the log.
 */

import { type Problem, problemContentType } from "../api/problem.ts";

/** The statuses that this server answers with as problems, in HTTP's words. */
const titles = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  429: "Too Many Requests",
  431: "Request Header Fields Too Large",
  500: "Internal Server Error",
  503: "Service Unavailable",
} as const;

/** A status that a problem may have. */
export type ProblemStatus = keyof typeof titles;

/** UTF-16 units of the path that is repeated in `instance`. */
const instanceLengthMax = 512;

/** What a handler knows of a problem. */
export interface ProblemOptions {
  readonly status: ProblemStatus;
  readonly reason: string;
  /** For a person; may repeat short parts of the request, never anything secret. */
  readonly detail: string;
  /** The path of the request. */
  readonly instance: string;
}

/** The body of an error answer. */
export function createProblem(options: ProblemOptions): Problem {
  const { status, reason, detail, instance } = options;
  const path = instance.length > instanceLengthMax
    ? `${instance.slice(0, instanceLengthMax)}…`
    : instance;
  return { type: "about:blank", title: titles[status], status, detail, instance: path, reason };
}

/** The body as text, with the line feed that terminals like. */
export function serializeProblem(problem: Problem): string {
  return `${JSON.stringify(problem)}\n`;
}

/** An error answer. */
export function problemResponse(
  options: ProblemOptions,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(serializeProblem(createProblem(options)), {
    status: options.status,
    headers: { "content-type": problemContentType, ...headers },
  });
}

/** How the server words what it refuses before the app is asked. */
export interface RefusalFormat {
  readonly contentType: string;
  readonly body: (options: ProblemOptions) => string;
}

/** As a problem. */
export const problemFormat: RefusalFormat = {
  contentType: problemContentType,
  body: (options) => serializeProblem(createProblem(options)),
};

/** The status in HTTP's words. */
export function titleOf(status: ProblemStatus): string {
  return titles[status];
}

/** A refusal that a handler throws; the app answers it as a problem and logs nothing. */
export class RefusedError extends Error {
  override name = "RefusedError";
  readonly status: ProblemStatus;
  readonly reason: string;
  /** What the answer has besides those of a problem, such as `retry-after`. */
  readonly headers: Readonly<Record<string, string>>;

  /** @param message the problem's `detail` */
  constructor(
    status: ProblemStatus,
    reason: string,
    message: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.status = status;
    this.reason = reason;
    this.headers = headers;
  }
}

/** The refusal of a body that is too large, as the app and the server say it. */
export const bodyTooLarge = {
  status: 413,
  reason: "ContentTooLarge",
  detail: "Read body: it is larger than this server takes",
} as const;
