/**
 * What happens to a body that nobody wants: it is read and forgotten for a moment, then cut.
 *
 * Closing a socket with unread bytes resets it, and the client may lose an answer that was already
 * sent. Reading on for ever would let a client hold a connection with an endless body.
 */

import type { IncomingMessage } from "node:http";
import type { Clock } from "../base/clock.ts";

/** How long, and for how many bytes, an unwanted body is still read. */
const lingerMs = 500;
const lingerMaxBytes = 4 * 1024 * 1024;

/**
 * Reads what is left of the body, within limits, and calls `done` once.
 *
 * @param done told whether the whole body was read; the connection is of no more use otherwise
 */
export function discardBody(
  incoming: IncomingMessage,
  clock: Clock,
  done: (isComplete: boolean) => void,
): void {
  let left = lingerMaxBytes;
  const finish = (): void => {
    cancel();
    incoming.off("data", count).off("end", finish).off("error", finish).off("close", finish);
    // A later error of the connection that is being closed tells nobody anything.
    incoming.on("error", () => {});
    done(incoming.complete);
  };
  const count = (chunk: Uint8Array): void => {
    left -= chunk.length;
    if (left < 0) finish();
  };
  const cancel = clock.after(lingerMs, finish);
  incoming.on("data", count).once("end", finish).once("error", finish).once("close", finish);
  incoming.resume();
}
