/**
 * The answers that a server has not finished: what draining waits for.
 */

import type { ServerResponse } from "node:http";

/** See the file's header. */
export class InFlight {
  readonly #answers = new Set<ServerResponse>();
  #isClosing = false;

  /** Counts `outgoing` until its connection is done with it. */
  add(outgoing: ServerResponse): void {
    this.#answers.add(outgoing);
    outgoing.once("close", () => this.#answers.delete(outgoing));
    if (this.#isClosing) outgoing.setHeader("connection", "close");
  }

  /** From now on every answer whose headers are not sent yet closes its connection. */
  closeConnections(): void {
    this.#isClosing = true;
    for (const outgoing of this.#answers) {
      if (!outgoing.headersSent) outgoing.setHeader("connection", "close");
    }
  }

  /** Whether an answer on `socket` has begun; nothing else may be written there then. */
  hasBegun(socket: unknown): boolean {
    for (const outgoing of this.#answers) {
      if (outgoing.socket === socket && outgoing.headersSent) return true;
    }
    return false;
  }

  /** Resolves when the answers of this moment are done, or when `signal` aborts. */
  async settle(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const done = [...this.#answers].map((outgoing) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      outgoing.once("close", resolve);
      return promise;
    });
    const aborted = Promise.withResolvers<void>();
    const abort = (): void => aborted.resolve();
    signal.addEventListener("abort", abort, { once: true });
    await Promise.race([Promise.all(done), aborted.promise]);
    signal.removeEventListener("abort", abort);
  }
}
