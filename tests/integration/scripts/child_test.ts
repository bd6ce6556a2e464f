/**
 * Without these the smoke run could hang for ever, or leave a gateway behind that holds its ports.
 */

import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { Child } from "../../../scripts/child.ts";

function start(code: string): Child {
  return Child.start(Deno.execPath(), ["eval", code]);
}

Deno.test("Child.waitForLine() finds lines of both outputs, in order, and stop() ends it", async () => {
  const child = start(
    `console.log("a"); console.error("ready port=5"); setInterval(() => console.log("b"), 20);`,
  );
  const match = await child.waitForLine(/^ready port=(\d)/, 20_000);
  assertEquals(match[1], "5");
  const later = child.lineCount;
  await child.waitForLine(/^b$/, 20_000, later);
  const { stdout, output } = await child.stop();
  assert(stdout.startsWith("a\nb"), stdout);
  assertStringIncludes(output, "ready port=5");
});

Deno.test("Child.waitForLine() gives up when the process ends, and says what it printed", async () => {
  const child = start(`console.error("port taken"); Deno.exit(3);`);
  await assertRejects(() => child.waitForLine(/^ready/, 20_000), Error, "port taken");
  assertEquals((await child.result()).code, 3);
});

Deno.test("Child.waitForLine() gives up after its time", async () => {
  const child = start(`setInterval(() => {}, 1000);`);
  await assertRejects(() => child.waitForLine(/^ready/, 50), Error, "50 ms went by");
  await child.stop();
});

Deno.test("Child.stop() is fine with a process that has ended", async () => {
  const child = start(`console.log("done");`);
  await child.result();
  assertEquals(await child.stop(), { code: 0, stdout: "done", output: "done" });
});
