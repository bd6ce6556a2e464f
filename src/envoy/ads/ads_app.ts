/**
 * The one route of the xDS protocol: a gRPC stream over HTTP/2, as a Hono app.
 *
 * The answer's body is open as long as the stream is. It ends without the trailers of gRPC, which the
 * server has no way to send; Envoy takes that for an unknown status, and comes again. So the reason
 * of an end is told here, in the log.
 */

import { Hono } from "hono";
import type { Logger } from "../../base/log.ts";
import type { EnvoyCodec } from "../codec.ts";
import type { AdsServer, StreamInput } from "./ads_server.ts";
import { decodeDeltaRequest, type DeltaRequest, encodeDeltaResponse } from "./delta_messages.ts";
import { frameMessage, FrameReader } from "./grpc_frames.ts";

/** The path of the route. */
export const deltaAdsPath =
  "/envoy.service.discovery.v3.AggregatedDiscoveryService/DeltaAggregatedResources";
/** Bytes of one request: the versions of 100,000 resources are 7 MB. */
const requestMaxBytes = 16 * 1024 * 1024;

/** What the app is made of. */
export interface AdsAppOptions {
  readonly server: Pick<AdsServer, "connect">;
  readonly codec: EnvoyCodec;
  readonly log: Logger;
}

/** What whoever carries the bytes knows of a request. */
export interface AdsBindings {
  /** Who asks, as far as it was proved. */
  readonly peer: string;
}

/** The streams of an app, and the app. */
export interface AdsApp {
  fetch(request: Request, bindings: AdsBindings): Response | Promise<Response>;
  /** Ends every stream; Envoy serves on and comes again. */
  closeAll(): void;
}

/** Makes the app. */
export function createAdsApp(options: AdsAppOptions): AdsApp {
  const app = new Hono<{ Bindings: AdsBindings }>();
  const streams = new Set<AdsConnection>();
  app.post(deltaAdsPath, ({ env, req }) => {
    const { body } = req.raw;
    if (req.header("content-type") !== "application/grpc" || !body) {
      return new Response("gRPC is wanted here\n", { status: 415 });
    }
    const stream = new AdsConnection(options, env.peer, () => streams.delete(stream));
    streams.add(stream);
    return new Response(stream.open(body), { headers: { "content-type": "application/grpc" } });
  });
  return {
    fetch: (request, bindings) => app.fetch(request, bindings),
    closeAll: () => {
      for (const stream of [...streams]) stream.close();
    },
  };
}

/** One stream, between bytes and messages. */
class AdsConnection {
  readonly #options: AdsAppOptions;
  readonly #input: StreamInput;
  readonly #onClosed: () => void;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  constructor(options: AdsAppOptions, peer: string, onClosed: () => void) {
    this.#options = options;
    this.#onClosed = onClosed;
    this.#input = options.server.connect({
      // What is sent and not answered is bounded by the server, so the queue is.
      send: (response) => this.#controller?.enqueue(frameMessage(encodeDeltaResponse(response))),
      end: (code, message) => {
        options.log.warn("ADS stream ended", { peer, code, reason: message });
        this.close();
      },
    }, peer);
  }

  /** Reads `requests` and returns what is answered. */
  open(requests: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
        this.#reader = requests.getReader();
        void this.#read(this.#reader);
      },
      cancel: () => {
        this.#controller = undefined;
        this.close();
      },
    });
  }

  async #read(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
    const frames = new FrameReader(requestMaxBytes);
    for (;;) {
      const chunk = await reader.read().catch(lost);
      const requests = chunk.done ? undefined : this.#decode(frames, chunk.value);
      if (!requests) break;
      for (const request of requests) this.#input.receive(request);
    }
    this.close();
  }

  /** The requests that are complete; undefined when nothing can be read any more. */
  #decode(frames: FrameReader, chunk: Uint8Array): DeltaRequest[] | undefined {
    const { codec, log } = this.#options;
    try {
      return frames.push(chunk).map((message) => decodeDeltaRequest(codec, message));
    } catch (error) {
      log.warn("ADS stream ended", { reason: "a request cannot be read", error });
      return undefined;
    }
  }

  close(): void {
    this.#input.close();
    this.#onClosed();
    const controller = this.#controller;
    this.#controller = undefined;
    controller?.close();
    // Ends the request too: it has nobody any more who reads it.
    this.#reader?.cancel().catch(lost);
    this.#reader = undefined;
  }
}

/** A peer that went away is the usual end of a stream. */
function lost(): { readonly done: true; readonly value: undefined } {
  return { done: true, value: undefined };
}
