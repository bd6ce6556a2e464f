/** A running `weir serve` for benchmarks, from source with its own permissions. */

import { projectFolder, weirArguments } from "./weir_process.ts";

/** A server that is ready. Disposing it ends it and waits for it. */
export interface WeirServer extends AsyncDisposable {
  readonly pid: number;
  readonly apiUrl: string;
}

/** Starts `weir serve ARGS` with the API on a free port; resolves at the ready line. */
export async function startWeir(args: readonly string[]): Promise<WeirServer> {
  const child = new Deno.Command(Deno.execPath(), {
    args: weirArguments(["serve", "--api-address=127.0.0.1:0", "--log-level=warn", ...args]),
    cwd: projectFolder,
    env: { NO_COLOR: "1" },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const ready = Promise.withResolvers<string>();
  const errors = watch(child.stderr, ready.resolve).then(ready.reject);
  const apiUrl = await ready.promise;
  return {
    pid: child.pid,
    apiUrl,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.status;
      await errors;
    },
  };
}

/** Reads to the end, which it resolves with as an error; `onReady` is told the API's URL. */
async function watch(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  onReady: (apiUrl: string) => void,
): Promise<Error> {
  let text = "";
  for await (const piece of stream.pipeThrough(new TextDecoderStream())) {
    if (text.length < 65_536) text += piece;
    const line = /^ready api=(\S+) /m.exec(text);
    if (line) onReady(line[1] ?? "");
  }
  return new Error(`weir serve ended before it was ready:\n${text}`);
}

/** A port of 127.0.0.1 that was free a moment ago. */
export function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
