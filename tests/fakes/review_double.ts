/**
 * TokenReview and SubjectAccessReview as a real API server answers them: who holds which token for
 * which audience, and who may do what at which path.
 */

import { answer, type DoubleReply, type DoubleRequest } from "./double_reply.ts";
import { isRecord } from "../../src/kube/json_value.ts";

/** A token that the server knows. */
export interface KnownToken {
  readonly user: string;
  readonly groups?: readonly string[];
  /** Whom it is for; the API server itself when absent. */
  readonly audiences?: readonly string[];
}

const ownAudience = "https://kubernetes.default.svc";

/** See the file's header. */
export class ReviewDouble {
  readonly tokens = new Map<string, KnownToken>();
  /** `user verb path`. */
  readonly rights = new Set<string>();
  /** Every question: `token TOKEN`, or `access USER VERB PATH`. */
  readonly asked: string[] = [];

  /** The answer to a create of a review; undefined: it is none of the two. */
  answer({ method, path, body = "{}" }: DoubleRequest): DoubleReply | undefined {
    if (method !== "POST") return undefined;
    const isToken = path === "/apis/authentication.k8s.io/v1/tokenreviews";
    if (!isToken && path !== "/apis/authorization.k8s.io/v1/subjectaccessreviews") return undefined;
    const review: unknown = JSON.parse(body);
    const spec = isRecord(review) && isRecord(review.spec) ? review.spec : {};
    return answer(
      isToken
        ? { kind: "TokenReview", status: this.#reviewToken(spec) }
        : { kind: "SubjectAccessReview", status: this.#reviewAccess(spec) },
    );
  }

  #reviewToken({ token, audiences }: Readonly<Record<string, unknown>>): object {
    this.asked.push(`token ${token}`);
    const known = this.tokens.get(String(token));
    const wanted: readonly unknown[] = Array.isArray(audiences) ? audiences : [ownAudience];
    const meant = (known?.audiences ?? [ownAudience]).filter((one) => wanted.includes(one));
    if (!known || meant.length === 0) {
      return { user: {}, error: `invalid bearer token ${token}` };
    }
    const { user, groups = [] } = known;
    return {
      authenticated: true,
      user: {
        username: user,
        uid: `uid-of-${user}`,
        groups: [...groups, "system:authenticated"],
        extra: { "authentication.kubernetes.io/credential-id": [`JTI=${user}`] },
      },
      audiences: meant,
    };
  }

  #reviewAccess({ user, nonResourceAttributes }: Readonly<Record<string, unknown>>): object {
    const { verb, path } = isRecord(nonResourceAttributes) ? nonResourceAttributes : {};
    const question = `${user} ${verb} ${path}`;
    this.asked.push(`access ${question}`);
    return this.rights.has(question) ? { allowed: true } : { allowed: false, reason: "no rule" };
  }
}
