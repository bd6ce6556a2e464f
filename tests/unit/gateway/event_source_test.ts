/** A key that is lost is a status that stays wrong for ever (envoyproxy/gateway#9536). */

import { assertEquals } from "@std/assert";
import { EventSource } from "../../../src/gateway/event_source.ts";

function collector(): { readonly keys: string[]; readonly add: (key: string) => void } {
  const keys: string[] = [];
  return { keys, add: (key) => keys.push(key) };
}

Deno.test("EventSource.start() hands over keys enqueued before it, each once, in order", () => {
  const source = new EventSource<string>();
  source.enqueue(["b", "a"]);
  source.enqueue(["a", "c", "b"]);
  assertEquals(source.depth, 3);
  const consumer = collector();
  source.start(consumer);
  assertEquals(consumer.keys, ["b", "a", "c"]);
  assertEquals(source.depth, 0);
});

Deno.test("EventSource hands later keys to every consumer at once", () => {
  const source = new EventSource<string>();
  const [first, second] = [collector(), collector()];
  source.start(first);
  source.start(second);
  source.enqueue(["a"]);
  assertEquals([first.keys, second.keys], [["a"], ["a"]]);
});

Deno.test("EventSource keeps keys again when its last consumer stopped", () => {
  const source = new EventSource<string>();
  const stop = source.start(collector());
  stop();
  stop();
  source.enqueue(["late"]);
  const next = collector();
  source.start(next);
  assertEquals(next.keys, ["late"]);
});

Deno.test("EventSource does not lose a key that is enqueued while it hands over", () => {
  const source = new EventSource<string>();
  source.enqueue(["a"]);
  const seen: string[] = [];
  source.start({
    add(key) {
      seen.push(key);
      if (key === "a") source.enqueue(["b"]);
    },
  });
  assertEquals(seen, ["a", "b"]);
});
