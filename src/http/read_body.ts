/**
 * Reading a request's body within a bound, whether or not its length was announced.
 *
 * Hono's own body limit makes a second Request from the first, which the Node adapter's requests do
 * not allow; and it reads bodies that no handler wants.
 */

import { bodyTooLarge, RefusedError } from "./problem.ts";

/**
 * The body as text.
 *
 * @throws {RefusedError} 413 beyond `maxBytes`, 400 when it is not UTF-8 or ends too early
 */
export async function readBodyText(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<string> {
  return decodeText(await readBodyBytes(body, maxBytes));
}

/**
 * The body as it is.
 *
 * @throws {RefusedError} 413 beyond `maxBytes`, 400 when it ends too early
 */
export async function readBodyBytes(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array> {
  if (!body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(refuseHalf);
    if (done) break;
    size += value.length;
    // Not cancelled: that would destroy the socket before the answer is sent. The server discards
    // what is left.
    if (size > maxBytes) {
      throw new RefusedError(bodyTooLarge.status, bodyTooLarge.reason, bodyTooLarge.detail);
    }
    chunks.push(value);
  }
  return joined(chunks, size);
}

/** Only the client's end of the connection breaks a body off: no fault of ours. */
function refuseHalf(): never {
  throw new RefusedError(400, "MalformedContent", "Read body: it broke off before its end");
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // The decoder has one fault only; which byte it was helps nobody.
    throw new RefusedError(400, "MalformedContent", "Read body: it is not UTF-8");
  }
}
