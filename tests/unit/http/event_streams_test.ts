/**
 * What a user would lose: streams that arrive at once, stay alive, end with a reason, and can neither
 * fill the process nor hold up its end.
 */

import { assert, assertEquals, assertThrows } from "@std/assert";
import type { EventSink } from "../../../src/http/event_sink.ts";
import { EventStreams } from "../../../src/http/event_streams.ts";
import { RefusedError } from "../../../src/http/problem.ts";
import { FakeClock } from "../../fakes/fake_clock.ts";

const limits = { streamsMax: 2, waitingCharsMax: 100, heartbeatMs: 1000, endTimeoutMs: 50 };

class World {
  readonly clock = new FakeClock();
  readonly ended: string[] = [];
  readonly streams = new EventStreams(this.clock, limits, (reason) => this.ended.push(reason));
  /** Streams whose feeding was stopped. */
  stopped = 0;
  /** Connections that were broken off. */
  cut = 0;

  /** Opens a stream; what it sends at its start, and a reader of its texts. */
  open(start?: (sink: EventSink) => void, ended?: AbortSignal) {
    let sink: EventSink | undefined;
    const response = this.streams.open(
      (given) => {
        sink = given;
        start?.(given);
        return () => void this.stopped++;
      },
      () => void this.cut++,
      ended,
    );
    assert(response.body);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    return {
      response,
      reader,
      read: async (): Promise<string | undefined> => (await reader.read()).value,
      sink: (): EventSink => {
        assert(sink, "the stream has not been read");
        return sink;
      },
    };
  }
}

const event = (data: string) => ({ event: "change", id: "e.1", data });
const end = (reason: string): string => `event: end\ndata: {"reason":"${reason}"}\n\n`;

Deno.test("EventStreams.open() sends events as they come, in the form of the standard", async () => {
  const world = new World();
  const { response, read, sink, reader } = world.open((first) => first.mark("e.0"));
  assertEquals(response.headers.get("content-type"), "text/event-stream");
  assertEquals(await read(), "retry: 1000\nid: e.0\n\n");
  const next = read();
  await world.clock.settle();
  sink().send(event("one\ntwo"));
  assertEquals(await next, "id: e.1\nevent: change\ndata: one\ndata: two\n\n");
  await reader.cancel();
});

Deno.test("EventStreams.open() starts with the first read, so that HEAD costs nothing", async () => {
  const world = new World();
  const response = world.streams.open(() => {
    throw new Error("nobody reads it");
  }, () => {});
  await world.clock.settle();
  assertEquals(world.streams.size, 0);
  await response.body?.cancel();
  assertEquals(world.ended, []);
});

Deno.test("EventStreams.open() stops feeding a client that leaves", async () => {
  const world = new World();
  const { read, reader, sink } = world.open((first) => first.send(event("x")));
  await read();
  assertEquals(world.streams.size, 1);
  await reader.cancel();
  await world.clock.settle();
  assertEquals([world.streams.size, world.stopped, world.ended], [0, 1, ["Left"]]);
  sink().send(event("late"));
  assertEquals(world.clock.pending, 0);
});

Deno.test("EventStreams.open() ends a stream that is not read, and says why", async () => {
  const world = new World();
  const { read, sink } = world.open((first) => first.send(event("first")));
  await read();
  await world.clock.settle();
  // The reader's own buffer takes some before anything waits.
  for (let index = 0; index < 20; index++) sink().send(event("x".repeat(20)));
  assertEquals([world.ended, world.stopped, world.streams.size], [["TooSlow"], 1, 0]);
  const rest: (string | undefined)[] = [];
  for (let text = await read(); text !== undefined; text = await read()) rest.push(text);
  assertEquals([rest.at(-1), world.cut], [end("TooSlow"), 0]);
  assert(rest.join("").length < 300, "what waited is dropped");
  assertEquals(world.clock.pending, 0);
});

Deno.test("EventStreams.open() cuts a client that does not even read the end", async () => {
  const world = new World();
  const { reader, sink } = world.open((first) => first.send(event("first")));
  await reader.read();
  await world.clock.settle();
  for (let index = 0; index < 20; index++) sink().send(event("x".repeat(20)));
  await world.clock.advance(limits.endTimeoutMs);
  assertEquals([world.cut, world.clock.pending, world.streams.size], [1, 0, 0]);
  await reader.cancel();
});

Deno.test("EventStreams.open() takes whatever a stream begins with", async () => {
  const world = new World();
  const { read, sink, reader } = world.open((first) => {
    for (let index = 0; index < 50; index++) first.send(event("x".repeat(20)));
  });
  const first = await read();
  assertEquals(first?.match(/event: change/g)?.length, 50);
  sink().send(event("more"));
  assertEquals(world.ended, []);
  await reader.cancel();
});

Deno.test("EventStreams keeps quiet streams alive with one timer for all", async () => {
  const world = new World();
  const [one, two] = [world.open(), world.open()];
  const reads = [one.read(), two.read()];
  await world.clock.settle();
  assertEquals(world.clock.pending, 1);
  await world.clock.advance(limits.heartbeatMs);
  assertEquals(await Promise.all(reads), [": still here\n\n", ": still here\n\n"]);
  await Promise.all([one.reader.cancel(), two.reader.cancel()]);
  await world.clock.settle();
  assertEquals(world.clock.pending, 0);
});

Deno.test("EventStreams.open() refuses more streams than it has room for", async () => {
  const world = new World();
  const open = [world.open(), world.open()];
  for (const { reader } of open) void reader.read();
  await world.clock.settle();
  const error = assertThrows(() => world.open(), RefusedError);
  assertEquals([error.status, error.reason], [503, "TooManyStreams"]);
  await open[0]?.reader.cancel();
  await world.clock.settle();
  const again = world.open();
  await Promise.all([again.reader.cancel(), open[1]?.reader.cancel()]);
});

Deno.test("EventStreams.drain() ends every stream with its reason and takes no more", async () => {
  const world = new World();
  const { read } = world.open((first) => first.mark("e.0"));
  await read();
  const unread = world.streams.open(() => {
    throw new Error("nothing is fed after a drain");
  }, () => {});
  const last = read();
  await world.clock.settle();
  world.streams.drain();
  assertEquals(await last, end("Draining"));
  assertEquals(await read(), undefined);
  assertEquals([world.ended, world.streams.size], [["Draining"], 0]);
  // One that was opened before and is read after the drain ends at once.
  assertEquals(await unread.text(), end("Draining"));
  const error = assertThrows(() => world.open(), RefusedError);
  assertEquals([error.status, error.reason], [503, "Draining"]);
  world.streams.resume();
  await world.open().reader.cancel();
  assertEquals(world.clock.pending, 0);
});

Deno.test("EventStreams.open() ends a stream whose reader may read no more, also before it began", async () => {
  const world = new World();
  const access = new AbortController();
  const { read, reader } = world.open((sink) => sink.send(event("first")), access.signal);
  await read();
  access.abort();
  assertEquals(await read(), end("AccessEnded"));
  assertEquals((await reader.read()).done, true);
  assertEquals([world.ended, world.stopped, world.streams.size], [["AccessEnded"], 1, 0]);
  const late = world.open((sink) => sink.send(event("never")), access.signal);
  assertEquals(await late.read(), end("AccessEnded"));
  assertEquals([world.streams.size, world.stopped], [0, 1]);
});
