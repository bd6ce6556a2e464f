/** Without these the smoke run could follow no line at all and still be green. */

import { assertEquals } from "@std/assert";
import { curlLines, isRefusal } from "../../../scripts/smoke.ts";

Deno.test("curlLines() takes the lines that a user would copy, and no others", () => {
  const output = [
    "ready api=http://127.0.0.1:9080 kube=- revision=3",
    "Try:",
    "  curl -H 'Host: a' http://127.0.0.1:8080/",
    "# once more, with curl -s",
    "  $ curl -s http://127.0.0.1:9080/readyz",
    "for i in 1 2; do curl -s http://127.0.0.1:8080/; done",
    "use curl to see more",
  ].join("\n");
  assertEquals(curlLines(output), [
    "curl -H 'Host: a' http://127.0.0.1:8080/",
    "curl -s http://127.0.0.1:9080/readyz",
    "for i in 1 2; do curl -s http://127.0.0.1:8080/; done",
  ]);
});

Deno.test("isRefusal() knows a refusal by its head or by its problem", () => {
  assertEquals(isRefusal("HTTP/1.1 301 Moved Permanently\r\nlocation: x\r\n"), false);
  assertEquals(isRefusal("HTTP/1.1 404 Not Found\r\n\r\n"), true);
  assertEquals(isRefusal('{"type":"about:blank","status":503}'), true);
  assertEquals(isRefusal('{"conditions":[{"status":"True"}]}'), false);
});
