/**
 * What a user would lose: the service, or a header line that guards a backend, to one client that
 * sends what is allowed by the letter and meant to hurt.
 */

import { assert, assertEquals } from "@std/assert";
import { backend, ProxyWorld, routeTo } from "../fakes/proxy_world.ts";
import { exchange, RawClient, valuesOf } from "../fakes/raw_http.ts";
import { answering, reply, replyWith, Upstream } from "../fakes/upstream.ts";

Deno.test("proxy has one request of a connection in progress, however many are sent", async () => {
  await using world = new ProxyWorld({ requestsMax: 2 });
  let most = 0;
  await using upstream = new Upstream(answering(({ start }) => {
    most = Math.max(most, world.dataPlane.requests);
    return reply(start.split(" ")[1] ?? "");
  }));
  const port = await world.serve([routeTo(backend)], [upstream.endpoint]);
  using client = await RawClient.connect(port);
  for (let batch = 0; batch < 1_000; batch += 100) {
    const indexes = Array.from({ length: 100 }, (_, index) => batch + index);
    const requests = indexes.map((index) =>
      index % 3 === 0
        ? `POST /${index} HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc`
        : `GET /${index} HTTP/1.1\r\nHost: a\r\n\r\n`
    );
    await client.send(requests.join(""));
    for (const index of indexes) {
      const { status, body } = await client.response();
      assertEquals([status, body], [200, `/${index}`]);
    }
  }
  assertEquals(most, 1);
  assertEquals(upstream.connections, 1);
});

Deno.test("proxy closes a connection on which too many requests wait, and serves the others", async () => {
  const never = Promise.withResolvers<void>();
  await using upstream = new Upstream(async (connection) => {
    const { start } = await connection.request();
    if (start.includes("/slow")) await never.promise;
    await connection.send(reply("ok"));
  });
  await using world = new ProxyWorld();
  const port = await world.serve([routeTo(backend)], [upstream.endpoint]);
  const requests = (count: number) => "GET /slow HTTP/1.1\r\nHost: a\r\n\r\n".repeat(count);
  using patient = await RawClient.connect(port);
  await patient.send(requests(257));
  using greedy = await RawClient.connect(port);
  await greedy.send(requests(10_000)).catch(() => {});
  assertEquals(await greedy.rest(), "");
  assertEquals((await exchange(port, "GET /", "Host: a")).status, 200);
  while (world.dataPlane.requests > 1) await new Promise((resolve) => setTimeout(resolve, 1));
  assertEquals(world.dataPlane.requests, 1, "as many may wait");
  never.resolve();
});

Deno.test("proxy serves a request to change the protocol that has a body as an ordinary one", async () => {
  await using upstream = new Upstream(answering(() => replyWith("403 Forbidden", "no")));
  await using world = new ProxyWorld();
  const port = await world.serve([routeTo(backend)], [upstream.endpoint]);
  const head = "POST /first HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n";
  const bodies = [
    "Content-Length: 5\r\n\r\nabcde",
    "Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n",
  ];
  for (const body of bodies) {
    using client = await RawClient.connect(port);
    await client.send(`${head}${body}`);
    assertEquals((await client.response()).status, 403);
    await client.request("GET /second", "Host: a");
    assertEquals((await client.response()).status, 403);
  }
  assertEquals(upstream.requests.map(({ start, body }) => [start, body]), [
    ["POST /first HTTP/1.1", "abcde"],
    ["GET /second HTTP/1.1", ""],
    ["POST /first HTTP/1.1", "abcde"],
    ["GET /second HTTP/1.1", ""],
  ]);
  for (const { lines } of upstream.requests) assertEquals(valuesOf(lines, "upgrade"), []);
});

Deno.test("proxy keeps every line of a long request head, those of the framing too", async () => {
  await using upstream = new Upstream(answering(() => reply("ok")));
  await using world = new ProxyWorld();
  const port = await world.serve([routeTo(backend)], [upstream.endpoint]);
  const many = Array.from({ length: 1_500 }, (_, index) => `X-${index}: ${index}\r\n`).join("");
  using client = await RawClient.connect(port);
  await client.send(`POST / HTTP/1.1\r\nHost: a\r\n${many}Content-Length: 3\r\n\r\nabc`);
  assertEquals((await client.response()).status, 200);
  assertEquals(upstream.requests[0]?.body, "abc");
  assertEquals(upstream.requests[0]?.lines.filter((line) => line.startsWith("X-1")).length, 611);
  await client.send(`GET / HTTP/1.1\r\nHost: a\r\n${many}Host: b\r\n\r\n`);
  assertEquals((await client.response()).status, 400, "the second Host is seen");
});

Deno.test("proxy refuses a Connection header that names too much", async () => {
  await using upstream = new Upstream(answering(() => reply("ok")));
  await using world = new ProxyWorld();
  const port = await world.serve([routeTo(backend)], [upstream.endpoint]);
  const names = (count: number) => `Connection: ${Array(count).fill("x").join(",")}`;
  assertEquals((await exchange(port, "GET /", "Host: a", names(64))).status, 200);
  assertEquals((await exchange(port, "GET /", "Host: a", names(65))).status, 400);
});

Deno.test("proxy writes a transfer coding in one spelling, whatever the client's", async () => {
  await using upstream = new Upstream(answering(() => reply("ok")));
  await using world = new ProxyWorld();
  const port = await world.serve([routeTo(backend)], [upstream.endpoint]);
  using client = await RawClient.connect(port);
  await client.send(
    "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \tcHunked \r\n\r\n3\r\nabc\r\n0\r\n\r\n",
  );
  assertEquals((await client.response()).status, 200);
  const [request] = upstream.requests;
  assertEquals(valuesOf(request?.lines ?? [], "transfer-encoding"), ["chunked"]);
  assertEquals(request?.body, "abc");
});

Deno.test("proxy lets nobody choose what it says itself by underscores", async () => {
  await using upstream = new Upstream(answering(() => reply("ok")));
  await using world = new ProxyWorld();
  const port = await world.serve([routeTo(backend)], [upstream.endpoint]);
  const spoofs = ["X_Forwarded_Proto: https", "x-forwarded_for: 1.2.3.4", "X_Request-Id: mine"];
  await exchange(port, "GET /", "Host: a", ...spoofs, "X_Other: kept");
  const lines = upstream.requests[0]?.lines ?? [];
  assertEquals(lines.filter((line) => line.includes("_")), ["X_Other: kept"]);
});

Deno.test("proxy counts a malformed request once, however much follows it", async () => {
  await using world = new ProxyWorld();
  const port = await world.serve([], []);
  using client = await RawClient.connect(port);
  await client.send("GET / HTTP/1.1\r\nX : a\r\n\r\n");
  try {
    for (let piece = 0; piece < 20; piece++) await client.send("and more of it\r\n");
  } catch {
    // It was closed already.
  }
  await client.rest();
  assert(/weir_proxy_malformed_requests_total 1$/m.test(world.metrics.render()));
});

Deno.test("proxy keeps the connection of a client that it answers itself", async () => {
  await using world = new ProxyWorld();
  const port = await world.serve([], []);
  using client = await RawClient.connect(port);
  for (const target of ["/unknown", "/a%2fb", "/unknown"]) {
    await client.request(`GET ${target}`, "Host: a");
    assertEquals(valuesOf((await client.response()).lines, "connection"), []);
  }
  await client.request("GET /", "Host: a", "Connection: close");
  assertEquals(valuesOf((await client.response()).lines, "connection"), ["close"]);
  assertEquals(await client.rest(), "");
});

Deno.test("proxy does not wait at its end for a connection that was opened ahead of need", async () => {
  await using upstream = new Upstream(answering(() => reply("ok")));
  const world = new ProxyWorld({ drainTimeoutMs: 60_000 });
  const port = await world.serve([routeTo(backend)], [upstream.endpoint]);
  using silent = await RawClient.connect(port);
  // The proxy has taken the first connection when it answers on the second one.
  assertEquals((await exchange(port, "GET /", "Host: a")).status, 200);
  await Promise.all([world[Symbol.asyncDispose](), silent.rest()]);
});
