/** A request that has found its route and backend, and the lines that it is sent with. */

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { AccessRecord } from "./access_log.ts";
import type { CompiledBackend, CompiledRoute } from "./compiled_route.ts";
import type { EndpointRotation } from "./endpoint_rotation.ts";
import { modifyLines, requestLines } from "./header_lines.ts";
import type { RequestHead } from "./request_head.ts";
import type { ServedListener } from "./served_binding.ts";
import { rewriteTarget } from "./url_rewrite.ts";

/** See the file's header. */
export interface RoutedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly head: RequestHead;
  /** Normalised, with query. */
  readonly target: string;
  readonly served: ServedListener;
  readonly route: CompiledRoute;
  readonly backend: CompiledBackend;
  readonly rotation: EndpointRotation;
  /** The client's connection and what it sent already, when it asks to change the protocol. */
  readonly upgrade: { readonly socket: Socket; readonly head: Uint8Array } | undefined;
}

const SAYS_LENGTH_ZERO: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);
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

/** The target for the backend. */
export function backendTarget({ target, route: { action }, backend }: RoutedRequest): string {
  const path = backend.filters.rewrite?.path ?? action.filters.rewrite?.path;
  return path === undefined ? target : rewriteTarget(target, path);
}

/** The header lines for the backend; filters of the rule first, those of the backend after. */
export function backendLines(
  routed: RoutedRequest,
  scheme: "http" | "https",
  requestId: string,
): string[] {
  const { request, head, route: { action }, backend, upgrade } = routed;
  const lines = requestLines(request.rawHeaders, head, {
    remoteAddress: remoteAddressOf(request),
    scheme,
    requestId,
    hostname: backend.filters.rewrite?.hostname ?? action.filters.rewrite?.hostname,
    saysLengthZero: SAYS_LENGTH_ZERO.has(request.method ?? ""),
  });
  for (const modifier of action.filters.requestModifiers) modifyLines(lines, modifier);
  for (const modifier of backend.filters.requestModifiers) modifyLines(lines, modifier);
  if (upgrade !== undefined) lines.push("Connection", "Upgrade", "Upgrade", head.upgrade ?? "");
  return lines;
}

/** What is recorded of a request with this outcome. */
export function accessRecord(
  { request, head, served, route }: Pick<RoutedRequest, "request" | "head" | "served"> & {
    readonly route: CompiledRoute | undefined;
  },
  outcome: Pick<
    AccessRecord,
    "status" | "durationMs" | "requestBytes" | "responseBytes" | "endpoint" | "requestId"
  >,
): AccessRecord {
  const origin = route?.entry.origin;
  return {
    gateway: served.gateway,
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
