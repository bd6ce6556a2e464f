/**
 * Runs a program to its end, for credential plugins: no input, its words to people dropped, limits of
 * time and of output.
 */

import { systemClock } from "../base/clock.ts";
import type { RunProgram } from "./exec_credentials.ts";

/** Runs the program. Rejects when it cannot be started, is too slow, or prints too much. */
export async function runProgram(
  { command, args, env, outputBytesMax, timeoutMs }: Parameters<RunProgram>[0],
): ReturnType<RunProgram> {
  const child = new Deno.Command(command, {
    args: [...args],
    env: { ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  return await readToEnd(child, outputBytesMax, timeoutMs);
}

async function readToEnd(
  child: Deno.ChildProcess,
  outputBytesMax: number,
  timeoutMs: number,
): Promise<{ readonly code: number; readonly stdout: string }> {
  const reader = child.stdout.getReader();
  let problem: string | undefined;
  const end = (why: string): void => {
    problem ??= why;
    try {
      child.kill("SIGKILL");
    } catch {
      // It ended by itself meanwhile.
    }
    // What it started may hold the pipe for longer than it lives.
    reader.cancel().catch(() => {
      // Then the pipe is closed already.
    });
  };
  // A plugin that hangs does not outlive the process that waited for it.
  const leave = (): void => end("the process ended");
  globalThis.addEventListener("unload", leave);
  const cancel = systemClock.after(timeoutMs, () => end(`it ran longer than ${timeoutMs} ms`));
  try {
    const decoder = new TextDecoder();
    let stdout = "";
    let size = 0;
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      size += read.value.byteLength;
      if (size > outputBytesMax) end(`it printed more than ${outputBytesMax} bytes`);
      else stdout += decoder.decode(read.value, { stream: true });
    }
    const { code } = await child.status;
    if (problem !== undefined) throw new Error(problem);
    return { code, stdout };
  } finally {
    cancel();
    globalThis.removeEventListener("unload", leave);
  }
}
