/** Without these the smoke run could follow no line at all and still be green. */

import { assertEquals } from "@std/assert";
import { curlLines } from "../../../scripts/smoke.ts";

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
