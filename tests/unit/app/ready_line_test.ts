// What a user would lose: the one line that scripts wait for.

import { assertEquals } from "@std/assert";
import { formatReadyLine } from "../../../src/app/ready_line.ts";

Deno.test("formatReadyLine() prints exactly the promised form", () => {
  const api = new URL("http://127.0.0.1:9080/");
  assertEquals(
    formatReadyLine({ api, kube: undefined, revision: 3 }),
    "ready api=http://127.0.0.1:9080 kube=- revision=3\n",
  );
  assertEquals(
    formatReadyLine({ api, kube: new URL("https://[::1]:9082"), revision: 0 }),
    "ready api=http://127.0.0.1:9080 kube=https://[::1]:9082 revision=0\n",
  );
});
