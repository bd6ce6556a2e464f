/**
 * Why the API server, or the way to it, did not do what was asked: one type, told apart by what the
 * caller does next.
 *
 * The class comes from the reason and the causes of the API's `Status`, not from the code alone: five
 * different things answer 409. A message may repeat the server's words, shortened and without control
 * characters; it never holds a header, a token or a body that we sent.
 */

import { toPrintable } from "../base/printable.ts";
import { asList, asNumber, asString, isRecord } from "./json_value.ts";

/** What a failure is, for the one who decides what follows. */
export type ClusterErrorKind =
  /** No connection, or it broke: refused, reset, cut off, name not found. */
  | "unreachable"
  /** Nothing came within the limit of time. */
  | "timeout"
  /** The server's certificate is not one that we trust, or it does not take ours. */
  | "untrusted"
  /** 401, after the credential was read anew. */
  | "unauthorized"
  /** 403. */
  | "forbidden"
  /** 403, because the namespace is being deleted. */
  | "namespace-terminating"
  /** 404: the object, or the whole kind. */
  | "not-found"
  /** 409: somebody wrote since the object was read. Read live and try again at once. */
  | "stale-write"
  /** 409 of an apply: fields belong to another manager. Trying again changes nothing. */
  | "field-owned"
  /** 409, or 422 about the uid: the object that was meant is gone, another one has its name. */
  | "recreated"
  /** 409: the name is taken. */
  | "already-exists"
  /** 409: the name is taken by an object that is on its way out. */
  | "being-deleted"
  /** 410: the resourceVersion or the page token is too old. List again. */
  | "expired"
  /** 504: the server has not seen this resourceVersion, and may never. */
  | "version-too-large"
  /** 429, with the wish when to come back. */
  | "overloaded"
  /** 5xx. */
  | "unavailable"
  /** 422: a field can never change. Only another object can have the new value. */
  | "immutable"
  /** 400, 422 and other refusals that the same request will get again. */
  | "invalid"
  /** The answer makes no sense: not JSON, not the API's shape, a redirect. */
  | "garbled"
  /** The answer is larger than we are ready to hold. */
  | "too-large"
  /** The credential itself cannot be had: a file is gone, a plugin failed. */
  | "no-credential";

/** One cause of a refusal, as in `Status.details.causes`. */
export interface ClusterErrorCause {
  readonly reason: string;
  readonly field?: string;
  readonly message?: string;
}

/** What is known of a failure besides its class. */
export interface ClusterErrorDetails {
  /** The HTTP status, or that of a `Status` in a stream. */
  readonly code?: number;
  /** When the server wants to see us again, milliseconds from now. */
  readonly retryAfterMs?: number;
  readonly causes?: readonly ClusterErrorCause[];
  readonly cause?: unknown;
}

/** See the file's header. */
export class ClusterError extends Error {
  override readonly name = "ClusterError";
  readonly kind: ClusterErrorKind;
  readonly code?: number;
  readonly retryAfterMs?: number;
  readonly causes: readonly ClusterErrorCause[];

  constructor(kind: ClusterErrorKind, message: string, details: ClusterErrorDetails = {}) {
    super(message, details.cause === undefined ? {} : { cause: details.cause });
    this.kind = kind;
    if (details.code !== undefined) this.code = details.code;
    if (details.retryAfterMs !== undefined) this.retryAfterMs = details.retryAfterMs;
    this.causes = details.causes ?? [];
  }
}

/** No server keeps us away for longer than this, whatever it says, milliseconds. */
export const retryAfterMaxMs = 300_000;
/** As much of the server's words as a message repeats, in UTF-16 units. */
const wordsMax = 500;

/**
 * The failure that a `Status` of the API tells (`metav1.Status`). Anything else than a `Status`, such
 * as the page of a proxy in between, is classed by `code`.
 *
 * @param retryAfter the header of that name, in seconds; a date is ignored
 */
export function clusterErrorOf(code: number, status: unknown, retryAfter?: string): ClusterError {
  const record = isRecord(status) && status.kind === "Status" ? status : {};
  const details = isRecord(record.details) ? record.details : {};
  const causes = asList(details.causes).filter(isRecord).map((cause) => ({
    reason: asString(cause.reason) ?? "",
    ...typeof cause.field === "string" ? { field: cause.field } : {},
    ...typeof cause.message === "string" ? { message: cause.message } : {},
  }));
  const words = toPrintable((asString(record.message) ?? "").slice(0, wordsMax));
  const kind = kindOf(code, asString(record.reason) ?? "", words, causes);
  const seconds = readSeconds(retryAfter) ?? asNumber(details.retryAfterSeconds);
  return new ClusterError(kind, `The API server answered ${code}${words && `: ${words}`}`, {
    code,
    causes,
    ...seconds !== undefined && seconds > 0
      ? { retryAfterMs: Math.min(seconds * 1000, retryAfterMaxMs) }
      : {},
  });
}

function readSeconds(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text.trim()) ? Number(text) : undefined;
}

function kindOf(
  code: number,
  reason: string,
  message: string,
  causes: readonly ClusterErrorCause[],
): ClusterErrorKind {
  const has = (wanted: string) => causes.some((cause) => cause.reason === wanted);
  if (code === 409) return conflictOf(reason, message, has("FieldManagerConflict"));
  if (code === 401) return "unauthorized";
  if (code === 403) return has("NamespaceTerminating") ? "namespace-terminating" : "forbidden";
  if (code === 404) return "not-found";
  if (code === 410 || reason === "Expired" || reason === "Gone") return "expired";
  if (code === 429) return "overloaded";
  // Servers before 1.19 name it in the message only.
  if (has("ResourceVersionTooLarge") || /Too large resource version/.test(message)) {
    return "version-too-large";
  }
  if (code >= 500 || code === 408) return "unavailable";
  // How an apply to an object's successor is refused: uids are compared as any other field.
  if (causes.some(({ field }) => field === "metadata.uid")) return "recreated";
  if (code === 422 && causes.some(({ message = "" }) => neverChanges.test(message))) {
    return "immutable";
  }
  return code >= 400 ? "invalid" : "garbled";
}

function conflictOf(reason: string, message: string, isOwned: boolean): ClusterErrorKind {
  if (reason === "AlreadyExists") {
    return /being deleted/.test(message) ? "being-deleted" : "already-exists";
  }
  if (isOwned) return "field-owned";
  return otherObject.test(message) ? "recreated" : "stale-write";
}

/** In the words for writes, for deletions, and for an apply where nothing is any more. */
const otherObject = /UID in (?:the )?precondition|uid mismatch/i;
const neverChanges = /immutable|may not (?:change|be changed)/;

/** `error` as a ClusterError; one that already is stays. */
export function toClusterError(
  error: unknown,
  kind: ClusterErrorKind,
  action: string,
): ClusterError {
  if (error instanceof ClusterError) return error;
  const words = error instanceof Error ? error.message : String(error);
  return new ClusterError(kind, `${action}: ${toPrintable(words.slice(0, wordsMax))}`, {
    cause: error,
  });
}
