/**
 * Access by the reviews of somebody else, such as a cluster: first who holds the token, then whether
 * he may. Fails closed: a review that cannot be made is a refusal.
 *
 * A token or a right that was taken away is refused as soon as the yes about it has ended.
 */

import type { Clock } from "../base/clock.ts";
import {
  type AccessAction,
  type AccessControl,
  type AccessRefusal,
  type AccessVerdict,
  type Caller,
  refuseAction,
  unknownToken,
} from "./access.ts";
import { readBearerToken } from "./bearer_token.ts";
import {
  type ReviewAnswer,
  ReviewCache,
  type ReviewLimits,
  type ReviewResult,
} from "./review_cache.ts";

/** Knows who holds a token. May reject, which counts as a failure; must not keep the token. */
export interface Authenticator {
  authenticate(token: string): Promise<ReviewResult<Caller>>;
}

/** Knows who may do what. May reject, which counts as a failure. */
export interface Authorizer {
  authorize(caller: Caller, action: AccessAction): Promise<ReviewResult<true>>;
}

/** What is reviewed. */
export type ReviewName = "token" | "access";

/** What it is made of. */
export interface ReviewedAccessOptions {
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly limits?: Readonly<Record<ReviewName, ReviewLimits>>;
  /** Told the outcome of every review that was made, or would have been. */
  readonly onReview?: (review: ReviewName, outcome: ReviewAnswer<unknown>["outcome"]) => void;
}

/** For scrapers and people, who come again and again with few tokens and few paths. */
export const defaultReviewLimits: Readonly<Record<ReviewName, ReviewLimits>> = {
  token: {
    entriesMax: 1000,
    yesMs: 30_000,
    noMs: 10_000,
    failureMs: 1_000,
    perSecond: 10,
    burst: 50,
  },
  access: {
    entriesMax: 4000,
    yesMs: 30_000,
    noMs: 10_000,
    failureMs: 1_000,
    perSecond: 50,
    burst: 200,
  },
};

/** See the file's header. */
export class ReviewedAccess implements AccessControl {
  readonly #options: ReviewedAccessOptions;
  readonly #tokens: ReviewCache<Caller>;
  readonly #rights: ReviewCache<true>;

  constructor(options: ReviewedAccessOptions) {
    const { clock, limits = defaultReviewLimits, onReview = () => {} } = options;
    this.#options = options;
    this.#tokens = new ReviewCache(clock, limits.token, (outcome) => onReview("token", outcome));
    this.#rights = new ReviewCache(clock, limits.access, (outcome) => onReview("access", outcome));
  }

  async check(authorizations: readonly string[], action: AccessAction): Promise<AccessVerdict> {
    const bearer = readBearerToken(authorizations);
    if ("refusal" in bearer) return bearer.refusal;
    const { authenticator, authorizer } = this.#options;
    const { token } = bearer;
    const who = await this.#tokens.get(
      await digestOf(token),
      () => authenticator.authenticate(token),
    );
    if (who.outcome === "no") return unknownToken;
    if (who.outcome !== "yes") return undecided(who);
    const caller = who.value;
    const right = await this.#rights.get(
      await digestOf(JSON.stringify([caller, action])),
      () => authorizer.authorize(caller, action),
    );
    if (right.outcome === "no") return refuseAction(caller, action);
    if (right.outcome !== "yes") return undecided(right);
    return { allowed: true, caller };
  }
}

function undecided(
  answer: Exclude<ReviewAnswer<unknown>, { readonly outcome: "yes" | "no" }>,
): AccessRefusal {
  const headers = { "retry-after": "1" };
  if (answer.outcome === "limited") {
    return {
      allowed: false,
      status: 429,
      reason: "TooManyReviews",
      detail: "Check access: too many tokens or rights are asked about, wanted fewer in a second",
      headers,
    };
  }
  const { reason } = answer;
  const why = reason === "ReviewForbidden"
    ? "the cluster does not let weir create TokenReviews and SubjectAccessReviews, wanted that right"
    : "the API server cannot be asked at the moment, the log says why";
  return { allowed: false, status: 503, reason, detail: `Check access: ${why}`, headers };
}

/** SHA-256, hexadecimal. */
async function digestOf(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}
