/**
 * Requests that go on while something happens, and how many of them failed.
 *
 * Some clients keep their connection, others open one for each request. A request on a kept
 * connection that the server had closed already is sent once more, as every client does (RFC 9112,
 * section 9.3.1); it is counted, and fails when the second try fails.
 */

import http from "node:http";
import { systemClock } from "../../src/base/clock.ts";

/** Where requests go. */
export interface TrafficTarget {
  readonly address: string;
  readonly port: number;
  readonly host: string;
  readonly path?: string;
}

/** What came of it. */
export interface TrafficResult {
  readonly sent: number;
  /** Without an answer, or not 200. */
  readonly failed: number;
  /** On a kept connection that was just being closed, and fine at the second try. */
  readonly repeated: number;
  /** How often each sort of failure was seen. */
  readonly failures: ReadonlyMap<string, number>;
  /** The longest time of one request, milliseconds. */
  readonly slowestMs: number;
}

const clientsOfEachSort = 4;
const pauseMs = 5;
const requestLimitMs = 10_000;

/** See the file's header. */
export class Traffic {
  readonly #target: TrafficTarget;
  readonly #clients: Promise<void>[] = [];
  readonly #failures = new Map<string, number>();
  #isStopping = false;
  #sent = 0;
  #repeated = 0;
  #slowestMs = 0;

  constructor(target: TrafficTarget) {
    this.#target = target;
  }

  /** Requests begin. */
  start(): void {
    for (let index = 0; index < clientsOfEachSort; index++) {
      for (const keepAlive of [true, false]) this.#clients.push(this.#run(keepAlive));
    }
  }

  /** Lets the requests in flight end, and tells what came of all. */
  async stop(): Promise<TrafficResult> {
    this.#isStopping = true;
    await Promise.all(this.#clients);
    let failed = 0;
    for (const count of this.#failures.values()) failed += count;
    return {
      sent: this.#sent,
      failed,
      repeated: this.#repeated,
      failures: this.#failures,
      slowestMs: Math.round(this.#slowestMs),
    };
  }

  async #run(keepAlive: boolean): Promise<void> {
    const agent = new http.Agent({ keepAlive, maxSockets: 1 });
    while (!this.#isStopping) {
      this.#sent++;
      const startedMs = systemClock.monotonicMs();
      let answer = await ask(this.#target, agent);
      if (answer.wasKept && answer.outcome !== "200") {
        this.#repeated++;
        answer = await ask(this.#target, agent);
      }
      const { outcome } = answer;
      if (outcome !== "200") this.#failures.set(outcome, (this.#failures.get(outcome) ?? 0) + 1);
      this.#slowestMs = Math.max(this.#slowestMs, systemClock.monotonicMs() - startedMs);
      await systemClock.sleep(pauseMs);
    }
    agent.destroy();
  }
}

/** How one request ended. */
export interface Answer {
  /** The status, or the system's name of the failure. */
  readonly outcome: string;
  /** It failed on a connection that had served others before. */
  readonly wasKept: boolean;
}

/** Sends one request and reads its answer to the end. */
export function ask(
  { address, port, host, path = "/" }: TrafficTarget,
  agent: http.Agent | false = false,
): Promise<Answer> {
  return new Promise((resolve) => {
    const request = http.request({ agent, host: address, port, path, headers: { host } });
    request.setTimeout(requestLimitMs, () => request.destroy(new Error("timeout")));
    request.on("error", (error) => {
      const outcome = "code" in error ? String(error.code) : error.message;
      resolve({ outcome, wasKept: request.reusedSocket && outcome !== "timeout" });
    });
    request.on("response", (response) => {
      response.resume();
      // A cut body is "aborted", which is an error of the response.
      response.on("error", (error) => resolve({ outcome: error.message, wasKept: false }));
      response.on("end", () => resolve({ outcome: String(response.statusCode), wasKept: false }));
    });
    request.end();
  });
}
