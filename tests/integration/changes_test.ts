/**
 * The stream of changes over real sockets, with the engine behind it. What a user would lose: seeing
 * a saved file's effect at once, with its cause, and a process that ends although streams are open.
 */

import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { parse } from "valibot";
import { type ChangeEvent, ChangeEventSchema } from "../../src/api/changes.ts";
import { PlanSchema } from "../../src/api/plan.ts";
import { RequestExplanationSchema } from "../../src/api/explain.ts";
import { StateSummarySchema } from "../../src/api/state.ts";
import { askRunning } from "../../src/app/ask_running.ts";
import { compose } from "../../src/app/compose.ts";
import { createHostPolicy } from "../../src/auth/host_guard.ts";
import { systemClock } from "../../src/base/clock.ts";
import { noLog } from "../../src/base/log.ts";
import { decodeSettings } from "../../src/config/decode_settings.ts";
import { flags } from "../../src/config/flags.ts";
import { readArguments } from "../../src/config/read_arguments.ts";
import { changeStreamPaths, createChangeGroup } from "../../src/http/change_routes.ts";
import type { EventSink } from "../../src/http/event_sink.ts";
import { defaultEventStreamLimits, EventStreams } from "../../src/http/event_streams.ts";
import { defaultHttpLimits } from "../../src/http/http_limits.ts";
import { HttpServer } from "../../src/http/server.ts";
import { createTestApi } from "../fakes/http_api.ts";
import { scriptedPlanThreads } from "../fakes/plan_thread.ts";

const base = `
apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: { name: weir }
spec: { controllerName: weir.dev/gateway-controller }
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: web }
spec:
  gatewayClassName: weir
  listeners: [{ name: http, port: 8080, protocol: HTTP }]
---
apiVersion: v1
kind: Service
metadata: { name: app, annotations: { weir.dev/endpoints: "127.0.0.1:3000" } }
spec: { ports: [{ port: 80 }] }
`;

const route = (path: string): string => `
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: a }
spec:
  parentRefs: [{ name: web }]
  rules: [{ matches: [{ path: { value: ${path} } }], backendRefs: [{ name: app, port: 80 }] }]
`;

interface Running {
  readonly api: string;
  /** Replaces the file of the route. */
  save(text: string): Promise<void>;
  /** Ends the process and waits for it. */
  stop(): Promise<void>;
}

/** A whole process without a data plane, for the time of `test`. */
async function withProcess(test: (running: Running) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "weir-changes-" });
  await Deno.writeTextFile(`${folder}/base.yaml`, base);
  await Deno.writeTextFile(`${folder}/route.yaml`, route("/a"));
  const { layer } = readArguments(flags, [
    `--manifests=${folder}`,
    "--data-plane=none",
    "--api-address=127.0.0.1:0",
  ]);
  const composition = compose(decodeSettings(flags, [layer]).settings, {
    clock: systemClock,
    log: noLog,
    random: () => 0.5,
    newId: () => crypto.randomUUID(),
    version: "0.0.0-test",
    readTextFile: () => Promise.reject(new Error("no file is named")),
    writeSecretFile: () => Promise.resolve(),
    writeAccessLog: () => {},
    startPlanThread: scriptedPlanThreads().start,
  });
  const { runner, subsystems } = composition;
  const controller = new AbortController();
  const run = runner.run(subsystems, controller.signal);
  const stop = async (): Promise<void> => {
    controller.abort();
    assertEquals(await run, { ok: true });
  };
  try {
    await runner.untilReady(AbortSignal.timeout(20_000));
    await test({
      api: composition.apiUrl() ?? "",
      save: (text) => Deno.writeTextFile(`${folder}/route.yaml`, text),
      stop,
    });
  } finally {
    await stop();
    await Deno.remove(folder, { recursive: true });
  }
}

/** The events of a stream, without marks and comments. */
async function* eventsOf(response: Response): AsyncGenerator<Record<string, string>> {
  let text = "";
  assert(response.body);
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    text += piece;
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const fields = text.slice(0, end).split("\n").map((line) => {
        const colon = line.indexOf(": ");
        return [line.slice(0, colon), line.slice(colon + 2)];
      });
      text = text.slice(end + 2);
      const event: Record<string, string> = Object.fromEntries(fields);
      if (event["event"] !== undefined) yield event;
    }
  }
}

/** The first change whose path holds `path`. */
async function findChange(
  events: AsyncGenerator<Record<string, string>>,
  path: string,
): Promise<ChangeEvent> {
  for (;;) {
    const { value, done } = await events.next();
    if (done) throw new Error("the stream ended before the change came");
    const { event, id, data = "" } = value;
    if (event !== "change") continue;
    const found = parse(ChangeEventSchema, JSON.parse(data));
    assertEquals(found.revision, id);
    if (found.changes.some((change) => change.path.includes(path))) return found;
  }
}

Deno.test("/api/v1/changes shows what a saved file changes, and because of what", async () => {
  await withProcess(async ({ api, save }) => {
    const events = eventsOf(await fetch(`${api}/api/v1/changes`));
    await save(route("/b"));
    const { changes, causes, revision } = await findChange(events, "served[default/web/http]");
    const [change] = changes.filter(({ path }) => path.startsWith("served["));
    assertEquals([change?.kind, change?.name], ["HTTPRoute", "a"]);
    assertStringIncludes(JSON.stringify(change?.before), `"/a"`);
    assertStringIncludes(JSON.stringify(change?.after), `"/b"`);
    assertEquals(causes.map(({ kind, name }) => `${kind} ${name}`), ["HTTPRoute a"]);
    await events.return(undefined);
    // Taken up again from before it, the same change comes again.
    const [epoch, count] = revision.split(".");
    const again = eventsOf(
      await fetch(`${api}/api/v1/changes?since=${epoch}.${Number(count) - 1}`),
    );
    assertEquals((await findChange(again, "served[")).revision, revision);
    await again.return(undefined);
  });
});

Deno.test("a stream of changes ends with a reason when the process does", async () => {
  await withProcess(async ({ api, stop }) => {
    const events = eventsOf(await fetch(`${api}/api/v1/changes`));
    const all = Array.fromAsync(events);
    await stop();
    const last = (await all).at(-1);
    assertEquals([last?.event, last?.data], ["end", `{"reason":"Draining"}`]);
  });
});

Deno.test("the answers of a whole process have the shapes that its document promises", async () => {
  await withProcess(async ({ api }) => {
    const read = async (path: string, init?: RequestInit): Promise<unknown> => {
      const response = await fetch(api + path, init);
      assertEquals(response.status, 200, path);
      return await response.json();
    };
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
    assertEquals((await askRunning(api, question)).route, "default/a");
    await assertRejects(() => askRunning(`${api}/#`, question), Error, "is not JSON");
    await assertRejects(
      () => askRunning(api, { ...question, path: "a" }),
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
    const { paths } = await (await fetch(`${api}/openapi.json`)).json();
    const known = ["/api/v1/explain/request", "/api/v1/plan", "/api/v1/changes"];
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
