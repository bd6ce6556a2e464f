/**
 * The reviews of a cluster as authenticator and authorizer of the HTTP API.
 *
 * That they cannot be made is told once in the log, and once when they can again; by the class of the
 * failure alone, because a server's own words could repeat what was sent.
 */

import type { AccessAction, Caller } from "../auth/access.ts";
import type { ReviewResult } from "../auth/review_cache.ts";
import type { Authenticator, Authorizer, ReviewName } from "../auth/reviewed_access.ts";
import type { Logger } from "../base/log.ts";
import { reviewAccess, reviewToken } from "../kube/access_reviews.ts";
import { ClusterError } from "../kube/cluster_error.ts";
import type { ClusterTransport } from "../kube/cluster_transport.ts";

/** What is asked. */
export interface ClusterReviewsOptions {
  readonly transport: ClusterTransport;
  /** See {@linkcode reviewToken}. */
  readonly audiences: readonly string[];
  readonly log: Logger;
}

/** See the file's header. */
export class ClusterReviews implements Authenticator, Authorizer {
  readonly #options: ClusterReviewsOptions;
  /** Each request has its own limit of time, so nothing has to be ended from here. */
  readonly #signal = new AbortController().signal;
  /** What each sort of review failed of last. */
  readonly #faults = new Map<ReviewName, string>();

  constructor(options: ClusterReviewsOptions) {
    this.#options = options;
  }

  authenticate(token: string): Promise<ReviewResult<Caller>> {
    const { transport, audiences } = this.#options;
    return this.#told("token", async () => {
      const value = await reviewToken(transport, token, audiences, this.#signal);
      return value ? { outcome: "yes", value } : { outcome: "no" };
    });
  }

  authorize(caller: Caller, action: AccessAction): Promise<ReviewResult<true>> {
    return this.#told("access", async () => {
      const isAllowed = await reviewAccess(this.#options.transport, caller, action, this.#signal);
      return isAllowed ? { outcome: "yes", value: true } : { outcome: "no" };
    });
  }

  async #told<Yes>(
    review: ReviewName,
    make: () => Promise<ReviewResult<Yes>>,
  ): Promise<ReviewResult<Yes>> {
    const { log } = this.#options;
    try {
      const result = await make();
      if (this.#faults.delete(review)) log.info("API callers can be reviewed again", { review });
      return result;
    } catch (error) {
      const why = error instanceof ClusterError ? error.kind : "failed";
      if (why !== this.#faults.get(review)) {
        const code = error instanceof ClusterError ? error.code : undefined;
        log.error("API callers cannot be reviewed, they are refused", {
          review,
          why,
          ...code === undefined ? {} : { code },
          ...why === "forbidden" ? { wanted: "create tokenreviews and subjectaccessreviews" } : {},
        });
      }
      this.#faults.set(review, why);
      const reason = why === "forbidden" ? "ReviewForbidden" : "ReviewUnavailable";
      return { outcome: "failed", reason };
    }
  }
}
