/**
 * Header lines on their way through: flat lists of name and value, in order, with their case.
 *
 * What belongs to one connection only is dropped (RFC 9110, section 7.6.1), what a gateway says
 * about itself is added, and the modifiers of routes are applied. Lists are edited in place by
 * whoever made them; nothing here keeps one.
 */

import type { HeaderModifier } from "../dataplane/http_filters.ts";
import type { RequestHead } from "./request_head.ts";

/** Name, value, name, value … */
export type HeaderLines = string[];

/** What the gateway adds to a request. */
export interface ForwardedFacts {
  readonly remoteAddress: string;
  readonly scheme: "http" | "https";
  readonly requestId: string;
  /** The Host line for the backend; absent: the client's. */
  readonly hostname?: string | undefined;
  /** Whether a request without body says so (RFC 9110, section 8.6). */
  readonly saysLengthZero: boolean;
}

/**
 * The header lines for a backend. X-Forwarded-For is appended to, X-Forwarded-Proto and
 * X-Request-Id are replaced: a client cannot choose them, nor with underscores, which many backends
 * take for hyphens. A transfer coding is written in one spelling, whatever the client's was.
 */
export function requestLines(
  rawHeaders: readonly string[],
  head: RequestHead,
  facts: ForwardedFacts,
): HeaderLines {
  const lines: HeaderLines = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    const value = rawHeaders[index + 1] ?? "";
    const kind = kindOf(name);
    if (kind === HOP_BY_HOP || kind === REPLACED) continue;
    if (kind === HOST) lines.push(name, facts.hostname ?? value);
    else if (kind === FRAMING) lines.push(name, isContentLength(name) ? value : "chunked");
    else if (!isListed(name, head.connectionNames)) lines.push(name, value);
  }
  if (head.body === "none" && facts.saysLengthZero && !head.saysLength) {
    lines.push("Content-Length", "0");
  }
  const { remoteAddress } = facts;
  lines.push(
    "X-Forwarded-For",
    head.forwardedFor === "" ? remoteAddress : `${head.forwardedFor},${remoteAddress}`,
    "X-Forwarded-Proto",
    facts.scheme,
    "X-Request-Id",
    facts.requestId,
  );
  if (head.acceptsTrailers) lines.push("TE", "trailers");
  return lines;
}

/** The header lines for the client, and what the backend says about its connection. */
export interface ResponseHead {
  readonly lines: HeaderLines;
  /** Seconds for which the backend keeps an idle connection; undefined: it did not say. */
  readonly keepAliveSeconds: number | undefined;
  /** Octets of the body as announced; -1: not announced. */
  readonly contentLength: number;
  /** Whether the only transfer coding is the one that the runtime has undone: chunked, or none. */
  readonly isUnderstood: boolean;
}

/** The header lines of a backend's response for the client. */
export function responseLines(rawHeaders: readonly string[]): ResponseHead {
  const lines: HeaderLines = [];
  let keepAliveSeconds: number | undefined;
  let contentLength = -1;
  let codings = 0;
  let isUnderstood = true;
  let listed: readonly string[] = NO_NAMES;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    const value = rawHeaders[index + 1] ?? "";
    const kind = kindOf(name);
    if (kind === FRAMING && !isContentLength(name)) {
      isUnderstood = ++codings === 1 && value.toLowerCase() === "chunked";
      if (!isUnderstood) break;
      continue;
    }
    if (kind === HOP_BY_HOP) {
      if (name.length !== 10) continue;
      if (name.toLowerCase() === "keep-alive") keepAliveSeconds ??= readTimeout(value);
      else if (!/^(?:keep-alive|close)$/i.test(value)) listed = [...listed, ...tokens(value)];
      continue;
    }
    if (kind === FRAMING) contentLength = Number(value);
    lines.push(name, value);
  }
  if (listed.length > 0) removeListed(lines, listed);
  return { lines, keepAliveSeconds, contentLength, isUnderstood };
}

/** The trailers of a message as pairs; what is not allowed to follow a body is dropped. */
export function trailerPairs(rawTrailers: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let index = 0; index + 1 < rawTrailers.length; index += 2) {
    const name = rawTrailers[index] ?? "";
    if (isEndToEnd(name)) pairs.push([name, rawTrailers[index + 1] ?? ""]);
  }
  return pairs;
}

/** The lines as they go over the wire, each with its line break. */
export function joinLines(lines: readonly string[]): string {
  let text = "";
  for (let index = 0; index + 1 < lines.length; index += 2) {
    text += `${lines[index]}: ${lines[index + 1]}\r\n`;
  }
  return text;
}

/** Whether a field of this name goes from one end to the other as it is. */
export function isEndToEnd(name: string): boolean {
  return kindOf(name) === ORDINARY;
}

/** Whether a field of this name says how a message is framed, or belongs to one connection. */
export function isForConnection(name: string): boolean {
  const kind = kindOf(name);
  return kind === HOP_BY_HOP || kind === FRAMING;
}

/** Applies a modifier: remove, then set, then add. */
export function modifyLines(lines: HeaderLines, modifier: HeaderModifier): void {
  for (const name of modifier.remove) removeLines(lines, name.toLowerCase());
  for (const { name, value } of modifier.set) setLine(lines, name, value);
  for (const { name, value } of modifier.add) addLine(lines, name, value);
}

const ORDINARY = 0;
const HOP_BY_HOP = 1;
const REPLACED = 2;
const FRAMING = 3;
const HOST = 4;

const NO_NAMES: readonly string[] = [];

/** What is not ordinary, by its name in lower case. */
const KINDS: ReadonlyMap<string, number> = new Map([
  ["connection", HOP_BY_HOP],
  ["keep-alive", HOP_BY_HOP],
  ["proxy-connection", HOP_BY_HOP],
  ["te", HOP_BY_HOP],
  ["upgrade", HOP_BY_HOP],
  ["http2-settings", HOP_BY_HOP],
  ["transfer-encoding", FRAMING],
  ["content-length", FRAMING],
  ["host", HOST],
  ...["x-forwarded-for", "x-forwarded-proto", "x-request-id"].flatMap(spellings),
]);

/** The ways to write a replaced name with underscores for some or all of its hyphens. */
function spellings(name: string): [string, number][] {
  const [first = "", ...others] = name.split("-");
  return others.reduce(
    (heads, part) => heads.flatMap((head) => [`${head}-${part}`, `${head}_${part}`]),
    [first],
  ).map((spelling) => [spelling, REPLACED]);
}

const LONGEST_KIND = "transfer-encoding".length;

function kindOf(name: string): number {
  if (name.length > LONGEST_KIND) return ORDINARY;
  return KINDS.get(name) ?? KINDS.get(name.toLowerCase()) ?? ORDINARY;
}

function isContentLength(name: string): boolean {
  return name.length === 14;
}

function isListed(name: string, listed: readonly string[]): boolean {
  return listed.length > 0 && listed.includes(name.toLowerCase());
}

function tokens(value: string): string[] {
  return value.split(",").map((token) => token.trim().toLowerCase());
}

function readTimeout(value: string): number | undefined {
  const seconds = /(?:^|[,;\s])timeout=([0-9]{1,6})/i.exec(value)?.[1];
  return seconds === undefined ? undefined : Number(seconds);
}

/** Removes what a response lists as belonging to the connection; framing is not for it to drop. */
function removeListed(lines: HeaderLines, listed: readonly string[]): void {
  for (const name of listed) if (!KINDS.has(name)) removeLines(lines, name);
}

/** Removes the lines of a name, given in lower case, from an index on. */
export function removeLines(lines: HeaderLines, lowerName: string, from = 0): void {
  let kept = from;
  for (let index = from; index + 1 < lines.length; index += 2) {
    const name = lines[index] ?? "";
    if (name.length === lowerName.length && name.toLowerCase() === lowerName) continue;
    lines[kept] = name;
    lines[kept + 1] = lines[index + 1] ?? "";
    kept += 2;
  }
  lines.length = kept;
}

/** One line instead of all that there are, in the place of the first. */
function setLine(lines: HeaderLines, name: string, value: string): void {
  const lowerName = name.toLowerCase();
  const index = lines.findIndex((text, at) => at % 2 === 0 && text.toLowerCase() === lowerName);
  if (index < 0) {
    lines.push(name, value);
    return;
  }
  lines[index] = name;
  lines[index + 1] = value;
  removeLines(lines, lowerName, index + 2);
}

/**
 * Appended to the last line of the name with a comma, as the API's example shows; a cookie cannot be
 * joined and gets a line of its own.
 */
function addLine(lines: HeaderLines, name: string, value: string): void {
  const lowerName = name.toLowerCase();
  for (let index = lines.length - 2; index >= 0 && lowerName !== "set-cookie"; index -= 2) {
    if (lines[index]?.toLowerCase() !== lowerName) continue;
    const present = lines[index + 1] ?? "";
    lines[index + 1] = present === "" ? value : `${present},${value}`;
    return;
  }
  lines.push(name, value);
}
