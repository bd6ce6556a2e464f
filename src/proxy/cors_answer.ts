/** What a rule's CORS policy adds to the answers of the embedded data plane. */

import { actualLines, preflightLines, readPreflight } from "../dataplane/cors.ts";
import type { CorsPolicy, HeaderModifier, HeaderValue } from "../dataplane/http_filters.ts";
import type { LocalReply } from "./local_reply.ts";

/** The answer to a preflight request; undefined: the request is none. */
export function preflightReply(
  policy: CorsPolicy,
  method: string,
  rawHeaders: readonly string[],
): LocalReply | undefined {
  const preflight = readPreflight(method, rawHeaders);
  if (preflight === undefined) return undefined;
  return { status: 200, reason: "", lines: preflightLines(policy, preflight).flat() };
}

/**
 * What becomes of the header of any other answer. What the policy says takes the place of what the
 * backend says; caches are told what both say.
 */
export function corsModifier(policy: CorsPolicy, rawHeaders: readonly string[]): HeaderModifier {
  const set: HeaderValue[] = [];
  const add: HeaderValue[] = [];
  for (const [name, value] of actualLines(policy, rawHeaders)) {
    (name === "Vary" ? add : set).push({ name, value });
  }
  return { remove: [], set, add };
}

/** `reply` with the lines of `cors`, so that pages see why they got no answer. */
export function withCors(reply: LocalReply, cors: HeaderModifier | undefined): LocalReply {
  if (cors === undefined) return reply;
  const lines = [...cors.set, ...cors.add].flatMap(({ name, value }) => [name, value]);
  return { ...reply, lines: [...reply.lines ?? [], ...lines] };
}
