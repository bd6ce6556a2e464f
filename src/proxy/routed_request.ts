/** A request that has found its route and backend, and what is recorded of it. */

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { HeaderModifier } from "../dataplane/http_filters.ts";
import type { AccessRecord } from "./access_log.ts";
import type { BodyTap } from "./body_relay.ts";
import type { CompiledBackend, CompiledRoute } from "./compiled_route.ts";
import type { EndpointRotation } from "./endpoint_rotation.ts";
import type { RequestHead } from "./request_head.ts";
import type { ServedListener } from "./served_binding.ts";

/** A request that has found its route. */
export interface FoundRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly head: RequestHead;
  /** Normalised, with query. */
  readonly target: string;
  readonly served: ServedListener;
  readonly route: CompiledRoute;
  /** What the rule's CORS policy makes of the header of every answer. */
  readonly cors: HeaderModifier | undefined;
  /** The client's connection and what it sent already, when it asks to change the protocol. */
  readonly upgrade: { readonly socket: Socket; readonly head: Uint8Array } | undefined;
}

/** A request as it goes to a backend. */
export interface SentRequest extends FoundRequest {
  readonly backend: CompiledBackend;
  /** For the backend and in the log; a copy for a mirror has the same. */
  readonly requestId: string;
  /** Between the client and here. */
  readonly scheme: "http" | "https";
}

/** See the file's header. */
export interface RoutedRequest extends SentRequest {
  readonly rotation: EndpointRotation;
  /** Is given the body as well. */
  readonly tap: BodyTap | undefined;
}

const IDEMPOTENT: ReadonlySet<string> = new Set([
  "GET",
  "HEAD",
  "OPTIONS",
  "TRACE",
  "PUT",
  "DELETE",
]);

/** Whether sending it twice is as good as once (RFC 9110, section 9.2.2), and possible. */
export function isRepeatable({ request, head, upgrade }: RoutedRequest): boolean {
  return head.body === "none" && upgrade === undefined && IDEMPOTENT.has(request.method ?? "");
}

/** What is recorded of a request with this outcome. */
export function accessRecord(
  { request, head, served, route }: Pick<RoutedRequest, "request" | "head"> & {
    readonly served: ServedListener | undefined;
    readonly route: CompiledRoute | undefined;
  },
  outcome: Pick<
    AccessRecord,
    "status" | "durationMs" | "requestBytes" | "responseBytes" | "endpoint" | "requestId"
  >,
): AccessRecord {
  const origin = route?.entry.origin;
  return {
    gateway: served?.gateway ?? "",
    route: origin === undefined ? "" : `${origin.namespace}/${origin.name}`,
    method: request.method ?? "",
    host: head.host,
    target: head.target,
    remoteAddress: remoteAddressOf(request),
    ...outcome,
  };
}

/** The client's address; an IPv4 address that came in over IPv6 is written as IPv4. */
export function remoteAddressOf(request: IncomingMessage): string {
  const address = request.socket.remoteAddress ?? "";
  return address.startsWith("::ffff:") ? address.slice("::ffff:".length) : address;
}
