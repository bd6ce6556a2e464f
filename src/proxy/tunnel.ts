/**
 * Two connections that became one pipe after the backend agreed to change the protocol.
 *
 * Octets flow at the pace of the slower side. When one side closes, the other is closed behind what
 * was still on its way. A tunnel on which nothing moves for too long is cut.
 */

import type { Socket } from "node:net";
import { type CoarseTimer, NOT_TIMED, type Timed } from "./coarse_timer.ts";

/** See the file's header for the promises. */
export class Tunnel implements Timed {
  timerSlot: number = NOT_TIMED;
  readonly #client: Socket;
  readonly #backend: Socket;
  readonly #timer: CoarseTimer;
  readonly #idleTimeoutMs: number;
  readonly #onClose: () => void;
  #activityMs: number;
  #movedBytes = 0;
  #isClosed = false;

  /** @param idleTimeoutMs 0: no limit */
  constructor(
    client: Socket,
    backend: Socket,
    timer: CoarseTimer,
    idleTimeoutMs: number,
    onClose: () => void,
  ) {
    this.#client = client;
    this.#backend = backend;
    this.#timer = timer;
    this.#idleTimeoutMs = idleTimeoutMs;
    this.#onClose = onClose;
    this.#activityMs = timer.recentMs;
  }

  /** Writes the head of the response, then lets octets flow, those first that came early. */
  begin(head: string, fromBackend: Uint8Array, fromClient: Uint8Array): void {
    const [client, backend] = [this.#client, this.#backend];
    for (const socket of [client, backend]) {
      socket.setTimeout(0);
      socket.on("error", () => this.close());
      socket.on("close", () => this.close());
    }
    if (client.destroyed || backend.destroyed) return this.close();
    client.write(head, "latin1");
    if (fromBackend.length > 0) client.write(fromBackend);
    if (fromClient.length > 0) backend.write(fromClient);
    client.pipe(backend);
    backend.pipe(client);
    this.#timer.add(this);
  }

  check(nowMs: number): void {
    const movedBytes = this.#client.bytesRead + this.#client.bytesWritten;
    if (movedBytes !== this.#movedBytes) {
      this.#movedBytes = movedBytes;
      this.#activityMs = nowMs;
    } else if (this.#idleTimeoutMs > 0 && nowMs - this.#activityMs >= this.#idleTimeoutMs) {
      this.close();
    }
  }

  /** Closes both sides; what is written already is still sent. Again is harmless. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#timer.delete(this);
    this.#client.destroySoon();
    this.#backend.destroySoon();
    this.#onClose();
  }
}
