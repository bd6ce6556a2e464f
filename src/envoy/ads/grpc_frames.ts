/**
 * Messages of gRPC in a stream of bytes: a flag, the length in four bytes, the message.
 *
 * Compressed messages are refused: nobody was told that they may be sent.
 */

const headLength = 5;

/** A message with its frame. */
export function frameMessage(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const frame = new Uint8Array(headLength + message.length);
  new DataView(frame.buffer).setUint32(1, message.length);
  frame.set(message, headLength);
  return frame;
}

/** The bytes are no messages, or one is too long; nothing can be read behind it. */
export class FrameError extends Error {
  override name = "FrameError";
}

/** Finds the messages in chunks that are cut anywhere. Keeps at most one message. */
export class FrameReader {
  readonly #messageMax: number;
  /** Bytes that belong to no whole message yet. */
  #rest: Uint8Array[] = [];
  #restLength = 0;

  /** @param messageMax bytes of one message */
  constructor(messageMax: number) {
    this.#messageMax = messageMax;
  }

  /**
   * The messages that are complete with this chunk, in order.
   *
   * @throws {FrameError}
   */
  push(chunk: Uint8Array): Uint8Array[] {
    this.#rest.push(chunk);
    this.#restLength += chunk.length;
    const messages: Uint8Array[] = [];
    // A long message is put together once, not with every chunk of it.
    for (let length = this.#nextLength(); length <= this.#restLength; length = this.#nextLength()) {
      const bytes = this.#join();
      messages.push(bytes.subarray(headLength, length));
      this.#keep(bytes.subarray(length));
    }
    return messages;
  }

  /** Bytes of the next message with its head; infinite while the head is not there. */
  #nextLength(): number {
    if (this.#restLength < headLength) return Infinity;
    const [first = new Uint8Array()] = this.#rest;
    const head = first.length >= headLength ? first : this.#join();
    if (head[0] !== 0) throw new FrameError("Read gRPC message: it is compressed");
    const length = new DataView(head.buffer, head.byteOffset).getUint32(1);
    if (length > this.#messageMax) {
      throw new FrameError(
        `Read gRPC message: it has ${length} bytes, at most ${this.#messageMax} are wanted`,
      );
    }
    return headLength + length;
  }

  #join(): Uint8Array {
    const [first] = this.#rest;
    if (first && this.#rest.length === 1) return first;
    const joined = new Uint8Array(this.#restLength);
    let offset = 0;
    for (const chunk of this.#rest) {
      joined.set(chunk, offset);
      offset += chunk.length;
    }
    this.#keep(joined);
    return joined;
  }

  #keep(bytes: Uint8Array): void {
    this.#rest = bytes.length > 0 ? [bytes] : [];
    this.#restLength = bytes.length;
  }
}
