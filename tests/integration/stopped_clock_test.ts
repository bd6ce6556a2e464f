// The leader election trusts that a process that was stopped sees on its monotonic clock, as soon as it
// goes on, that time has passed. Were it otherwise, two replicas could write.

import { assert } from "@std/assert";
import { systemClock } from "../../src/base/clock.ts";

const stoppedMs = 400;
const clock = new URL("../../src/base/clock.ts", import.meta.url).href;
const config = new URL("../../deno.json", import.meta.url).pathname;
/** Tells how long it took from the first line that it reads to the second. */
const program = `
import { systemClock } from "${clock}";
const reader = Deno.stdin.readable.getReader();
console.log("ready");
await reader.read();
const startMs = systemClock.monotonicMs();
console.log("started");
await reader.read();
console.log(systemClock.monotonicMs() - startMs);
await reader.read();
`;

Deno.test("the monotonic clock goes on while the process is stopped", async () => {
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-prompt",
      `--config=${config}`,
      `data:application/typescript,${encodeURIComponent(program)}`,
    ],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const lines = child.stdout.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
  const next = async (): Promise<string> => String((await lines.next()).value);
  const writer = child.stdin.getWriter();
  const send = (): Promise<void> => writer.write(new TextEncoder().encode("go\n"));
  try {
    await next();
    await send();
    await next();
    child.kill("SIGSTOP");
    await systemClock.sleep(stoppedMs);
    await send();
    child.kill("SIGCONT");
    const tookMs = Number(await next());
    assert(tookMs >= stoppedMs, `${tookMs} ms`);
  } finally {
    child.kill("SIGKILL");
    await writer.close().catch(() => {});
    await child.status;
    await lines.return?.();
  }
});
