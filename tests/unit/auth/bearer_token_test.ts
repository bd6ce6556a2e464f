/**
 * What an operator would lose: a header that one program reads as this token and another as that one,
 * or a huge one that is worked on before it is refused.
 */

import { assertEquals } from "@std/assert";
import { readBearerToken, tokenLengthMax } from "../../../src/auth/bearer_token.ts";

function read(...lines: string[]): string {
  const found = readBearerToken(lines);
  return "token" in found
    ? `token ${found.token}`
    : `${found.refusal.status} ${found.refusal.reason}`;
}

Deno.test("one bearer token is read, however its scheme is spelt", () => {
  for (const line of ["Bearer a.b-c", "bearer a.b-c", "BEARER  a.b-c", "Bearer a.b-c  "]) {
    assertEquals(read(line), "token a.b-c", line);
  }
  assertEquals(read("Bearer abc=="), "token abc==");
});

Deno.test("anything else is refused with 401", () => {
  assertEquals(read(), "401 TokenMissing");
  const lines = [
    "",
    "Bearer",
    "Bearer ",
    "Bearer a b",
    "Bearer a,b",
    "Bearer a, Bearer b",
    "Bearer =a",
    "Bearer a=b",
    "Bearer\ta",
    "Bearera",
    "Basic dXNlcjpwYXNz",
    "Negotiate abc",
    "a.b.c",
    " Bearer a",
    "Bearer \u00e9",
    "Bearer a\n",
  ];
  for (const line of lines) assertEquals(read(line), "401 TokenMalformed", JSON.stringify(line));
});

Deno.test("two lines are refused, also when they are equal or one is empty", () => {
  assertEquals(read("Bearer a", "Bearer a"), "401 TokenMalformed");
  assertEquals(read("Bearer a", ""), "401 TokenMalformed");
  assertEquals(read("", "Bearer a"), "401 TokenMalformed");
});

Deno.test("a token of the largest size is read, and a longer one is not", () => {
  const largest = "a".repeat(tokenLengthMax);
  assertEquals(read(`Bearer ${largest}`), `token ${largest}`);
  assertEquals(read(`Bearer ${largest}a`), "401 TokenMalformed");
});

Deno.test("a refusal challenges, and repeats nothing of the header", () => {
  const found = readBearerToken(["Basic c2VjcmV0"]);
  assertEquals("refusal" in found && found.refusal.headers, {
    "www-authenticate": `Bearer realm="weir", error="invalid_token"`,
  });
  assertEquals(JSON.stringify(found).includes("c2VjcmV0"), false);
});
