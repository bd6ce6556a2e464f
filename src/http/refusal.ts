/**
 * Answers that the server gives without the app: to a request that the gate refuses, and to bytes
 * that are no request.
 */

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Clock } from "../base/clock.ts";
import { discardBody } from "./discard_body.ts";
import { type ProblemOptions, type RefusalFormat, titleOf } from "./problem.ts";
import type { GateVerdict } from "./request_gate.ts";
import { securityHeaders } from "./security_headers.ts";

/** A refusal with the headers of its answer besides those of every one. */
export interface Refusal extends ProblemOptions {
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers a request with a refusal; a body that is being sent is read and forgotten. */
export function refuseRequest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  options: Refusal,
  format: RefusalFormat,
  announced: GateVerdict["body"],
  clock: Clock,
): void {
  const body = format.body(options);
  outgoing.writeHead(options.status, {
    ...securityHeaders,
    ...options.headers,
    "content-type": format.contentType,
    "content-length": new TextEncoder().encode(body).length,
    ...(announced === "none" ? {} : { connection: "close" }),
  });
  if (announced !== "sent") {
    outgoing.end(body);
    return;
  }
  // The answer is sent whole, the connection ends a little later: see discardBody().
  outgoing.write(body);
  discardBody(incoming, clock, () => outgoing.end());
}

/** Answers bytes that the parser refused, closes the connection and returns the reason. */
export function refuseConnection(
  socket: Duplex,
  code: string | undefined,
  format: RefusalFormat,
): string {
  const refusal = refusalOf(code);
  const { status, reason } = refusal;
  const body = format.body(refusal);
  const headers = {
    ...securityHeaders,
    "content-type": format.contentType,
    "content-length": String(new TextEncoder().encode(body).length),
    "connection": "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${titleOf(status)}\r\n${lines.join("")}\r\n${body}`);
  return reason;
}

/** The refusal for an error code of Node's HTTP parser. */
function refusalOf(code: string | undefined): ProblemOptions {
  const instance = "";
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return {
        status: 431,
        reason: "HeadersTooLarge",
        detail: "Read headers: they are larger than this server takes",
        instance,
      };
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return {
        status: 408,
        reason: "RequestTimeout",
        detail: "Read request: it did not arrive in time",
        instance,
      };
    default:
      return {
        status: 400,
        reason: "MalformedRequest",
        detail: "Read request: it is not HTTP/1.1",
        instance,
      };
  }
}
