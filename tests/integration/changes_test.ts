/**
 * The stream of changes over real sockets, with the engine behind it. What a user would lose: seeing
 * a saved file's effect at once, with its cause, and a process that ends although streams are open.
 */

import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { parse } from "valibot";
import { type ChangeEvent, ChangeEventSchema } from "../../src/api/changes.ts";
import { OpenApiDocumentSchema } from "../../src/api/openapi_document.ts";
import { PlanSchema } from "../../src/api/plan.ts";
import { RequestExplanationSchema } from "../../src/api/explain.ts";
import { StateSummarySchema } from "../../src/api/state.ts";
import { askRunning } from "../../src/app/ask_running.ts";
import { createHostPolicy } from "../../src/auth/host_guard.ts";
import { systemClock } from "../../src/base/clock.ts";
import { changeStreamPaths, createChangeGroup } from "../../src/http/change_routes.ts";
import type { EventSink } from "../../src/http/event_sink.ts";
import { defaultEventStreamLimits, EventStreams } from "../../src/http/event_streams.ts";
import { defaultHttpLimits } from "../../src/http/http_limits.ts";
import { HttpServer } from "../../src/http/server.ts";
import { ApiClient, type ApiEvent } from "../fakes/api_client.ts";
import { createTestApi } from "../fakes/http_api.ts";
import { withProcess } from "../fakes/running_process.ts";
import { webManifests as base, webRoute } from "../fakes/web_manifests.ts";

const route = (path: string): string => webRoute("a", path);

const manifests = { base, route: route("/a") };

/** The first change whose path holds `path`. */
async function findChange(
  events: AsyncGenerator<ApiEvent>,
  path: string,
): Promise<ChangeEvent> {
  for (;;) {
    const { value, done } = await events.next();
    if (done) throw new Error("the stream ended before the change came");
    const { event, id, data } = value;
    if (event !== "change") continue;
    const found = parse(ChangeEventSchema, JSON.parse(data));
    assertEquals(found.revision, id);
    if (found.changes.some((change) => change.path.includes(path))) return found;
  }
}

Deno.test("/api/v1/changes shows what a saved file changes, and because of what", async () => {
  await withProcess(manifests, async ({ api, save }) => {
    const client = new ApiClient(api);
    const events = await client.stream("/api/v1/changes");
    await save("route", route("/b"));
    const { changes, causes, revision } = await findChange(events, "served[default/web/http]");
    const [change] = changes.filter(({ path }) => path.startsWith("served["));
    assertEquals([change?.kind, change?.name], ["HTTPRoute", "a"]);
    assertStringIncludes(JSON.stringify(change?.before), `"/a"`);
    assertStringIncludes(JSON.stringify(change?.after), `"/b"`);
    assertEquals(causes.map(({ kind, name }) => `${kind} ${name}`), ["HTTPRoute a"]);
    await events.return(undefined);
    // Taken up again from before it, the same change comes again.
    const [epoch, count] = revision.split(".");
    const again = await client.stream(`/api/v1/changes?since=${epoch}.${Number(count) - 1}`);
    assertEquals((await findChange(again, "served[")).revision, revision);
    await again.return(undefined);
  });
});

Deno.test("a stream of changes ends with a reason when the process does", async () => {
  await withProcess(manifests, async ({ api, stop }) => {
    const all = Array.fromAsync(await new ApiClient(api).stream("/api/v1/changes"));
    await stop();
    const last = (await all).at(-1);
    assertEquals([last?.event, last?.data], ["end", `{"reason":"Draining"}`]);
  });
});

/** Requests that are refused, and why. */
const problems: readonly (readonly [path: string, reason: string])[] = [
  ["/api/v2", "NotFound"],
  ["/livez?x=1", "UnknownParameter"],
  ["/api/v1/state/gateways?limit=1&limit=2", "DuplicateParameter"],
  ["/api/v1/state/gateways?limit=0", "InvalidParameter"],
  ["/api/v1/state/nothing", "UnknownKind"],
  ["/api/v1/state/gateways/default/none", "NotFound"],
  ["/api/v1/state/gateways/none", "NotFound"],
  ["/api/v1/proxy?gateway=a/b", "NotFound"],
  ["/api/v1/explain/request", "MissingParameter"],
  ["/api/v1/explain/nothing/a/b", "UnknownKind"],
  ["/api/v1/explain/gateways/a/b", "NotFound"],
  ["/api/v1/explain/services/default/app", "NoStatus"],
  ["/api/v1/changes?since=1", "InvalidParameter"],
];

Deno.test("the answers of a whole process have the shapes that its document promises", async () => {
  await withProcess(manifests, async ({ api }) => {
    const client = new ApiClient(api);
    const read = (path: string, init?: RequestInit): Promise<unknown> => client.json(path, init);
    for (const path of ["/", "/livez", "/readyz", "/readyz?verbose", "/metrics", "/api/v1/proxy"]) {
      for (const accept of ["*/*", "application/json", "text/html"]) {
        const response = await client.request(path, { headers: { accept } });
        assertEquals(response.status, 200, path);
      }
    }
    for (
      const kind of ["gc/weir", "gateways/default/web", "httproute/default/a", "svc/default/app"]
    ) {
      await read(`/api/v1/state/${kind}`);
    }
    for (const kind of ["gateways", "svc?limit=1", "secrets", "namespaces"]) {
      await read(`/api/v1/state/${kind}`);
    }
    for (const [path, reason] of problems) {
      assertEquals((await (await client.request(path)).json()).reason, reason, path);
    }
    parse(StateSummarySchema, await read("/api/v1/state"));
    const explained = parse(
      RequestExplanationSchema,
      await read("/api/v1/explain/request?host=x&path=/a&port=8080"),
    );
    assertEquals([explained.decision, explained.route], ["backend", "default/a"]);
    const question = {
      method: "GET",
      host: "x",
      path: "/a",
      port: 8080,
      gateway: "default/web",
      headers: [{ name: "a", value: "b c" }],
    };
    assertEquals((await askRunning({ origin: api }, question)).route, "default/a");
    await assertRejects(() => askRunning({ origin: `${api}/#` }, question), Error, "is not JSON");
    await assertRejects(
      () => askRunning({ origin: api }, { ...question, path: "a" }),
      Error,
      `it answered 400: Read query: "path" does not begin`,
    );
    const plan = parse(
      PlanSchema,
      await read("/api/v1/plan", {
        method: "POST",
        headers: { "content-type": "application/yaml" },
        body: route("/c"),
      }),
    );
    assertEquals([plan.verdict, plan.problemCount], ["changed", 0]);
    assertEquals(plan.baseRevision.split(".")[0], explained.revision.split(".")[0]);
    // Nothing of the plan is there.
    const after = await read("/api/v1/explain/request?host=x&path=/c&port=8080");
    assertEquals(parse(RequestExplanationSchema, after).decision, "404");
    const { paths } = parse(OpenApiDocumentSchema, await read("/openapi.json"));
    const known = [
      ...["/api/v1/explain/request", "/api/v1/explain/{kind}/{namespace}/{name}"],
      ...["/api/v1/explain/{kind}/{name}", "/api/v1/plan", "/api/v1/changes"],
    ];
    assertEquals(known.filter((path) => paths[path] === undefined), []);
  });
});

Deno.test("/api/v1/changes cuts a client that stops reading", async () => {
  const ended = Promise.withResolvers<string>();
  const limits = { ...defaultEventStreamLimits, endTimeoutMs: 100 };
  const streams = new EventStreams(systemClock, limits, ended.resolve);
  const sinks: EventSink[] = [];
  const group = createChangeGroup({
    follow(_since, sink) {
      sinks.push(sink);
      sink.mark("e.1");
      return () => {};
    },
  }, streams);
  const { app, log } = createTestApi([group]);
  const listening = Promise.withResolvers<string>();
  const server = new HttpServer({
    name: "api",
    host: "127.0.0.1",
    port: 0,
    flag: "--api-address",
    policy: createHostPolicy([]),
    app,
    limits: defaultHttpLimits,
    streamPaths: changeStreamPaths,
    clock: systemClock,
    log,
    onListening: listening.resolve,
  });
  const controller = new AbortController();
  const run = server.run(controller.signal);
  const { hostname, port } = new URL(await listening.promise);
  const client = await Deno.connect({ hostname, port: Number(port) });
  try {
    const request = `GET /api/v1/changes HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`;
    await client.write(new TextEncoder().encode(request));
    await client.read(new Uint8Array(4096));
    // More than the buffers of two sockets and the stream hold together.
    for (let sent = 0; sent < 64 && streams.size > 0; sent++) {
      sinks[0]?.send({ event: "change", data: "x".repeat(512 * 1024) });
      await systemClock.sleep(1);
    }
    assertEquals(await ended.promise, "TooSlow");
    while (server.connectionCount > 0) await systemClock.sleep(5);
    assertEquals(log.records.filter(({ level }) => level === "error"), []);
  } finally {
    client.close();
    controller.abort();
    await run;
  }
});
