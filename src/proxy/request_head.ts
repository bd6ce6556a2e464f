/**
 * The head of a request, read once: what routing and forwarding need, or why it is refused.
 *
 * The parser of the runtime lets pass what a gateway must not: two Host lines, an absolute target
 * that names another host than the Host line, transfer codings that it does not undo. They are
 * refused here (RFC 9112, sections 3.2, 6.1 and 11.2), because a backend may read them otherwise.
 */

import { normalizeHost } from "../dataplane/host.ts";

/** A request head that may be served. */
export interface RequestHead {
  /** Host and port as the client wrote them. */
  readonly authority: string;
  /** Normalised for matching. */
  readonly host: string;
  /** Origin form as received; not normalised. */
  readonly target: string;
  readonly body: "none" | "length" | "chunked";
  /** Octets of the body when `body` is `length`. */
  readonly contentLength: number;
  /** Whether there is a Content-Length line, also one of zero. */
  readonly saysLength: boolean;
  readonly expectsContinue: boolean;
  /** Names in lower case that the Connection lines list. */
  readonly connectionNames: readonly string[];
  /** The protocol that the client wants to change to. */
  readonly upgrade: string | undefined;
  readonly acceptsTrailers: boolean;
  /** All X-Forwarded-For lines as one list; empty without one. */
  readonly forwardedFor: string;
}

/** Why a request is answered without being routed. The reason is safe to send. */
export interface BadRequest {
  readonly status: number;
  readonly reason: string;
}

/** Longest request target; longer ones are answered 414. */
export const TARGET_LENGTH_MAX = 16_384;

/** Most names in the Connection lines; each header line is compared with each of them. */
const CONNECTION_NAMES_MAX = 64;

/** Reads the head. The lines are as received: name, value, name, value … */
export function readRequestHead(
  url: string,
  httpVersion: string,
  rawHeaders: readonly string[],
): RequestHead | BadRequest {
  if (httpVersion !== "1.1") return bad(426, "HTTP/1.1 is required");
  if (url.length > TARGET_LENGTH_MAX) return bad(414, "the request target is too long");
  const lines = new HeadLines();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    lines.read(rawHeaders[index] ?? "", rawHeaders[index + 1] ?? "");
  }
  const { host: authority } = lines;
  if (authority === undefined) return bad(400, "the Host header is missing");
  if (lines.hostCount > 1) return bad(400, "there is more than one Host header");
  if (!AUTHORITY.test(authority)) return bad(400, "the Host header is not a host");
  const target = originForm(url, authority);
  if (target === undefined) return bad(400, "the request target does not fit the Host header");
  return lines.toHead(authority, target);
}

/** Whether `head` is a refusal. */
export function isBadRequest(head: RequestHead | BadRequest): head is BadRequest {
  return "reason" in head;
}

function bad(status: number, reason: string): BadRequest {
  return { status, reason };
}

/** A registered name, IPv4 or bracketed IPv6 address with an optional port. */
const AUTHORITY = /^(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9\-._~%!$&'()*+,;=]+)(?::[0-9]{0,5})?$/;

const NO_NAMES: readonly string[] = [];

/** The origin form of a target; undefined: another host, or no path at all. */
function originForm(url: string, authority: string): string | undefined {
  if (url.charCodeAt(0) === SLASH) return url;
  const absolute = /^https?:\/\/([^/?#]*)(.*)$/i.exec(url);
  if (absolute === null) return undefined;
  const [, host = "", rest = ""] = absolute;
  if (host.toLowerCase() !== authority.toLowerCase()) return undefined;
  return rest.startsWith("/") ? rest : `/${rest}`;
}

const SLASH = 0x2f;

/** Collects the lines that mean something to a proxy. */
class HeadLines {
  host: string | undefined;
  hostCount = 0;
  #length: string | undefined;
  #lengthConflicts = false;
  #coding: string | undefined;
  #codingCount = 0;
  #expect: string | undefined;
  #upgrade: string | undefined;
  #connectionNames: string[] | undefined;
  #acceptsTrailers = false;
  #forwardedFor = "";

  read(name: string, value: string): void {
    switch (name.length) {
      case 2:
        if (isName(name, "te")) this.#acceptsTrailers ||= /(^|,)\s*trailers\s*(,|$)/i.test(value);
        return;
      case 4:
        if (isName(name, "host")) {
          this.host = value;
          this.hostCount++;
        }
        return;
      case 6:
        if (isName(name, "expect")) this.#expect = value;
        return;
      case 7:
        if (isName(name, "upgrade")) this.#upgrade = value;
        return;
      case 10:
        if (isName(name, "connection")) this.#addConnection(value);
        return;
      case 14:
        if (!isName(name, "content-length")) return;
        this.#lengthConflicts ||= this.#length !== undefined && this.#length !== value;
        this.#length = value;
        return;
      case 15:
        if (!isName(name, "x-forwarded-for")) return;
        this.#forwardedFor = this.#forwardedFor === "" ? value : `${this.#forwardedFor},${value}`;
        return;
      case 17:
        if (!isName(name, "transfer-encoding")) return;
        this.#coding = value;
        this.#codingCount++;
    }
  }

  toHead(authority: string, target: string): RequestHead | BadRequest {
    if (this.#codingCount > 0) {
      if (this.#length !== undefined) {
        return bad(400, "Content-Length and Transfer-Encoding exclude each other");
      }
      if (this.#codingCount > 1 || this.#coding?.toLowerCase() !== "chunked") {
        return bad(501, "the only transfer coding that is understood is chunked");
      }
    }
    const contentLength = this.#length === undefined ? 0 : readLength(this.#length);
    if (this.#lengthConflicts || contentLength < 0) return bad(400, "Content-Length is invalid");
    if (this.#expect !== undefined && this.#expect.toLowerCase() !== "100-continue") {
      return bad(417, "the only expectation that is understood is 100-continue");
    }
    const connectionNames = this.#connectionNames ?? NO_NAMES;
    if (connectionNames.length > CONNECTION_NAMES_MAX) {
      return bad(400, "the Connection header has too many names");
    }
    return {
      authority,
      host: normalizeHost(authority),
      target,
      body: this.#codingCount > 0 ? "chunked" : contentLength > 0 ? "length" : "none",
      contentLength,
      saysLength: this.#length !== undefined,
      expectsContinue: this.#expect !== undefined,
      connectionNames,
      upgrade: connectionNames.includes("upgrade") ? this.#upgrade : undefined,
      acceptsTrailers: this.#acceptsTrailers,
      forwardedFor: this.#forwardedFor,
    };
  }

  #addConnection(value: string): void {
    for (const token of value.split(",")) {
      const name = token.trim().toLowerCase();
      if (name === "" || name === "keep-alive" || name === "close") continue;
      (this.#connectionNames ??= []).push(name);
    }
  }
}

function readLength(text: string): number {
  return /^[0-9]{1,15}$/.test(text) ? Number(text) : -1;
}

/** Compares without regard to case; `lower` is in lower case and of the same length. */
function isName(name: string, lower: string): boolean {
  return name === lower || name.toLowerCase() === lower;
}
