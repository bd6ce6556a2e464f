/** The bearer token of a request (RFC 6750 2.1): exactly one, of a bounded length. Pure. */

import { type AccessRefusal, refuseToken } from "./access.ts";

/** Longer tokens are refused unread. Those of ServiceAccounts have 1,000 to 2,000 characters. */
export const tokenLengthMax = 8192;

/** `token68` of RFC 9110 11.2, which every token of a header is. */
const credentials = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i;

/** The token of the `Authorization` lines, or why there is none that can be used. */
export function readBearerToken(
  authorizations: readonly string[],
): { readonly token: string } | { readonly refusal: AccessRefusal } {
  const [line, ...more] = authorizations;
  if (line === undefined) {
    return refused("TokenMissing", "the request has no token, wanted Authorization: Bearer TOKEN");
  }
  // Two lines could be read in two ways: by a proxy in front of us the first, here the second.
  if (more.length > 0) {
    return refused("TokenMalformed", "there is more than one Authorization header, wanted one");
  }
  if (line.length > tokenLengthMax + "Bearer ".length) {
    return refused(
      "TokenMalformed",
      `the token is too long, wanted at most ${tokenLengthMax} characters`,
    );
  }
  const token = credentials.exec(line)?.[1];
  if (token !== undefined) return { token };
  return refused("TokenMalformed", "the Authorization header is not Bearer with a token");
}

function refused(
  reason: "TokenMissing" | "TokenMalformed",
  detail: string,
): { readonly refusal: AccessRefusal } {
  return { refusal: refuseToken(reason, detail) };
}
