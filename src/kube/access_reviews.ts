/**
 * Asks the API server who holds a token and whether somebody may do something: TokenReview
 * (`authentication.k8s.io/v1`) and SubjectAccessReview (`authorization.k8s.io/v1`).
 *
 * Both are questions in the form of a create, so asking twice harms nobody: a connection that the
 * server had closed is tried once more.
 */

import { ClusterError } from "./cluster_error.ts";
import type { ClusterTransport } from "./cluster_transport.ts";
import { asList, asString, isRecord } from "./json_value.ts";

/** Somebody, as the API server describes him (`UserInfo`). */
export interface ReviewedUser {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** Milliseconds for one answer; somebody waits for it. */
const answerMs = 5_000;

/** Values that an answer may have in a list, beyond which it makes no sense. */
const valuesMax = 1_000;

/**
 * Who holds `token`; undefined: nobody that the API server knows.
 *
 * @param audiences the token has to be for one of them; empty: for the API server itself
 * @throws {ClusterError}
 */
export async function reviewToken(
  transport: ClusterTransport,
  token: string,
  audiences: readonly string[],
  signal: AbortSignal,
): Promise<ReviewedUser | undefined> {
  const status = await review(transport, {
    path: "/apis/authentication.k8s.io/v1/tokenreviews",
    body: {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenReview",
      spec: { token, ...audiences.length > 0 ? { audiences } : {} },
    },
  }, signal);
  if (status.authenticated !== true) return undefined;
  // An authenticator that knows no audiences names none: then the token is for the API server.
  const meant = textsOf(status.audiences);
  if (audiences.length > 0 && !audiences.some((audience) => meant.includes(audience))) {
    return undefined;
  }
  const user = isRecord(status.user) ? status.user : {};
  const name = asString(user.username);
  if (!name) throw new ClusterError("garbled", "The token's holder has no name");
  const uid = asString(user.uid);
  const extra = isRecord(user.extra) ? Object.entries(user.extra) : [];
  return {
    name,
    ...uid ? { uid } : {},
    groups: textsOf(user.groups),
    extra: Object.fromEntries(extra.map(([key, values]) => [key, textsOf(values)])),
  };
}

/**
 * Whether `user` may do `verb` at `path` of this server, by rules with `nonResourceURLs`.
 *
 * @throws {ClusterError}
 */
export async function reviewAccess(
  transport: ClusterTransport,
  user: ReviewedUser,
  { verb, path }: { readonly verb: string; readonly path: string },
  signal: AbortSignal,
): Promise<boolean> {
  const { name, uid, groups, extra } = user;
  const status = await review(transport, {
    path: "/apis/authorization.k8s.io/v1/subjectaccessreviews",
    body: {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SubjectAccessReview",
      spec: {
        user: name,
        ...uid === undefined ? {} : { uid },
        groups,
        extra,
        nonResourceAttributes: { path, verb },
      },
    },
  }, signal);
  return status.allowed === true && status.denied !== true;
}

/** The `status` of the review. @throws {ClusterError} */
async function review(
  transport: ClusterTransport,
  question: { readonly path: string; readonly body: unknown },
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const ask = (): Promise<unknown> =>
    transport.request({ method: "POST", ...question, timeoutMs: answerMs, signal });
  let answer: unknown;
  try {
    answer = await ask();
  } catch (error) {
    if (!(error instanceof ClusterError) || error.kind !== "unreachable") throw error;
    answer = await ask();
  }
  if (isRecord(answer) && isRecord(answer.status)) return answer.status;
  throw new ClusterError("garbled", "The answer is not a review");
}

function textsOf(value: unknown): readonly string[] {
  const texts = asList(value).filter((item) => typeof item === "string");
  if (texts.length > valuesMax) throw new ClusterError("garbled", "The answer has too many values");
  return texts;
}
