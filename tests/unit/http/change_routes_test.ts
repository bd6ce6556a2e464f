// What a user would lose: a stream that any SSE client can follow and take up again.

import { assertEquals } from "@std/assert";
import { createChangeGroup } from "../../../src/http/change_routes.ts";
import { EventStreams } from "../../../src/http/event_streams.ts";
import { FakeClock } from "../../fakes/fake_clock.ts";
import { createTestApi } from "../../fakes/http_api.ts";

/** An API whose stream sends its `since` and ends. */
function api() {
  const streams = new EventStreams(new FakeClock());
  const asked: (string | undefined)[] = [];
  const group = createChangeGroup({
    follow(since, sink) {
      asked.push(since);
      sink.send({ event: "change", id: "e.1", data: "{}" });
      return () => {};
    },
  }, streams);
  return { ...createTestApi([group]), streams, asked };
}

Deno.test("/api/v1/changes goes on from since, and from Last-Event-ID before it", async () => {
  const { app, asked } = api();
  const cases: readonly [query: string, header: string, wanted: string | undefined][] = [
    ["", "", undefined],
    ["?since=e1.7", "", "e1.7"],
    ["?since=e1.7", "e1.9", "e1.9"],
    ["?since=e1.7", "nonsense", "e1.7"],
  ];
  for (const [query, header] of cases) {
    const response = await app.request(`/api/v1/changes${query}`, {
      headers: header === "" ? {} : { "last-event-id": header },
    });
    assertEquals(response.headers.get("content-type"), "text/event-stream");
    assertEquals(response.headers.get("cache-control"), "no-store");
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
  }
  assertEquals(asked, cases.map(([, , wanted]) => wanted));
});

Deno.test("/api/v1/changes refuses what is no revision", async () => {
  const { app, asked } = api();
  const response = await app.request("/api/v1/changes?since=7");
  assertEquals([response.status, (await response.json()).reason], [400, "InvalidParameter"]);
  assertEquals(asked, []);
});

Deno.test("HEAD /api/v1/changes opens no stream", async () => {
  const { app, streams, asked } = api();
  const response = await app.request("/api/v1/changes", { method: "HEAD" });
  assertEquals([response.status, streams.size, asked.length], [200, 0, 0]);
});
