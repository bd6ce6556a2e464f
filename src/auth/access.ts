/**
 * Who may use an API, request by request: the question, the answers, and their words. Pure.
 *
 * Whoever decides answers with a verdict and never throws: what cannot be decided is a refusal too.
 * Nothing here holds a token, so verdicts may be logged and sent.
 */

import { toPrintable } from "../base/printable.ts";

/** Somebody whose token was reviewed, as the Kubernetes API describes a user (`UserInfo`). */
export interface Caller {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  /** What else the reviewer knows, for the one who authorises. */
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** What is to be done, as `nonResourceAttributes` of the Kubernetes API have it. */
export interface AccessAction {
  /** The method in lower case. */
  readonly verb: string;
  /** Stands for one path that is routed, which is plain: see {@linkcode isPlainPath}. */
  readonly path: string;
}

/** Why a request is refused; the words are stable. */
export type AccessReason =
  | "TokenMissing"
  | "TokenMalformed"
  | "TokenUnknown"
  | "AccessDenied"
  | "TooManyReviews"
  | "ReviewForbidden"
  | "ReviewUnavailable";

/** A refusal. */
export interface AccessRefusal {
  readonly allowed: false;
  /** 401: who is it? 403: may not. 429: asked too fast. 503: cannot be decided now. */
  readonly status: 401 | 403 | 429 | 503;
  readonly reason: AccessReason;
  /** For a person; never a token. */
  readonly detail: string;
  /** Headers of the answer. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The answer. */
export type AccessVerdict = { readonly allowed: true; readonly caller: Caller } | AccessRefusal;

/** Decides about requests. */
export interface AccessControl {
  /**
   * Decides; never rejects.
   *
   * @param authorizations every `Authorization` line of the request, as it came
   */
  check(authorizations: readonly string[], action: AccessAction): Promise<AccessVerdict>;
}

/** UTF-16 units of a caller's name that are repeated to him. */
const nameLengthMax = 256;

/** RFC 9110 11.6.1; the realm is only a label. */
const challenge = `Bearer realm="weir"`;

/** The caller has to say who he is (RFC 6750 3). */
export function refuseToken(
  reason: "TokenMissing" | "TokenMalformed" | "TokenUnknown",
  detail: string,
): AccessRefusal {
  const error = reason === "TokenMissing" ? "" : `, error="invalid_token"`;
  return {
    allowed: false,
    status: 401,
    reason,
    detail: `Check access: ${detail}`,
    headers: { "www-authenticate": challenge + error },
  };
}

/** The refusal of a token that nobody knows. */
export const unknownToken: AccessRefusal = refuseToken(
  "TokenUnknown",
  "the token is not known here or has ended, wanted one that is valid for this server",
);

/** The caller is known and may not. */
export function refuseAction({ name }: Caller, { verb, path }: AccessAction): AccessRefusal {
  const shown = toPrintable(name.slice(0, nameLengthMax));
  return {
    allowed: false,
    status: 403,
    reason: "AccessDenied",
    detail: `Check access: "${shown}" may not ${verb} "${path}", wanted a role with that right`,
    headers: {},
  };
}
