/**
 * The delta ADS server without its sockets: worlds in, streams of any number of Envoys served.
 *
 * Every step is synchronous: after a request, a new world or a time that came, each stream has sent
 * all that it may. Whoever carries the bytes brings requests in order and sends responses in order;
 * at most one response of each type is unanswered, so nothing piles up for a slow Envoy.
 *
 * An Envoy whose world is not known yet is left waiting: an empty answer would take away what a
 * predecessor gave it.
 */

import type { Clock } from "../../base/clock.ts";
import type { Logger } from "../../base/log.ts";
import type { EnvoyWorld } from "../resources.ts";
import { AdsStream, type StreamLimits } from "./ads_stream.ts";
import type { DeltaRequest, DeltaResponse, EnvoyNode } from "./delta_messages.ts";
import { NodeRecord } from "./node_record.ts";
import { computeNodeView, type NodeView } from "./node_view.ts";
import { WorldRecord } from "./world_record.ts";

/** Codes of gRPC that a stream ends with. */
export type StreamEnd = "InvalidArgument" | "PermissionDenied" | "ResourceExhausted" | "NotFound";

/** The other side of a stream. Neither method throws or calls back. */
export interface StreamSink {
  send(response: DeltaResponse): void;
  /** Nothing is sent after it. `message` is for Envoy's log. */
  end(code: StreamEnd, message: string): void;
}

/** What brings requests. */
export interface StreamInput {
  receive(request: DeltaRequest): void;
  /** The stream is gone, whoever ended it. May be called again. */
  close(): void;
}

/** What the server is made of. */
export interface AdsServerOptions {
  /**
   * The world that an Envoy is given; undefined: it is none of ours. What `node` says is a claim,
   * `peer` is who the other side was proved to be: private keys are in the world.
   */
  readonly worldNameOf: (node: EnvoyNode, peer: string) => string | undefined;
  readonly limits: StreamLimits;
  /** Bytes that change the content of an encoded scope and not its meaning. */
  readonly salt: (count: number) => Uint8Array;
  readonly clock: Pick<Clock, "monotonicMs" | "after">;
  readonly log: Logger;
  /** Called after a step in which an Envoy settled a revision or refused something. */
  readonly onProgress?: (worldName: string) => void;
}

/** Envoys without a stream that are remembered; the one that left first is forgotten. */
const absentNodesMax = 256;
/** Requests of one stream that wait for its world: Envoy asks once for each type. */
const waitingRequestsMax = 64;

/** One stream, from its first byte to its last. */
interface Connection {
  readonly sink: StreamSink;
  readonly peer: string;
  /** Requests from before there was a world. */
  waiting: DeltaRequest[];
  record?: NodeRecord;
  stream?: AdsStream;
}

/** See the file's header. */
export class AdsServer {
  readonly #options: AdsServerOptions;
  readonly #worlds = new Map<string, WorldRecord>();
  /** By id; in the order in which they were last heard of. */
  readonly #records = new Map<string, NodeRecord>();
  readonly #connections = new Set<Connection>();
  #cancelWake: (() => void) | undefined;
  /** Worlds of which something became known in this step. */
  readonly #progress = new Set<string>();

  constructor(options: AdsServerOptions) {
    this.#options = options;
  }

  /** Gives the Envoys of `name` a world, in place of the one before. */
  setWorld(name: string, world: EnvoyWorld): void {
    const record = this.#worlds.get(name);
    if (!record) {
      this.#worlds.set(name, new WorldRecord(world));
      for (const connection of this.#connections) this.#begin(connection);
    } else {
      const changed = record.update(world);
      for (const node of this.#records.values()) {
        if (node.worldName !== name) continue;
        for (const [kind, names] of changed) {
          for (const each of names) if (!record.wanted(kind, each)) node.forget(kind, each);
        }
      }
      for (const { stream } of this.#connections) {
        if (stream?.record.worldName === name) stream.change(changed);
      }
    }
    this.#stepAll();
  }

  /** Ends the streams of a world that is no more, and forgets its Envoys. */
  removeWorld(name: string): void {
    this.#worlds.delete(name);
    for (const connection of [...this.#connections]) {
      if (connection.record?.worldName === name) {
        this.#end(connection, "NotFound", `There is no world "${name}" any more`);
      }
    }
    for (const [id, { worldName }] of this.#records) {
      if (worldName === name) this.#records.delete(id);
    }
  }

  /** Begins a stream. `peer`: who is at its other side. */
  connect(sink: StreamSink, peer: string): StreamInput {
    const connection: Connection = { sink, peer, waiting: [] };
    this.#connections.add(connection);
    return {
      receive: (request) => this.#receive(connection, request),
      close: () => this.#close(connection),
    };
  }

  /** Every Envoy that is known, sorted by id. */
  views(): NodeView[] {
    return [...this.#records.keys()].sort().flatMap((id) => this.view(id) ?? []);
  }

  /** One Envoy; undefined when it is not known, or its world is not. */
  view(id: string): NodeView | undefined {
    const record = this.#records.get(id);
    const world = record && this.#worlds.get(record.worldName);
    if (!record || !world) return undefined;
    const streams = [...this.#connections].flatMap(({ stream }) =>
      stream?.record === record ? stream : []
    );
    return computeNodeView(record, world, streams);
  }

  /** Stops the clock; streams are closed by whoever carries them. */
  stop(): void {
    this.#cancelWake?.();
    this.#cancelWake = undefined;
  }

  #receive(connection: Connection, request: DeltaRequest): void {
    if (!this.#connections.has(connection)) return;
    if (!connection.record && !this.#introduce(connection, request)) return;
    const { stream } = connection;
    if (!stream) {
      if (connection.waiting.length >= waitingRequestsMax) {
        this.#end(connection, "ResourceExhausted", "Too many requests before the first answer");
      } else connection.waiting.push(request);
      return this.#begin(connection);
    }
    stream.receive(request, this.#options.clock.monotonicMs());
    if (stream.nameCount > this.#options.limits.namesMax) {
      return this.#end(connection, "ResourceExhausted", "Too many names for one stream");
    }
    this.#stepAll(stream);
  }

  /** Finds out who speaks; returns whether it is one of ours. */
  #introduce(connection: Connection, { node }: DeltaRequest): boolean {
    if (!node || node.id === "") {
      this.#end(connection, "InvalidArgument", "The first request names no node");
      return false;
    }
    const worldName = this.#options.worldNameOf(node, connection.peer);
    if (worldName === undefined) {
      this.#options.log.warn("Envoy refused", { node: node.id, cluster: node.cluster });
      this.#end(connection, "PermissionDenied", `Node "${node.id}" has nothing to be served here`);
      return false;
    }
    const known = this.#records.get(node.id);
    const record = known?.worldName === worldName ? known : new NodeRecord(node, worldName);
    record.node = node;
    this.#records.delete(node.id);
    this.#records.set(node.id, record);
    connection.record = record;
    this.#options.log.info("Envoy connected", { node: node.id, version: node.version });
    return true;
  }

  /** Makes the stream of a connection whose world is there, and takes what waited for it. */
  #begin(connection: Connection): void {
    const { record, stream } = connection;
    const world = record && this.#worlds.get(record.worldName);
    if (stream || !world) return;
    const { limits, log, salt } = this.#options;
    connection.stream = new AdsStream({
      record,
      world,
      limits,
      salt,
      send: (response) => connection.sink.send(response),
      onRejected: ({ message, resource: { kind, name, version } }) => {
        log.warn("Envoy refused a resource", {
          ...{ node: record.node.id, kind, name, version, message },
        });
        this.#progress.add(record.worldName);
      },
      onAccepted: () => this.#progress.add(record.worldName),
    });
    const { waiting } = connection;
    connection.waiting = [];
    for (const request of waiting) this.#receive(connection, request);
  }

  #end(connection: Connection, code: StreamEnd, message: string): void {
    this.#close(connection);
    connection.sink.end(code, message);
  }

  #close(connection: Connection): void {
    if (!this.#connections.delete(connection)) return;
    connection.waiting = [];
    const { record, stream } = connection;
    stream?.close();
    if (!record) return;
    this.#options.log.info("Envoy disconnected", { node: record.node.id });
    const present = new Set([...this.#connections].map((other) => other.record));
    const absent = [...this.#records].filter(([, each]) => !present.has(each));
    for (const [id] of absent.slice(0, Math.max(0, absent.length - absentNodesMax))) {
      this.#records.delete(id);
    }
  }

  /** Lets streams send what they may, all or one, and tells who got further. */
  #stepAll(only?: AdsStream): void {
    const nowMs = this.#options.clock.monotonicMs();
    let nextMs = Infinity;
    for (const { stream } of this.#connections) {
      // The others have nothing to do before their time, which the one timer has to know.
      if (!stream) continue;
      const { record } = stream;
      const before = record.settledRevision;
      for (const { kind, name } of record.takeRetries(nowMs)) {
        for (const other of this.#connections) {
          if (other.record === record) other.stream?.states[kind].reconsider(name);
        }
      }
      const dueMs = only && only !== stream ? stream.dueMs(nowMs) : stream.step(nowMs);
      nextMs = Math.min(nextMs, dueMs ?? Infinity, record.nextRetryMs() ?? Infinity);
      if (record.settledRevision !== before) this.#progress.add(record.worldName);
    }
    this.stop();
    if (nextMs !== Infinity) {
      this.#cancelWake = this.#options.clock.after(
        Math.max(1, nextMs - nowMs),
        () => this.#stepAll(),
      );
    }
    const worlds = [...this.#progress];
    this.#progress.clear();
    for (const name of worlds) this.#options.onProgress?.(name);
  }
}
