// A watch is bytes in any cut: an event that is read wrongly is a change that is lost.

import { assertEquals, assertThrows } from "@std/assert";
import { JsonLines } from "../../../src/kube/json_lines.ts";

const encoder = new TextEncoder();

Deno.test("JsonLines reads the same values however the bytes are cut", () => {
  const values = [{ a: "é€😀" }, [], "x", { deep: { list: [1, 2, null] } }, 7];
  const bytes = encoder.encode(values.map((value) => `${JSON.stringify(value)}\n`).join("\n"));
  for (let size = 1; size <= bytes.length; size++) {
    const lines = new JsonLines(1000);
    const found: unknown[] = [];
    for (let at = 0; at < bytes.length; at += size) {
      found.push(...lines.read(bytes.subarray(at, at + size)));
    }
    lines.end();
    assertEquals(found, values, `chunks of ${size} bytes`);
  }
});

Deno.test("JsonLines refuses what is not UTF-8, not JSON, too long, or cut off", () => {
  const read = (...chunks: readonly Uint8Array[]) => () => {
    const lines = new JsonLines(100);
    for (const chunk of chunks) [...lines.read(chunk)];
    lines.end();
  };
  assertThrows(read(new Uint8Array([34, 0xc3, 0x28, 34, 10])), Error, "not JSON");
  assertThrows(read(encoder.encode("secret value\n")), Error, "An event is not JSON");
  assertThrows(read(encoder.encode('{"a":1')), Error, "ended inside an event");
  const half = encoder.encode(`"${"x".repeat(70)}`);
  assertThrows(read(half, half), Error, "larger than 100 bytes");
});
