/**
 * What a user would lose if these failed: the next page of a long list.
 */

import { assertEquals, assertMatch } from "@std/assert";
import { decodePageToken, encodePageToken } from "../../../src/http/page_token.ts";

Deno.test("decodePageToken() gives back what encodePageToken() was given", () => {
  for (const name of [{ name: "weir" }, { namespace: "a", name: 'ü/?"' }]) {
    const token = encodePageToken("Gateway", name);
    assertMatch(token, /^[A-Za-z0-9_-]+$/);
    assertEquals(decodePageToken("Gateway", token), name);
  }
});

Deno.test("decodePageToken() refuses tokens of other lists and made up ones", () => {
  const own = encodePageToken("Gateway", { namespace: "a", name: "b" });
  const encode = (value: unknown): string => btoa(JSON.stringify(value)).replaceAll("=", "");
  assertEquals(decodePageToken("HTTPRoute", own), undefined);
  const madeUp = [
    "",
    "%",
    "=",
    own.slice(0, -3),
    own.repeat(100),
    encode(null),
    encode(["Gateway"]),
    encode(["Gateway", "a", 1]),
    encode(["Gateway", {}, "b"]),
    encode(["Gateway", "a", "b", "c"]),
    btoa("\xff\xfe"),
  ];
  for (const token of madeUp) assertEquals(decodePageToken("Gateway", token), undefined, token);
});
