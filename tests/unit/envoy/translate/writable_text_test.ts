/** What a route may not say of a message has to be the same for both data planes. */

import { assertEquals } from "@std/assert";
import { isModifiable } from "../../../../src/envoy/translate/writable_text.ts";
import { isForConnection } from "../../../../src/proxy/header_lines.ts";

const names = [
  ..."connection keep-alive proxy-connection te upgrade http2-settings transfer-encoding".split(
    " ",
  ),
  ..."content-length Content-Length TE trailer expect host x-forwarded-for accept".split(" "),
];

Deno.test("Envoy and the embedded proxy leave the same names to the connection", () => {
  assertEquals(
    names.filter((name) => !isModifiable(name)),
    names.filter(isForConnection),
  );
});
