/**
 * The two messages of the delta xDS protocol: requests as values, responses as bytes.
 *
 * Responses are written by hand, because resources are bytes already and a library would decode and
 * encode them once more. Field numbers are those of `envoy.service.discovery.v3`.
 */

import type { EnvoyCodec, ProtoJson, ProtoObject } from "../codec.ts";
import { type EnvoyKind, type EnvoyResource, typeUrl } from "../resources.ts";

/** Who asks, from the first message of a stream. */
export interface EnvoyNode {
  readonly id: string;
  readonly cluster: string;
  /** `1.40.0`; empty when it does not say. */
  readonly version: string;
}

/** What weir reads of a `DeltaDiscoveryRequest`. */
export interface DeltaRequest {
  readonly typeUrl: string;
  /** Only in the first message of a stream. */
  readonly node?: EnvoyNode;
  readonly subscribe: readonly string[];
  readonly unsubscribe: readonly string[];
  /** Name to version; only in the first message of a type. */
  readonly initialVersions: ReadonlyMap<string, string>;
  /** The response that this answers; empty for a request of its own. */
  readonly nonce: string;
  /** Set when the response was refused: Envoy's words. */
  readonly error?: string;
}

/** A `DeltaDiscoveryResponse` about one kind. */
export interface DeltaResponse {
  readonly kind: EnvoyKind;
  readonly nonce: string;
  /** For people who read Envoy's log; nothing follows from it. */
  readonly revision: number;
  readonly resources: readonly SentResource[];
  readonly removed: readonly string[];
}

/** A resource with what is put behind its bytes. */
export interface SentResource {
  readonly resource: EnvoyResource;
  /** More of the same message, which protobuf merges into it. */
  readonly appendix?: Uint8Array;
}

/** @throws Error when `bytes` are no `DeltaDiscoveryRequest` */
export function decodeDeltaRequest(codec: EnvoyCodec, bytes: Uint8Array): DeltaRequest {
  const json = asObject(codec.decode("envoy.service.discovery.v3.DeltaDiscoveryRequest", bytes));
  const error = json["errorDetail"];
  return {
    typeUrl: asText(json["typeUrl"]),
    ...json["node"] === undefined ? {} : { node: decodeNode(asObject(json["node"])) },
    subscribe: asTexts(json["resourceNamesSubscribe"]),
    unsubscribe: asTexts(json["resourceNamesUnsubscribe"]),
    initialVersions: new Map(
      Object.entries(asObject(json["initialResourceVersions"])).map(([name, version]) => [
        name,
        asText(version),
      ]),
    ),
    nonce: asText(json["responseNonce"]),
    ...error === undefined ? {} : { error: asText(asObject(error)["message"]) },
  };
}

function decodeNode(node: ProtoObject): EnvoyNode {
  const build = asObject(asObject(node["userAgentBuildVersion"])["version"]);
  const number = (field: string): number => Number(build[field] ?? 0);
  const version = Object.keys(build).length === 0
    ? asText(node["userAgentVersion"])
    : `${number("majorNumber")}.${number("minorNumber")}.${number("patch")}`;
  return { id: asText(node["id"]), cluster: asText(node["cluster"]), version };
}

function asText(value: ProtoJson | undefined): string {
  return typeof value === "string" ? value : "";
}

function asTexts(value: ProtoJson | undefined): string[] {
  return Array.isArray(value) ? value.map(asText) : [];
}

function asObject(value: ProtoJson | undefined): ProtoObject {
  return isObject(value) ? value : {};
}

function isObject(value: ProtoJson | undefined): value is ProtoObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const encoder = new TextEncoder();

/** A field of the wire type for bytes, in pieces that stand one after the other. */
class Pieces {
  readonly list: Uint8Array[] = [];
  length = 0;

  push(bytes: Uint8Array): void {
    this.list.push(bytes);
    this.length += bytes.length;
  }

  text(field: number, text: string): void {
    if (text !== "") this.bytes(field, [encoder.encode(text)]);
  }

  bytes(field: number, parts: readonly Uint8Array[]): void {
    this.push(header(field, parts.reduce((sum, part) => sum + part.length, 0)));
    for (const part of parts) this.push(part);
  }

  nested(field: number, inner: Pieces): void {
    this.push(header(field, inner.length));
    for (const piece of inner.list) this.list.push(piece);
    this.length += inner.length;
  }

  join(): Uint8Array<ArrayBuffer> {
    const joined = new Uint8Array(this.length);
    let offset = 0;
    for (const piece of this.list) {
      joined.set(piece, offset);
      offset += piece.length;
    }
    return joined;
  }
}

function header(field: number, length: number): Uint8Array {
  const bytes = [field << 3 | 2];
  let rest = length;
  for (; rest > 0x7f; rest >>>= 7) bytes.push(rest & 0x7f | 0x80);
  bytes.push(rest);
  return new Uint8Array(bytes);
}

/** The message's bytes, without a frame. */
export function encodeDeltaResponse(response: DeltaResponse): Uint8Array<ArrayBuffer> {
  const url = typeUrl(response.kind);
  const message = new Pieces();
  message.text(1, String(response.revision));
  for (const { resource, appendix } of response.resources) {
    const any = new Pieces();
    any.text(1, url);
    any.bytes(2, appendix ? [resource.bytes, appendix] : [resource.bytes]);
    const entry = new Pieces();
    entry.text(1, resource.version);
    entry.nested(2, any);
    entry.text(3, resource.name);
    message.nested(2, entry);
  }
  message.text(4, url);
  message.text(5, response.nonce);
  for (const name of response.removed) message.text(6, name);
  return message.join();
}
