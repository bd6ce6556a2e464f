/**
 * The two ways out of a process as they really are: readers that leave, are slow, or have no room.
 *
 * A reader that has gone away, as in `weir translate … | head`, wants nothing more and is no error.
 * What cannot be written otherwise is a failure of a command that prints a result; a line on standard
 * error is lost then, because there is nowhere left to tell it and a full disk must not end a process
 * that serves.
 */

import type { TextOutput } from "./context.ts";
import { OutputError } from "./output_error.ts";

/** What is needed of `Deno.stdout` and `Deno.stderr`. */
export interface OutputStream {
  writeSync(bytes: Uint8Array): number;
  isTerminal(): boolean;
}

/** How often a full pipe is tried again. */
const fullPipeRetryMs = 2;

/** Standard output: `write()` throws {@linkcode OutputError} for what cannot be written. */
export function standardOutput(stream: OutputStream): TextOutput {
  return textOutput(stream, (cause) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new OutputError(`Write output: ${reason}`, { cause });
  });
}

/** Standard error: `write()` never throws. */
export function standardError(stream: OutputStream): TextOutput {
  return textOutput(stream, () => {});
}

function textOutput(stream: OutputStream, onError: (error: unknown) => void): TextOutput {
  const encoder = new TextEncoder();
  let isClosed = false;
  return {
    isTerminal: stream.isTerminal(),
    write(text) {
      if (isClosed) return;
      try {
        writeAll(stream, encoder.encode(text));
      } catch (error) {
        if (error instanceof Deno.errors.BrokenPipe) isClosed = true;
        else onError(error);
      }
    },
  };
}

/**
 * Writes as to a blocking stream. Others who hold the stream too may have made it non-blocking (the
 * shells of CI do); then a pipe whose reader is slow refuses what it has no room for.
 */
function writeAll(stream: OutputStream, bytes: Uint8Array): void {
  for (let left = bytes; left.length > 0;) {
    try {
      left = left.subarray(stream.writeSync(left));
    } catch (error) {
      if (!(error instanceof Deno.errors.WouldBlock)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, fullPipeRetryMs);
    }
  }
}
