/**
 * What a user would lose if these failed: error answers that a script can read, an API that says what
 * there is, and errors in the log once, never in the answer.
 */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { parse } from "valibot";
import { ProblemSchema } from "../../../src/api/problem.ts";
import type { Route } from "../../../src/http/route_group.ts";
import { createTestApi } from "../../fakes/http_api.ts";

const failing: Route = {
  method: "GET",
  path: "/boom",
  summary: "Fails",
  parameters: [{ name: "why", in: "query", description: "Why" }],
  responses: [],
  problems: {},
  handle: () => {
    throw new Error("password hunter2 in /etc/passwd");
  },
};
const posting: Route = {
  ...failing,
  method: "POST",
  path: "/posts",
  responses: [{ status: 200, description: "The body", content: { "text/plain": "text" } }],
  handle: async ({ readText }) => new Response(await readText()),
};

Deno.test("An unknown path is a 404 problem", async () => {
  const { app, log } = createTestApi();
  const response = await app.request("/nothing/here?x=1");
  assertEquals(response.status, 404);
  assertEquals(response.headers.get("content-type"), "application/problem+json");
  assertEquals(parse(ProblemSchema, await response.json()), {
    type: "about:blank",
    title: "Not Found",
    status: 404,
    detail: "Find route: there is none at this path, wanted one of those at /",
    instance: "/nothing/here",
    reason: "NotFound",
  });
  assertEquals(log.records, []);
});

Deno.test("A known path with another method is a 405 problem with Allow", async () => {
  const { app } = createTestApi([{ routes: [posting] }]);
  for (
    const [method, path, allow] of [
      ["POST", "/api/v1/state", "GET, HEAD, OPTIONS"],
      ["DELETE", "/api/v1/state/gateways/a/b", "GET, HEAD, OPTIONS"],
      ["GET", "/posts", "POST, OPTIONS"],
      ["BREW", "/livez", "GET, HEAD, OPTIONS"],
    ] as const
  ) {
    const response = await app.request(path, { method });
    assertEquals(response.status, 405, `${method} ${path}`);
    assertEquals(response.headers.get("allow"), allow);
    assertEquals(parse(ProblemSchema, await response.json()).reason, "MethodNotAllowed");
  }
});

Deno.test("OPTIONS says what a path allows, and grants no other origin anything", async () => {
  const { app } = createTestApi();
  const response = await app.request("/api/v1/state", { method: "OPTIONS" });
  assertEquals(response.status, 204);
  assertEquals(response.headers.get("allow"), "GET, HEAD, OPTIONS");
  assertEquals([...response.headers.keys()].filter((name) => name.startsWith("access-")), []);
});

Deno.test("A failing handler is a 500 problem without its error, which is logged once", async () => {
  const { app, log } = createTestApi([{ routes: [failing] }]);
  const response = await app.request("/boom");
  const body = await response.text();
  assertEquals(response.status, 500);
  assertEquals(parse(ProblemSchema, JSON.parse(body)).reason, "InternalError");
  assertEquals(/hunter2|passwd|app_test|at /.test(body), false, body);
  assertEquals(log.records.length, 1);
  const [record] = log.records;
  assertEquals([record?.level, record?.message], ["error", "API request failed"]);
  assertEquals([record?.fields["method"], record?.fields["path"]], ["GET", "/boom"]);
});

Deno.test("Every answer carries the security headers, errors too", async () => {
  const { app } = createTestApi([{ routes: [failing] }]);
  for (
    const path of ["/", "/livez", "/metrics", "/api/v1/state", "/openapi.json", "/no", "/boom"]
  ) {
    const { headers } = await app.request(path);
    assertEquals(headers.get("x-content-type-options"), "nosniff", path);
    assertEquals(headers.get("cache-control"), "no-store", path);
    assertEquals(
      headers.get("content-security-policy"),
      "default-src 'none'; frame-ancestors 'none'",
      path,
    );
  }
});

Deno.test("HEAD answers like GET without a body", async () => {
  const { app } = createTestApi();
  for (const [path, status] of [["/livez", 200], ["/api/v1/state", 200], ["/no", 404]] as const) {
    const response = await app.request(path, { method: "HEAD" });
    assertEquals(response.status, status);
    assertEquals(response.headers.get("x-content-type-options"), "nosniff");
    assertEquals(await response.text(), "");
  }
});

Deno.test("A misspelt query parameter is refused with the nearest name", async () => {
  const { app } = createTestApi();
  const response = await app.request("/api/v1/state/httproutes?namespcae=a");
  assertEquals(response.status, 400);
  const problem = parse(ProblemSchema, await response.json());
  assertEquals(problem.reason, "UnknownParameter");
  assertStringIncludes(problem.detail, 'did you mean "namespace"?');
  for (const query of ["__proto__=1", "toString=1", "limit=1&limit=2"]) {
    assertEquals((await app.request(`/api/v1/state/httproutes?${query}`)).status, 400, query);
  }
});

Deno.test("A body beyond the limit is a 413 problem, announced or not", async () => {
  const { app } = createTestApi([{ routes: [posting] }]);
  const send = (body: BodyInit): Promise<Response> =>
    Promise.resolve(app.request("/posts", { method: "POST", body }));
  assertEquals(await (await send("x".repeat(1024))).text(), "x".repeat(1024));
  const tooLarge = await send("x".repeat(1025));
  assertEquals(tooLarge.status, 413);
  assertEquals(parse(ProblemSchema, await tooLarge.json()).reason, "ContentTooLarge");
  const chunks = ReadableStream.from(["x".repeat(1000), "x".repeat(1000)])
    .pipeThrough(new TextEncoderStream());
  assertEquals((await send(chunks)).status, 413);
});

Deno.test("A body that is no text is a 400 problem, an absent one is empty", async () => {
  const { app } = createTestApi([{ routes: [posting] }]);
  const broken = await app.request("/posts", {
    method: "POST",
    body: new Uint8Array([0xc3, 0x28]),
  });
  assertEquals(parse(ProblemSchema, await broken.json()).reason, "MalformedContent");
  const empty = await app.request("/posts", { method: "POST" });
  assertEquals([empty.status, await empty.text()], [200, ""]);
});

Deno.test("/ lists every route as text, and as a page for a browser", async () => {
  const { app } = createTestApi();
  const text = await (await app.request("/")).text();
  assertStringIncludes(text, "\nGET /api/v1/state/{kind}/{namespace}/{name}\n    One object\n");
  assertStringIncludes(text, "\nGET /openapi.json\n");
  assertEquals(text.split("\n").filter((line) => line.length > 80), []);
  const browser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
  const page = await app.request("/", { headers: browser });
  assertEquals(page.headers.get("content-type"), "text/html; charset=utf-8");
  assertStringIncludes(await page.text(), '<a href="/api/v1/state">/api/v1/state</a>');
});

Deno.test("/openapi.json describes exactly the routes that exist", async () => {
  const { app } = createTestApi([{ routes: [posting] }]);
  const response = await app.request("/openapi.json");
  const document: { openapi: string; paths: Record<string, Record<string, unknown>> } =
    await response.json();
  assertEquals(document.openapi, "3.1.0");
  const described = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`)
  );
  const served = app.routes
    .filter(({ method, path }) => method !== "ALL" && path !== "/*")
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`);
  assertEquals(described.sort(), served.sort());
});

Deno.test("Requests are counted by route pattern, never by what the client wrote", async () => {
  const { app, registry } = createTestApi();
  await app.request("/api/v1/state/gateways/ns-of-a-user/name-of-a-user");
  await app.request("/made/up");
  await app.request("/livez", { method: "BREW" });
  const text = registry.render();
  assertStringIncludes(
    text,
    'weir_api_requests_total{route="/api/v1/state/{kind}/{namespace}/{name}",method="GET",code="404"} 1',
  );
  assertStringIncludes(
    text,
    'weir_api_requests_total{route="none",method="GET",code="404"} 1',
  );
  assertStringIncludes(
    text,
    'weir_api_requests_total{route="/livez",method="other",code="405"} 1',
  );
  assertStringIncludes(text, 'weir_api_request_seconds_count{route="none"} 1\n');
  assertEquals(/a-user|made|BREW/.test(text), false);
});
