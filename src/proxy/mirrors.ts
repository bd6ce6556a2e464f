/**
 * Copies of requests for mirrors: sent once, to one endpoint, and their answers thrown away.
 *
 * A copy never delays or fails the request that it is made from. What would need patience or memory
 * is given up instead, and counted: copies beyond a number, bodies beyond a size, endpoints that
 * cannot be reached, answers that take too long. A body is collected while it passes to the backend
 * and sent when it is whole; all copies of one request share it.
 */

import type { ClientRequest } from "node:http";
import type { RequestMirror } from "../dataplane/model.ts";
import type { BodyTap } from "./body_relay.ts";
import { NOT_TIMED, type Timed } from "./coarse_timer.ts";
import { noFilters } from "./compiled_route.ts";
import type { EndpointRotation } from "./endpoint_rotation.ts";
import type { ProxyServices } from "./proxy_services.ts";
import type { SentRequest } from "./routed_request.ts";
import { createUpstreamRequest } from "./upstream_request.ts";

/** See the file's header. One for a data plane. */
export class Mirrors {
  readonly #services: ProxyServices;
  readonly #random: () => number;
  readonly #copies = new Set<MirrorCopy>();

  /** @param random in [0, 1) */
  constructor(services: ProxyServices, random: () => number) {
    this.#services = services;
    this.#random = random;
  }

  /** Copies that are not over. */
  get size(): number {
    return this.#copies.size;
  }

  /**
   * Makes the copies that the mirrors of `sent` ask for. The body, if there is one, has to come in
   * through what is returned; undefined: there is no copy, or it needs no body.
   */
  begin(sent: SentRequest): BodyTap | undefined {
    const { route: { action: { filters } }, backend, head, upgrade } = sent;
    const count = filters.mirrors.length + backend.filters.mirrors.length;
    if (count === 0 || upgrade !== undefined) return undefined;
    const mirrors = [...filters.mirrors, ...backend.filters.mirrors];
    const copies = mirrors.flatMap((mirror) => this.#make(mirror, sent) ?? []);
    if (copies.length === 0) return undefined;
    if (head.body === "none") {
      for (const copy of copies) copy.send([]);
      return undefined;
    }
    return new CollectedBody(copies, this.#services.limits.mirrorBodyBytesMax);
  }

  /** Gives up all copies. */
  close(): void {
    for (const copy of this.#copies) copy.giveUp();
  }

  #make(mirror: RequestMirror, sent: SentRequest): MirrorCopy | undefined {
    const { cluster, numerator, denominator } = mirror;
    if (numerator < denominator && this.#random() * denominator >= numerator) return undefined;
    const rotation = this.#services.cluster(cluster);
    const hasRoom = this.#copies.size < this.#services.limits.mirrorsMax;
    if (rotation === undefined || rotation.size === 0 || !hasRoom) {
      this.#services.metrics.mirrored("given up");
      return undefined;
    }
    const copy = new MirrorCopy(this.#services, sent, rotation, () => this.#copies.delete(copy));
    this.#copies.add(copy);
    return copy;
  }
}

/** A body on its way to the backend, kept for the copies until it is whole or too large. */
class CollectedBody implements BodyTap {
  #copies: readonly MirrorCopy[];
  readonly #bytesMax: number;
  #chunks: Uint8Array[] = [];
  #bytes = 0;

  constructor(copies: readonly MirrorCopy[], bytesMax: number) {
    this.#copies = copies;
    this.#bytesMax = bytesMax;
  }

  take(chunk: Uint8Array): void {
    if (this.#copies.length === 0) return;
    this.#bytes += chunk.length;
    if (this.#bytes > this.#bytesMax) this.abandon();
    else this.#chunks.push(chunk);
  }

  end(): void {
    for (const copy of this.#copies) copy.send(this.#chunks);
    this.#forget();
  }

  abandon(): void {
    for (const copy of this.#copies) copy.giveUp();
    this.#forget();
  }

  #forget(): void {
    this.#copies = [];
    this.#chunks = [];
  }
}

/** One copy. It ends exactly once, and is counted then. */
class MirrorCopy implements Timed {
  timerSlot: number = NOT_TIMED;
  readonly #services: ProxyServices;
  readonly #sent: SentRequest;
  readonly #rotation: EndpointRotation;
  readonly #onEnd: () => void;
  #deadlineMs = Infinity;
  #giveUpAcquiring: (() => void) | undefined;
  #upstream: ClientRequest | undefined;
  #isOver = false;

  constructor(
    services: ProxyServices,
    sent: SentRequest,
    rotation: EndpointRotation,
    onEnd: () => void,
  ) {
    this.#services = services;
    this.#sent = sent;
    this.#rotation = rotation;
    this.#onEnd = onEnd;
  }

  /** Sends it with `body`. Called at most once. */
  send(body: readonly Uint8Array[]): void {
    if (this.#isOver) return;
    const { timer, limits } = this.#services;
    this.#deadlineMs = timer.now() + limits.mirrorTimeoutMs;
    timer.add(this);
    const endpoint = this.#rotation.next([], timer.recentMs);
    if (endpoint === undefined) return this.giveUp();
    const giveUp = endpoint.acquire((acquired) => {
      this.#giveUpAcquiring = undefined;
      if (acquired.type === "failed") return this.giveUp();
      if (this.#isOver) return acquired.connection.giveBack();
      const { agent } = this.#services;
      const upstream = createUpstreamRequest(
        agent.prepare(acquired.connection),
        { ...this.#sent, backend: { cluster: undefined, filters: noFilters } },
        limits.headerBytesMax,
      );
      if (upstream === undefined) {
        acquired.connection.giveBack();
        return this.giveUp();
      }
      this.#receive(upstream, body);
    });
    if (this.#upstream === undefined && !this.#isOver) this.#giveUpAcquiring = giveUp;
  }

  check(nowMs: number): void {
    if (nowMs >= this.#deadlineMs) this.giveUp();
  }

  /** Ends it as one that did not arrive; again is harmless. */
  giveUp(): void {
    this.#giveUpAcquiring?.();
    this.#upstream?.destroy();
    this.#end("given up");
  }

  #receive(upstream: ClientRequest, body: readonly Uint8Array[]): void {
    this.#upstream = upstream;
    let bytes = 0;
    upstream.on("response", (incoming) => {
      incoming.on("data", (chunk: Uint8Array) => {
        bytes += chunk.length;
        // Nobody reads on: a long answer costs its connection, not the time to take it in.
        if (bytes > this.#services.limits.mirrorBodyBytesMax) {
          this.#end("sent");
          upstream.destroy();
        }
      });
      incoming.on("end", () => this.#end("sent"));
      incoming.on("error", () => this.giveUp());
    });
    upstream.on("upgrade", (_incoming, socket) => {
      socket.destroy();
      this.giveUp();
    });
    upstream.on("error", () => this.giveUp());
    for (const chunk of body) upstream.write(chunk);
    upstream.end();
  }

  #end(outcome: "sent" | "given up"): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#services.timer.delete(this);
    this.#services.metrics.mirrored(outcome);
    this.#onEnd();
  }
}
