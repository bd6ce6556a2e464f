/**
 * The API double as a transport in memory: no sockets, and time is the test's clock.
 *
 * It keeps the promises of ClusterTransport: kinds of errors, limits of time, abort.
 */

import type { Clock } from "../../src/base/clock.ts";
import { ClusterError, clusterErrorOf } from "../../src/kube/cluster_error.ts";
import type {
  ClusterRequest,
  ClusterStream,
  ClusterTransport,
} from "../../src/kube/cluster_transport.ts";
import type { ApiDouble } from "./api_double.ts";
import type { DoubleReply } from "./double_reply.ts";
import type { DoubleStream } from "./double_stream.ts";

/** See the file's header. */
export class DoubleTransport implements ClusterTransport {
  /** Larger answers are refused. */
  answerLengthMax = Infinity;
  readonly #double: ApiDouble;
  readonly #clock: Clock;

  constructor(double: ApiDouble, clock: Clock) {
    this.#double = double;
    this.#clock = clock;
  }

  async request(request: ClusterRequest): Promise<unknown> {
    const reply = await this.#ask(request);
    if (reply.type !== "answer") throw new ClusterError("garbled", "A stream is no answer");
    if (reply.body.length > this.answerLengthMax) {
      throw new ClusterError("too-large", "The answer is too large");
    }
    try {
      return JSON.parse(reply.body);
    } catch {
      throw new ClusterError("garbled", "The answer is not JSON");
    }
  }

  async open(request: ClusterRequest & { readonly idleMs: number }): Promise<ClusterStream> {
    const reply = await this.#ask(request);
    if (reply.type === "stream") return { chunks: this.#chunks(reply.stream, request) };
    if (reply.type !== "answer") throw new ClusterError("garbled", "No answer");
    const bytes = new TextEncoder().encode(reply.body);
    return { chunks: once(bytes) };
  }

  async #ask(request: ClusterRequest): Promise<DoubleReply> {
    request.signal.throwIfAborted();
    await Promise.resolve();
    request.signal.throwIfAborted();
    const reply = this.#double.handle({
      method: request.method ?? "GET",
      path: request.path,
      query: new URLSearchParams(request.query),
      authorization: undefined,
      ...request.body === undefined ? {} : { body: JSON.stringify(request.body) },
      contentType: request.contentType ?? "application/json",
    });
    if (reply.type === "reset") throw new ClusterError("unreachable", "Connection reset");
    if (reply.type === "hang") {
      await this.#clock.sleep(request.timeoutMs ?? 30_000, request.signal);
      throw new ClusterError("timeout", "No answer");
    }
    if (reply.type === "answer" && reply.code >= 300) {
      const { code, body, headers } = reply;
      throw clusterErrorOf(code, JSON.parse(body), headers?.["retry-after"]);
    }
    return reply;
  }

  async *#chunks(
    stream: DoubleStream,
    { signal, idleMs }: { readonly signal: AbortSignal; readonly idleMs: number },
  ): AsyncGenerator<Uint8Array> {
    try {
      while (true) {
        signal.throwIfAborted();
        const taken = stream.take();
        if (taken instanceof Uint8Array) yield taken;
        else if (taken === "ended") return;
        else if (taken === "cut") throw new ClusterError("unreachable", "The stream broke");
        else await this.#wait(stream, signal, idleMs);
      }
    } finally {
      stream.end();
    }
  }

  #wait(stream: DoubleStream, signal: AbortSignal, idleMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (error?: unknown): void => {
        cancel();
        signal.removeEventListener("abort", abort);
        stream.onReady(() => {});
        if (error === undefined) resolve();
        else reject(error);
      };
      const abort = (): void => settle(signal.reason);
      const cancel = this.#clock.after(
        idleMs,
        () => settle(new ClusterError("timeout", "Nothing came")),
      );
      signal.addEventListener("abort", abort);
      stream.onReady(() => settle());
    });
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}
