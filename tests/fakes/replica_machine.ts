/**
 * A replica's machine in a simulation: its clocks, its way to the server, and whether it stands still.
 *
 * All machines share one fake clock as the true time. Each has a wall clock of its own that is wrong,
 * and may be stopped as SIGSTOP does it: nothing of it runs, its timers and answers wait, and its
 * monotonic clock goes on. Its requests may be lost, be carried out late, or lose their answer.
 */

import type { Clock } from "../../src/base/clock.ts";
import { ClusterError } from "../../src/kube/cluster_error.ts";
import type {
  ClusterRequest,
  ClusterStream,
  ClusterTransport,
} from "../../src/kube/cluster_transport.ts";
import type { FakeClock } from "./fake_clock.ts";
import type { RestStore } from "./rest_store.ts";

/** What becomes of one request, milliseconds. */
export interface Fate {
  /** Until the server carries it out; Infinity: it never arrives. */
  readonly requestMs: number;
  /** From then until the answer arrives; Infinity: it is lost. */
  readonly answerMs: number;
}

/** See the file's header. */
export class ReplicaMachine implements Clock, ClusterTransport {
  /** Added to the true time by the wall clock, milliseconds. */
  skewMs = 0;
  /** Decides about the next request. */
  fate: () => Fate = () => ({ requestMs: 1, answerMs: 1 });
  readonly #time: FakeClock;
  readonly #store: RestStore;
  readonly #bootMs: number;
  #isStopped = false;
  #isDead = false;
  #waiting: (() => void)[] = [];

  /** @param bootMs what its monotonic clock says at the beginning */
  constructor(time: FakeClock, store: RestStore, bootMs: number) {
    this.#time = time;
    this.#store = store;
    this.#bootMs = bootMs;
  }

  /** Whether its program can do anything at this moment. */
  get isRunning(): boolean {
    return !this.#isStopped && !this.#isDead;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Goes on; what had fallen due runs, one after the other. */
  resume(): void {
    this.#isStopped = false;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const run of waiting) this.#run(run);
  }

  /** kill -9: nothing of it ever runs again. What it has sent is carried out. */
  kill(): void {
    this.#isDead = true;
    this.#waiting = [];
  }

  now(): number {
    return this.#time.now() + this.skewMs;
  }

  monotonicMs(): number {
    return this.#bootMs + this.#time.monotonicMs();
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        cancel();
        reject(signal?.reason);
      };
      const cancel = this.after(ms, () => {
        signal?.removeEventListener("abort", abort);
        resolve();
      });
      signal?.addEventListener("abort", abort, { once: true });
    });
  }

  after(ms: number, callback: () => void): () => void {
    let isCancelled = false;
    const cancel = this.#time.after(ms, () =>
      this.#run(() => {
        if (!isCancelled) callback();
      }));
    return () => {
      isCancelled = true;
      cancel();
    };
  }

  request(request: ClusterRequest): Promise<unknown> {
    const { signal, timeoutMs = 30_000 } = request;
    if (signal.aborted) return Promise.reject(signal.reason);
    const { requestMs, answerMs } = this.fate();
    return new Promise((resolve, reject) => {
      const cancel = this.after(timeoutMs, () => end(() => reject(timeout())));
      const abort = (): void => end(() => reject(signal.reason));
      const end = (settle: () => void): void => {
        cancel();
        signal.removeEventListener("abort", abort);
        settle();
      };
      signal.addEventListener("abort", abort, { once: true });
      if (requestMs === Infinity) return;
      this.#time.after(requestMs, () => {
        const settle = this.#carryOut(request, resolve, reject);
        if (answerMs === Infinity) return;
        this.#time.after(answerMs, () => this.#run(() => end(settle)));
      });
    });
  }

  open(): Promise<ClusterStream> {
    return Promise.reject(new ClusterError("unreachable", "There are no streams here"));
  }

  #carryOut(
    request: ClusterRequest,
    resolve: (answer: unknown) => void,
    reject: (error: unknown) => void,
  ): () => void {
    try {
      const answer = this.#store.handle(request);
      return () => resolve(answer);
    } catch (error) {
      return () => reject(error);
    }
  }

  #run(callback: () => void): void {
    if (this.#isDead) return;
    if (this.#isStopped) this.#waiting.push(callback);
    else callback();
  }
}

function timeout(): ClusterError {
  return new ClusterError("timeout", "No answer");
}
