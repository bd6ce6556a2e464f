/**
 * Whether the API server is there, as those who ask it find out together.
 *
 * Each waits on its own while nobody answers, and longer every time. As soon as one of them gets an
 * answer, all are woken: an outage is over for everybody within the shortest of their waits. A server
 * that just came back says no for a while, because it does not know its rules, its kinds or its
 * versions yet; `isFresh` is true as long as that is likely.
 */

/** For how long after its return a server is likely to say no without meaning it, milliseconds. */
const freshMs = 30_000;

/** See the file's header. */
export class ServerPresence {
  #isAway = false;
  #backAtMs = -Infinity;
  #returned = new AbortController();

  /** Aborts when the server answers again; a new one after each return. */
  get returned(): AbortSignal {
    return this.#returned.signal;
  }

  /** When it last came back, monotonic milliseconds; minus infinity: it was never away. */
  get backAtMs(): number {
    return this.#backAtMs;
  }

  /** Whether it came back only a short time ago. */
  isFresh(nowMs: number): boolean {
    return !this.#isAway && nowMs - this.#backAtMs < freshMs;
  }

  /** Somebody got no answer. */
  noteAway(): void {
    this.#isAway = true;
  }

  /** Somebody got an answer, whichever. */
  noteAnswer(nowMs: number): void {
    if (!this.#isAway) return;
    this.#isAway = false;
    this.#backAtMs = nowMs;
    const before = this.#returned;
    this.#returned = new AbortController();
    before.abort(new Error("The API server is back"));
  }
}
