/** A client that goes away must not look like a fault of ours: who reads the log would search for it. */

import { assertEquals, assertRejects } from "@std/assert";
import { RefusedError } from "../../../src/http/problem.ts";
import { readBodyText } from "../../../src/http/read_body.ts";

Deno.test("readBodyText() refuses a body that breaks off, as the client's fault", async () => {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode("half")),
    pull: (controller) => controller.error(new Error("aborted")),
  });
  const error = await assertRejects(() => readBodyText(body, 1024), RefusedError);
  assertEquals(error.status, 400);
});
