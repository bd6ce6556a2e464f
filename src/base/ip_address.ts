/**
 * IP addresses as numbers and as text: strict parsing, canonical printing (RFC 5952).
 *
 * Only literals are accepted: no names, no zones, no octal or shortened IPv4 forms.
 */

/** An address as a number of 32 or 128 bits. */
export interface IpAddress {
  readonly family: 4 | 6;
  readonly value: bigint;
}

/** The address that `text` is a literal of, or undefined. */
export function parseIp(text: string): IpAddress | undefined {
  return text.includes(":") ? parseIpv6(text) : parseIpv4(text);
}

function parseIpv4(text: string): IpAddress | undefined {
  const parts = text.split(".", 5);
  if (parts.length !== 4) return undefined;
  let value = 0n;
  for (const part of parts) {
    if (!/^(?:0|[1-9][0-9]{0,2})$/.test(part) || Number(part) > 255) return undefined;
    value = (value << 8n) | BigInt(part);
  }
  return { family: 4, value };
}

function parseIpv6(text: string): IpAddress | undefined {
  if (text.length > 45) return undefined;
  const halves = text.split("::", 3);
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map((half) => half === "" ? [] : half.split(":"));
  if (!head) return undefined;
  // An embedded IPv4 address may only close the text.
  const last = (tail ?? head).at(-1);
  if (last?.includes(".")) {
    const embedded = parseIpv4(last);
    if (!embedded) return undefined;
    (tail ?? head).splice(
      -1,
      1,
      (embedded.value >> 16n).toString(16),
      (embedded.value & 0xffffn).toString(16),
    );
  }
  const missing = 8 - head.length - (tail?.length ?? 0);
  if (tail ? missing < 1 : missing !== 0) return undefined;
  const groups = [...head, ...Array.from({ length: missing }, () => "0"), ...(tail ?? [])];
  let value = 0n;
  for (const group of groups) {
    if (!/^[0-9a-fA-F]{1,4}$/.test(group)) return undefined;
    value = (value << 16n) | BigInt(`0x${group}`);
  }
  return { family: 6, value };
}

/** The canonical text of `address`. */
export function formatIp(address: IpAddress): string {
  if (address.family === 4) {
    return [24n, 16n, 8n, 0n].map((shift) => (address.value >> shift) & 0xffn).join(".");
  }
  const groups = Array.from(
    { length: 8 },
    (_, index) => Number((address.value >> BigInt(16 * (7 - index))) & 0xffffn),
  );
  const { start, length } = longestZeroRun(groups);
  const text = groups.map((group) => group.toString(16));
  if (length < 2) return text.join(":");
  return `${text.slice(0, start).join(":")}::${text.slice(start + length).join(":")}`;
}

function longestZeroRun(groups: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < 8; start++) {
    let length = 0;
    while (groups[start + length] === 0) length++;
    if (length > best.length) best = { start, length };
  }
  return best;
}

/** `IP:PORT` or `[IPv6]:PORT`, canonical; undefined when `text` is not of that form. */
export function parseHostPort(text: string): { address: string; port: number } | undefined {
  const match = /^(?:\[([^\]]+)\]|([^:]+)):([1-9][0-9]{0,4})$/.exec(text);
  const address = parseIp(match?.[1] ?? match?.[2] ?? "");
  const port = Number(match?.[3]);
  if (!address || !match || (match[1] !== undefined) !== (address.family === 6)) return undefined;
  return port > 65535 ? undefined : { address: formatIp(address), port };
}

/** `IP:PORT`, with brackets around an IPv6 address. */
export function formatHostPort(address: string, port: number): string {
  return address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
}
