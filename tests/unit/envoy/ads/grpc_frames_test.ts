/** Envoy cuts its messages wherever its buffers end: none may be lost or read askew. */

import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { FrameError, frameMessage, FrameReader } from "../../../../src/envoy/ads/grpc_frames.ts";

Deno.test("FrameReader finds all messages, however the bytes are cut", () => {
  const messages = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 6 });
  fc.assert(fc.property(messages, fc.array(fc.nat(30)), (sent, cuts) => {
    const bytes = new Uint8Array(sent.flatMap((message) => [...frameMessage(message)]));
    const reader = new FrameReader(40);
    const found: number[][] = [];
    const push = (chunk: Uint8Array): void => {
      for (const message of reader.push(chunk)) found.push([...message]);
    };
    let from = 0;
    for (const cut of cuts) {
      push(bytes.subarray(from, from + cut));
      from = Math.min(bytes.length, from + cut);
    }
    push(bytes.subarray(from));
    assertEquals(found, sent.map((message) => [...message]));
  }));
});

Deno.test("FrameReader.push() refuses a message that is too long before it is there", () => {
  const reader = new FrameReader(10);
  assertThrows(() => reader.push(new Uint8Array([0, 0, 0, 0, 11])), FrameError, "11 bytes");
});

Deno.test("FrameReader.push() refuses a compressed message", () => {
  assertThrows(() => new FrameReader(10).push(new Uint8Array([1, 0, 0, 0, 0])), FrameError);
});
