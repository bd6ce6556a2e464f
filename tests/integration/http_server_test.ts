/**
 * The API's server on loopback, spoken to byte by byte. What a user would lose if these failed: an
 * API that hostile or broken clients can neither enter, nor fill, nor hold up, and a clean end.
 */

import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { createHostPolicy } from "../../src/auth/host_guard.ts";
import { systemClock } from "../../src/base/clock.ts";
import { ListenError } from "../../src/http/listen.ts";
import type { Route } from "../../src/http/route_group.ts";
import { HttpServer, type HttpServerOptions } from "../../src/http/server.ts";
import { defaultHttpLimits } from "../../src/http/http_limits.ts";
import { FakeClock } from "../fakes/fake_clock.ts";
import { createTestApi, type TestApi } from "../fakes/http_api.ts";
import { OpenApiCheck } from "../fakes/openapi_check.ts";
import { exchange, RawConnection } from "../fakes/raw_text.ts";

interface RunningApi extends TestApi {
  readonly server: HttpServer;
  readonly port: number;
  readonly refused: string[];
  /** Ends the server and waits for it. */
  stop(): Promise<void>;
}

/** Starts the API on a free port, gives it to `test`, and stops it. */
async function withApi(
  options: Partial<HttpServerOptions> & { readonly routes?: readonly Route[] },
  test: (api: RunningApi) => Promise<void>,
): Promise<void> {
  const { routes = [], ...rest } = options;
  const api = createTestApi([{ routes }]);
  const refused: string[] = [];
  const listening = Promise.withResolvers<string>();
  const server = new HttpServer({
    name: "api",
    host: "127.0.0.1",
    port: 0,
    flag: "--api-address",
    policy: createHostPolicy([]),
    app: api.app,
    limits: defaultHttpLimits,
    streamPaths: [],
    clock: systemClock,
    log: api.log,
    onListening: listening.resolve,
    onRefused: (reason) => refused.push(reason),
    ...rest,
  });
  const controller = new AbortController();
  const run = server.run(controller.signal);
  const stop = async (): Promise<void> => {
    controller.abort();
    await run;
  };
  try {
    const port = Number(new URL(await Promise.race([listening.promise, run.then(never)])).port);
    await test({ ...api, server, port, refused, stop });
  } finally {
    await stop();
  }
}

function never(): never {
  throw new Error("the server ended before it listened");
}

function get(path: string, ...headers: string[]): string {
  return `GET ${path} HTTP/1.1\r\n${headers.map((line) => `${line}\r\n`).join("")}\r\n`;
}

const document = new OpenApiCheck(
  await (await createTestApi().app.request("/openapi.json")).json(),
);

/** Holds an answer that came as text to the document; `request` is what was sent. */
function checkDocumented(request: string, answer: string): void {
  const [method = "GET", target = ""] = request.split(" ");
  const head = answer.slice(0, answer.indexOf("\r\n\r\n") + 4);
  const contentType = /\r\ncontent-type: ([^\r]*)/i.exec(head)?.[1] ?? "";
  const body = answer.slice(head.length);
  document.checkAnswer(method, target, { status: Number(answer.slice(9, 12)), contentType, body });
}

/** The problem at the end of an answer, which any request may get. */
function problemOf(answer: string): { status: number; reason: string } {
  checkDocumented("GET /any", answer);
  assertMatch(answer, /^HTTP\/1\.1 \d{3} [^\r]+\r\n/);
  assertStringIncludes(answer.toLowerCase(), "\r\ncontent-type: application/problem+json\r\n");
  assertStringIncludes(answer.toLowerCase(), "\r\nx-content-type-options: nosniff\r\n");
  const { status, reason } = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4));
  assertEquals(status, Number(answer.slice(9, 12)));
  return { status, reason };
}

const close = "Connection: close";
const ownHost = "Host: localhost:9080";

const guarded: readonly [string, string, string][] = [
  ["no Host", get("/livez", close), "400 HostMissing"],
  ["no Host in HTTP/1.0", "GET /livez HTTP/1.0\r\n\r\n", "400 HostMissing"],
  ["an empty Host", get("/livez", "Host:", close), "400 HostMissing"],
  ["two Hosts", get("/livez", ownHost, "Host: evil.example", close), "400 HostDuplicate"],
  ["the same Host twice", get("/livez", ownHost, ownHost, close), "400 HostDuplicate"],
  ["a malformed Host", get("/livez", "Host: local host", close), "400 HostMalformed"],
  ["a rebound name", get("/api/v1/state", "Host: evil.example", close), "403 HostNotAllowed"],
  [
    "a rebound name that begins well",
    get("/", "Host: localhost.evil.example:9080", close),
    "403 HostNotAllowed",
  ],
  [
    "an absolute target of another host",
    get("http://evil.example/livez", ownHost, close),
    "400 HostMismatch",
  ],
  [
    "a star as target",
    `OPTIONS * HTTP/1.1\r\n${ownHost}\r\n${close}\r\n\r\n`,
    "400 TargetMalformed",
  ],
  [
    "a page of a stranger",
    get("/api/v1/state", ownHost, "Origin: http://evil.example", close),
    "403 OriginNotAllowed",
  ],
  ["a sandboxed page", get("/livez", ownHost, "Origin: null", close), "403 OriginNotAllowed"],
  [
    "a form of a stranger without Origin",
    `POST /livez HTTP/1.1\r\n${ownHost}\r\nSec-Fetch-Site: cross-site\r\n${close}\r\n\r\n`,
    "403 CrossSiteRequest",
  ],
  [
    "a body where none belongs",
    `GET /livez HTTP/1.1\r\n${ownHost}\r\nContent-Length: 3\r\n\r\nabc`,
    "400 ContentNotExpected",
  ],
  ["no HTTP at all", "\x16\x03\x01\x02\x00\x01\r\n\r\n", "400 MalformedRequest"],
  [
    "two framings of a body",
    `POST / HTTP/1.1\r\n${ownHost}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    "400 MalformedRequest",
  ],
  [
    "huge headers",
    get("/livez", ownHost, `X-Huge: ${"x".repeat(20_000)}`, close),
    "431 HeadersTooLarge",
  ],
  ["a backslash in the path", get("/a\\b", ownHost, close), "400 MalformedRequest"],
];

Deno.test("HttpServer refuses what is no request of a friend, each with its reason", async () => {
  await withApi({}, async ({ port, refused, log }) => {
    const expectedRefusals: string[] = [];
    for (const [what, request, expected] of guarded) {
      const { status, reason } = problemOf(await exchange(port, request));
      assertEquals(`${status} ${reason}`, expected, what);
      if (what !== "a backslash in the path") expectedRefusals.push(reason);
    }
    assertEquals(refused, expectedRefusals);
    assertEquals(log.records, []);
  });
});

Deno.test("HttpServer answers those who may ask", async () => {
  await withApi({ policy: createHostPolicy(["*.example.com"]) }, async ({ port }) => {
    const hosts = [`127.0.0.1:${port}`, "localhost", "weir.localhost", "[::1]:1", "a.example.com"];
    for (const host of hosts) {
      const answer = await exchange(port, get("/livez", `Host: ${host}`, close));
      checkDocumented("GET /livez", answer);
      assertStringIncludes(answer, "HTTP/1.1 200 OK\r\n", host);
      assert(answer.endsWith("\r\n\r\nok\n"), host);
    }
    const sameOrigin = get("/livez", ownHost, "Origin: http://localhost:9080", close);
    assertStringIncludes(await exchange(port, sameOrigin), "HTTP/1.1 200 OK\r\n");
    const absolute = get("http://localhost:9080/livez", ownHost, close);
    assertStringIncludes(await exchange(port, absolute), "HTTP/1.1 200 OK\r\n");
    const head = `HEAD /api/v1/state HTTP/1.1\r\n${ownHost}\r\n${close}\r\n\r\n`;
    const answer = await exchange(port, head);
    checkDocumented(head, answer);
    assertStringIncludes(answer, "HTTP/1.1 200 OK\r\n");
    assert(answer.endsWith("\r\n\r\n"));
  });
});

Deno.test("HttpServer hands on bodies in every framing, and methods without one", async () => {
  await withApi({ routes: [echoLength] }, async ({ port, log }) => {
    const send = async (method: string, path: string, rest: string): Promise<string> => {
      const request = `${method} ${path} HTTP/1.1\r\n${ownHost}\r\n${close}\r\n${rest}`;
      const answer = await exchange(port, request);
      return `${answer.slice(9, 12)} ${answer.slice(answer.indexOf("\r\n\r\n") + 4)}`;
    };
    assertEquals(await send("POST", "/echo", "\r\n"), "200 0");
    assertEquals(await send("POST", "/echo", "Content-Length: 0\r\n\r\n"), "200 0");
    assertEquals(await send("POST", "/echo", "Content-Length: 4\r\n\r\nabcd"), "200 4");
    const chunked = "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";
    assertEquals(await send("POST", "/echo", chunked), "200 5");
    for (const method of ["POST", "PUT", "DELETE", "PATCH", "TRACE", "BREW"]) {
      for (const rest of ["\r\n", "Content-Length: 0\r\n\r\n"]) {
        const answer = await send(method, "/api/v1/state", rest);
        // llhttp refuses methods that are not registered.
        assertEquals(answer.slice(0, 3), method === "BREW" ? "400" : "405", method);
      }
    }
    assertEquals((await send("OPTIONS", "/api/v1/state", "\r\n")).slice(0, 3), "204");
    assertEquals((await send("POST", "/api/v1/state", chunked)).slice(0, 3), "405");
    assertEquals(log.records, []);
  });
});

Deno.test("HttpServer answers pipelined requests in order, each on its own merits", async () => {
  await withApi({}, async ({ port }) => {
    const answer = await exchange(
      port,
      get("/livez", ownHost) + get("/livez", "Host: evil.example") + get("/none", ownHost) +
        get("/readyz", ownHost, close),
    );
    const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status);
    assertEquals(statuses, ["200", "403", "404", "200"]);
  });
});

Deno.test("HttpServer cuts slow headers and slow bodies with 408", async () => {
  const limits = { ...defaultHttpLimits, headersTimeoutMs: 100, requestTimeoutMs: 200 };
  await withApi({ limits, routes: [echoLength] }, async ({ port, log }) => {
    const answers = await Promise.all([
      exchange(port, `GET /livez HTTP/1.1\r\n${ownHost}\r\nX-Slow: `),
      exchange(port, `POST /echo HTTP/1.1\r\n${ownHost}\r\nContent-Length: 10\r\n\r\nabc`),
    ]);
    for (const answer of answers) {
      assertEquals(problemOf(answer), { status: 408, reason: "RequestTimeout" });
    }
    assertEquals(log.records.filter(({ level }) => level === "error"), []);
  });
});

const echoLength: Route = {
  method: "POST",
  path: "/echo",
  summary: "Says how long",
  parameters: [],
  responses: [],
  problems: {},
  handle: async ({ readText }) => new Response(`${(await readText()).length}`),
};

Deno.test("HttpServer answers 413 to a body that is too large, and the client can read it", async () => {
  const limits = { ...defaultHttpLimits, bodyMaxBytes: 1024 };
  await withApi({ limits, routes: [echoLength] }, async ({ port }) => {
    const head = `POST /echo HTTP/1.1\r\n${ownHost}\r\n`;
    const announced = `${head}Content-Length: 3000000\r\n\r\n${"x".repeat(3_000_000)}`;
    const chunk = `${(60_000).toString(16)}\r\n${"x".repeat(60_000)}\r\n`;
    const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(50)}0\r\n\r\n`;
    const expecting = `${head}Expect: 100-continue\r\nContent-Length: 3000000\r\n\r\n`;
    for (const request of [announced, chunked, expecting]) {
      const answer = await exchange(port, request);
      assertEquals(problemOf(answer), { status: 413, reason: "ContentTooLarge" });
    }
    const small = `${head}Expect: 100-continue\r\nContent-Length: 3\r\n${close}\r\n\r\nabc`;
    assertMatch(
      await exchange(port, small),
      /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK.*\r\n\r\n3$/s,
    );
  });
});

Deno.test("HttpServer cuts a client that goes on with a body which nobody wants", async () => {
  const clock = new FakeClock();
  const limits = { ...defaultHttpLimits, bodyMaxBytes: 1024 };
  await withApi({ clock, limits, routes: [echoLength] }, async ({ port }) => {
    const head = `POST /echo HTTP/1.1\r\n${ownHost}\r\n`;
    using announced = await RawConnection.open(port);
    await announced.send(`${head}Content-Length: 3000000\r\n\r\nabc`);
    using chunked = await RawConnection.open(port);
    await chunked.send(`${head}Transfer-Encoding: chunked\r\n\r\n7d0\r\n${"x".repeat(2000)}\r\n`);
    using unread = await RawConnection.open(port);
    await unread.send(`POST /none HTTP/1.1\r\n${ownHost}\r\nContent-Length: 9\r\n\r\nabc`);
    for (const connection of [announced, chunked, unread]) await connection.readUntil("}\n");
    // The wait begins when the server has handed its answer to the system, which may be a turn of
    // the event loop after the client has read it.
    let areOpen = true;
    const ends = Promise.all([announced, chunked, unread].map((one) => one.readToEnd()))
      .finally(() => areOpen = false);
    while (areOpen) {
      await clock.advance(500);
      await new Promise((resolve) => setImmediate(resolve));
    }
    assertEquals(await ends, ["", "", ""]);
  });
});

Deno.test("HttpServer closes connections beyond the limit and serves the others", async () => {
  const limits = { ...defaultHttpLimits, connectionsMax: 2 };
  await withApi({ limits }, async ({ port, server }) => {
    using first = await RawConnection.open(port);
    using second = await RawConnection.open(port);
    for (const connection of [first, second]) {
      await connection.send(get("/livez", ownHost));
      await connection.readUntil("ok\n");
    }
    assertEquals(server.connectionCount, 2);
    assertEquals(await exchange(port, get("/livez", ownHost)), "");
    await first.send(get("/livez", ownHost));
    await first.readUntil("ok\n");
  });
});

Deno.test("HttpServer.drain() reports unready and sends clients away, still answering", async () => {
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const slow: Route = {
    ...echoLength,
    method: "GET",
    path: "/slow",
    handle: async () => {
      asked.resolve();
      await released.promise;
      return new Response("late");
    },
  };
  await withApi({ routes: [slow] }, async ({ port, server, stop }) => {
    using busy = await RawConnection.open(port);
    using idle = await RawConnection.open(port);
    await idle.send(get("/livez", ownHost));
    await idle.readUntil("ok\n");
    await busy.send(get("/slow", ownHost));
    await asked.promise;
    assertEquals(server.ready().ready, true);

    const draining = server.drain(AbortSignal.timeout(60_000));
    assertEquals(server.ready(), { ready: false, reason: "is draining before the end" });
    assertEquals(await idle.readToEnd(), "");
    const during = await exchange(port, get("/livez", ownHost));
    assertMatch(during, /^HTTP\/1\.1 200 OK\r\n/);
    assertMatch(during.toLowerCase(), /\r\nconnection: close\r\n/);

    released.resolve();
    const late = await busy.readToEnd();
    assertMatch(late.toLowerCase(), /\r\nconnection: close\r\n/);
    assert(late.endsWith("late"), late);
    await draining;
    await stop();
    assertEquals(server.ready(), { ready: false, reason: "is draining before the end" });
    await assertRejects(() => RawConnection.open(port), Deno.errors.ConnectionRefused);
  });
});

Deno.test("HttpServer.run() cuts what is still in flight after the grace period", async () => {
  const asked = Promise.withResolvers<void>();
  const hanging: Route = {
    ...echoLength,
    method: "GET",
    path: "/hang",
    handle: () => {
      asked.resolve();
      return new Promise<Response>(() => {});
    },
  };
  const limits = { ...defaultHttpLimits, stopTimeoutMs: 50 };
  await withApi({ routes: [hanging], limits }, async ({ port, server, stop }) => {
    using connection = await RawConnection.open(port);
    using silent = await RawConnection.open(port);
    await connection.send(get("/hang", ownHost));
    await asked.promise;
    await server.drain(AbortSignal.timeout(10));
    await stop();
    assertEquals(await connection.readToEnd(), "");
    assertEquals(await silent.readToEnd(), "");
  });
});

Deno.test("HttpServer.run() names address and flag when the port is taken", async () => {
  await withApi({}, async ({ port }) => {
    const second = withApi({ port }, () => Promise.resolve());
    const error = await assertRejects(() => second, ListenError);
    assertEquals(
      error.message,
      `Listen: "127.0.0.1:${port}" is in use by another process, ` +
        "wanted an address to listen on (set --api-address)",
    );
  });
});

Deno.test("HttpServer.run() comes back on the same free port when it is run again", async () => {
  await withApi({}, async ({ server, port, stop }) => {
    await stop();
    assertEquals(server.url, undefined);
    const controller = new AbortController();
    const again = server.run(controller.signal);
    const answer = await retry(() => exchange(port, get("/livez", ownHost, close)));
    assertStringIncludes(answer, "200 OK");
    assertEquals(server.ready().ready, true);
    controller.abort();
    await again;
  });
});

/** Tries until the port listens; each try yields to the event loop. */
async function retry(attempt: () => Promise<string>): Promise<string> {
  for (let tries = 0;; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (tries >= 100) throw error;
    }
  }
}
