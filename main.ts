/**
 * The program: arguments to a command, the command's exit code to the process.
 *
 * Started as a thread (src/app/plan_worker_thread.ts) it computes one plan instead.
 */

import { isMainThread } from "node:worker_threads";
import { createCliApp } from "./src/app/cli_app.ts";
import { runCli } from "./src/cli/run_cli.ts";
import { systemIo, systemVersion } from "./src/cli/system_io.ts";

/**
 * Runs `weir` with `args`; the exit code. `onReady` is called with the URL of the HTTP API once
 * `weir serve` has printed its ready line.
 */
export async function main(
  args: readonly string[],
  onReady?: (apiUrl: string) => void,
): Promise<number> {
  const io = systemIo();
  const version = systemVersion();
  const entry = new URL(import.meta.url);
  return await runCli(args, { io, version, app: createCliApp({ io, version, entry }, onReady) });
}

if (isMainThread) {
  // deno-lint-ignore weir/building-is-not-starting -- this is the start
  if (import.meta.main) Deno.exit(await main(Deno.args));
} else {
  const { runPlanWorker } = await import("./src/app/plan_worker.ts");
  await runPlanWorker();
}
