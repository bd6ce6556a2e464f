/**
 * Streams of lines. What an operator would lose: watches that end when the process drains, a slow
 * reader that costs a bounded amount, and a count of what is open.
 */

import { assert, assertEquals } from "@std/assert";
import { type LineSink, LineStreams } from "../../../src/http/line_streams.ts";
import { FakeClock } from "../../fakes/fake_clock.ts";

interface Opened {
  readonly streams: LineStreams;
  readonly clock: FakeClock;
  readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly sink: () => LineSink;
  readonly counts: { stopped: number; cut: number };
}

function open(onStart: (sink: LineSink) => void = () => {}): Opened {
  const clock = new FakeClock();
  const streams = new LineStreams(clock, {
    streamsMax: 2,
    waitingCharsMax: 20,
    endTimeoutMs: 1000,
  });
  const counts = { stopped: 0, cut: 0 };
  let sink: LineSink | undefined;
  const body = streams.open((given) => {
    sink = given;
    onStart(given);
    return () => counts.stopped++;
  }, () => counts.cut++);
  return {
    streams,
    clock,
    reader: body.getReader(),
    sink: () => {
      assert(sink);
      return sink;
    },
    counts,
  };
}

async function readText(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  const { done, value } = await reader.read();
  return done ? "(end)" : new TextDecoder().decode(value);
}

Deno.test("lines arrive in order, those of the start in one piece", async () => {
  const { reader, sink } = open((first) => {
    first.send("a");
    first.send("b".repeat(50));
  });
  assertEquals(await readText(reader), `a\n${"b".repeat(50)}\n`);
  const next = readText(reader);
  sink().send("c");
  assertEquals(await next, "c\n");
});

Deno.test("an end lets what waits be read", async () => {
  const { reader, sink, streams, counts } = open((first) => first.send("a"));
  await readText(reader);
  sink().send("b");
  sink().end();
  assertEquals([await readText(reader), await readText(reader)], ["b\n", "(end)"]);
  assertEquals([streams.size, counts.stopped, counts.cut], [0, 1, 0]);
});

Deno.test("a start that ends at once, as a watch from too long ago, is told and stopped", async () => {
  const { reader, streams, counts, clock } = open((first) => {
    first.send("gone");
    first.end();
  });
  assertEquals([await readText(reader), await readText(reader)], ["gone\n", "(end)"]);
  assertEquals([streams.size, counts.stopped, clock.pending], [0, 1, 0]);
});

Deno.test("a reader that is too slow loses what waits and is cut", async () => {
  const { reader, sink, streams, clock, counts } = open((first) => first.send("a"));
  await readText(reader);
  for (let count = 0; count < 5; count++) sink().send("x".repeat(10));
  assertEquals([streams.size, counts.stopped], [1, 1]);
  await clock.advance(1000);
  assertEquals([streams.size, counts.cut], [0, 1]);
  assertEquals(await readText(reader), "(end)");
});

Deno.test("a client that leaves stops the feeding", async () => {
  const { reader, streams, counts } = open((first) => first.send("a"));
  await readText(reader);
  await reader.cancel();
  assertEquals([streams.size, counts.stopped], [0, 1]);
});

Deno.test("a drain ends all and takes no more", async () => {
  const { reader, streams, counts } = open((first) => first.send("a"));
  await readText(reader);
  const end = readText(reader);
  streams.drain();
  assertEquals([await end, streams.hasRoom, counts.stopped], ["(end)", false, 1]);
  streams.resume();
  assertEquals(streams.hasRoom, true);
});

Deno.test("what nobody reads counts until a drain, and is never started", () => {
  const { streams, counts } = open();
  streams.open(() => () => {}, () => {});
  assertEquals(streams.hasRoom, false);
  streams.drain();
  assertEquals([streams.size, counts.stopped], [0, 0]);
});
