/**
 * The question who would serve a request, as the HTTP API and the command line take it: its parts,
 * what each must be like, and how they are read from text. Pure.
 *
 * The bounds are those of the data plane or tighter, so that what may be asked could be sent.
 */

/** A request that nobody has sent, checked. */
export interface RequestQuestion {
  readonly method: string;
  /** Host with or without a port. */
  readonly host: string;
  /** Path with or without a query. */
  readonly path: string;
  /** Of the listener, as the specification has it. */
  readonly port: number;
  /** NAMESPACE/NAME. */
  readonly gateway?: string;
  readonly headers: readonly HeaderLine[];
}

/** A header line. */
export interface HeaderLine {
  readonly name: string;
  readonly value: string;
}

/** Header lines that a question may have. */
export const headersMax = 100;
/** Characters of a path or a header line. */
const textMax = 8192;

/** A value, or what is wrong with the text, which completes `"X" …`. */
export type Reading<T> = { readonly value: T } | { readonly fault: string };

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,256}$/;
const authority = /^(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9\-._~%!$&'()*+,;=]{1,255})(?::[0-9]{0,5})?$/;
const objectName = /^[a-z0-9.-]{1,253}\/[a-z0-9.-]{1,253}$/;

/** A method: a token of HTTP, in the case given, because methods are case-sensitive. */
export function readMethod(text: string): Reading<string> {
  return token.test(text) ? { value: text } : { fault: "is not a method, wanted GET, POST …" };
}

/** A host as a `Host` header has it. */
export function readHost(text: string): Reading<string> {
  return authority.test(text)
    ? { value: text }
    : { fault: "is not a host, wanted a name or an IP address (IPv6 in brackets)" };
}

/** A path that begins with a slash; what is no path in HTTP is explained, not refused. */
export function readPath(text: string): Reading<string> {
  if (!text.startsWith("/")) return { fault: `does not begin with "/", wanted a path` };
  if (text.length > textMax) return { fault: `is longer than ${textMax} characters` };
  return { value: text };
}

/** A port number. */
export function readPort(text: string): Reading<number> {
  const port = Number(text);
  return /^\d{1,5}$/.test(text) && port >= 1 && port <= 65535
    ? { value: port }
    : { fault: "is not a port, wanted a number from 1 to 65535" };
}

/** NAMESPACE/NAME. */
export function readGateway(text: string): Reading<string> {
  return objectName.test(text) ? { value: text } : { fault: "is not NAMESPACE/NAME" };
}

/** `Name: value`, space around the value left out. */
export function readHeader(text: string): Reading<HeaderLine> {
  const colon = text.indexOf(":");
  const name = colon < 0 ? "" : text.slice(0, colon);
  if (!token.test(name)) return { fault: "is not a header, wanted NAME:VALUE" };
  if (text.length > textMax) return { fault: `is longer than ${textMax} characters` };
  return { value: { name, value: text.slice(colon + 1).trim() } };
}
