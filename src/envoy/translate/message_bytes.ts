/**
 * Encoded messages put together from encoded parts (Protocol Buffers, encoding): a repeated field may
 * stand anywhere in a message, so what did not change is copied, not encoded anew.
 */

const wireTypeBytes = 2;

/** `head`, an encoded message, with `parts` behind it as elements of its field number `field`. */
export function withMessages(
  head: Uint8Array,
  field: number,
  parts: readonly Uint8Array[],
): Uint8Array {
  const tag = field << 3 | wireTypeBytes;
  let length = head.length;
  for (const part of parts) length += 1 + varintLength(part.length) + part.length;
  const bytes = new Uint8Array(length);
  bytes.set(head);
  let at = head.length;
  for (const part of parts) {
    bytes[at++] = tag;
    at = writeVarint(bytes, at, part.length);
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function varintLength(value: number): number {
  let length = 1;
  for (let rest = value; rest > 127; rest >>>= 7) length++;
  return length;
}

function writeVarint(bytes: Uint8Array, start: number, value: number): number {
  let at = start;
  let rest = value;
  for (; rest > 127; rest >>>= 7) bytes[at++] = rest & 127 | 128;
  bytes[at++] = rest;
  return at;
}
