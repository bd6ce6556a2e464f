/**
 * What a user would lose: requests or responses that arrive at the other side changed.
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { loopback } from "../fakes/data_plane_config.ts";
import { backend, ProxyWorld, routeTo } from "../fakes/proxy_world.ts";
import { exchange, RawClient, valuesOf } from "../fakes/raw_http.ts";
import { answering, reply, replyWith, Upstream } from "../fakes/upstream.ts";

const everything = [routeTo(backend)];

Deno.test("proxy keeps case, order and duplicates of request headers", async () => {
  await using upstream = new Upstream(answering(() => reply("ok")));
  await using world = new ProxyWorld();
  const port = await world.serve(everything, [upstream.endpoint]);
  await exchange(
    port,
    "GET /a/b?x=1&y=%2F",
    "X-One: 1",
    "Host: Example.com:8080",
    "x-two: a",
    "X-TWO: b",
    "Cookie: a=1",
    "Cookie: b=2",
  );
  const [request] = upstream.requests;
  assertEquals(request?.start, "GET /a/b?x=1&y=%2F HTTP/1.1");
  assertEquals(request?.lines, [
    "X-One: 1",
    "Host: Example.com:8080",
    "x-two: a",
    "X-TWO: b",
    "Cookie: a=1",
    "Cookie: b=2",
    "X-Forwarded-For: 127.0.0.1",
    "X-Forwarded-Proto: http",
    "X-Request-Id: request-1",
    "Connection: keep-alive",
  ]);
});

Deno.test("proxy keeps status text, case, order and duplicates of response headers", async () => {
  const lines = ["X-B: 2", "x-a: 1", "Set-Cookie: a=1", "Set-Cookie: b=2", "Server: mine"];
  await using upstream = new Upstream(
    answering(() => replyWith("201 Made Up", "ok", ...lines, "Date: then", "Via: x")),
  );
  await using world = new ProxyWorld();
  const port = await world.serve(everything, [upstream.endpoint]);
  const response = await exchange(port, "GET /", "Host: a");
  assertEquals(response.status, 201);
  assertEquals(response.statusText, "Made Up");
  assertEquals(response.lines, [...lines, "Date: then", "Via: x", "Content-Length: 2"]);
  assertEquals(response.body, "ok");
});

Deno.test("proxy drops what belongs to one connection, in both directions", async () => {
  await using upstream = new Upstream(answering(() =>
    reply(
      "ok",
      "Connection: keep-alive, X-Hop",
      "Keep-Alive: timeout=5",
      "X-Hop: 1",
      "Proxy-Connection: keep-alive",
      "X-End: 1",
    )
  ));
  await using world = new ProxyWorld();
  const port = await world.serve(everything, [upstream.endpoint]);
  const response = await exchange(
    port,
    "GET /",
    "Host: a",
    "Connection: keep-alive, X-Secret, host, content-length",
    "X-Secret: 1",
    "Keep-Alive: 5",
    "Proxy-Connection: keep-alive",
    "TE: trailers, deflate",
    "X-Plain: 1",
  );
  const names = upstream.requests[0]?.lines.map((line) => line.split(":")[0]);
  assertEquals(names, [
    "Host",
    "X-Plain",
    "X-Forwarded-For",
    "X-Forwarded-Proto",
    "X-Request-Id",
    "TE",
    "Connection",
  ]);
  assertEquals(valuesOf(upstream.requests[0]?.lines ?? [], "te"), ["trailers"]);
  assertEquals(valuesOf(response.lines, "x-hop"), []);
  assertEquals(valuesOf(response.lines, "keep-alive"), []);
  assertEquals(valuesOf(response.lines, "proxy-connection"), []);
  assertEquals(valuesOf(response.lines, "x-end"), ["1"]);
});

Deno.test("proxy says who it forwards for and takes nobody's word for it", async () => {
  await using upstream = new Upstream(answering(() => reply("ok")));
  await using world = new ProxyWorld();
  const port = await world.serve(everything, [upstream.endpoint]);
  await exchange(
    port,
    "GET /",
    "Host: a",
    "X-Forwarded-For: 1.1.1.1",
    "x-forwarded-for: 2.2.2.2, 3.3.3.3",
    "X-Forwarded-Proto: https",
    "X-Request-Id: mine",
  );
  const lines = upstream.requests[0]?.lines ?? [];
  assertEquals(valuesOf(lines, "x-forwarded-for"), ["1.1.1.1,2.2.2.2, 3.3.3.3,127.0.0.1"]);
  assertEquals(valuesOf(lines, "x-forwarded-proto"), ["http"]);
  assertEquals(valuesOf(lines, "x-request-id"), ["request-1"]);
});

Deno.test("proxy keeps the framing of request bodies, and trailers", async () => {
  await using upstream = new Upstream(answering(() => reply("ok")));
  await using world = new ProxyWorld();
  const port = await world.serve(everything, [upstream.endpoint]);
  using client = await RawClient.connect(port);
  await client.request("POST /length", "Host: a", "content-length: 5");
  await client.send("hello");
  await client.response();
  await client.request("POST /chunked", "Host: a", "Transfer-Encoding: chunked", "Trailer: X-Sum");
  await client.send("3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\nX-Sum: 7\r\n\r\n");
  await client.response();
  await client.request("POST /empty", "Host: a");
  await client.response();
  await client.request("GET /none", "Host: a");
  await client.response();
  const [length, chunked, empty, none] = upstream.requests;
  assertEquals(valuesOf(length?.lines ?? [], "content-length"), ["5"]);
  assertEquals(length?.body, "hello");
  assertEquals(valuesOf(chunked?.lines ?? [], "transfer-encoding"), ["chunked"]);
  assertEquals(valuesOf(chunked?.lines ?? [], "trailer"), ["X-Sum"]);
  assertEquals(chunked?.body, "hello");
  assertEquals(chunked?.trailers, ["X-Sum: 7"]);
  assertEquals(valuesOf(empty?.lines ?? [], "content-length"), ["0"]);
  assertEquals(valuesOf(none?.lines ?? [], "content-length"), []);
  assertEquals(upstream.connections, 1, "one connection serves them all");
});

Deno.test("proxy keeps the framing of response bodies, and trailers", async () => {
  await using upstream = new Upstream(answering(({ start }) => {
    if (start.includes("/chunked")) {
      return "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n" +
        "2\r\nhe\r\n3\r\nllo\r\n0\r\nX-Sum: 7\r\n\r\n";
    }
    if (start.includes("/head")) return "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n";
    if (start.includes("/204")) return "HTTP/1.1 204 No Content\r\nX-A: 1\r\n\r\n";
    if (start.includes("/304")) return "HTTP/1.1 304 Not Modified\r\nContent-Length: 10\r\n\r\n";
    return reply("");
  }));
  await using world = new ProxyWorld();
  const port = await world.serve(everything, [upstream.endpoint]);
  using client = await RawClient.connect(port);
  await client.request("GET /chunked", "Host: a", "TE: trailers");
  const chunked = await client.response();
  assertEquals([chunked.body, chunked.trailers], ["hello", ["X-Sum: 7"]]);
  await client.request("HEAD /head", "Host: a");
  const head = await client.response("HEAD");
  assertEquals(valuesOf(head.lines, "content-length"), ["1000"]);
  await client.request("GET /204", "Host: a");
  assertEquals((await client.response()).status, 204);
  await client.request("GET /304", "Host: a");
  assertEquals((await client.response()).status, 304);
  await client.request("GET /empty", "Host: a");
  assertEquals(valuesOf((await client.response()).lines, "content-length"), ["0"]);
});

Deno.test("proxy ends a response that ends with the backend's connection", async () => {
  await using upstream = new Upstream(async (connection) => {
    await connection.request();
    await connection.send("HTTP/1.1 200 OK\r\n\r\nall there is");
  });
  await using world = new ProxyWorld();
  const port = await world.serve(everything, [upstream.endpoint]);
  const response = await exchange(port, "GET /", "Host: a");
  assertEquals(response.body, "all there is");
  assertEquals(valuesOf(response.lines, "transfer-encoding"), ["chunked"]);
});

Deno.test("proxy passes each piece of an open-ended response on at once", async () => {
  const next = Promise.withResolvers<void>();
  await using upstream = new Upstream(async (connection) => {
    await connection.request();
    await connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    await next.promise;
    await connection.send("3\r\none\r\n");
    await connection.rest();
  });
  await using world = new ProxyWorld();
  const port = await world.serve(everything, [upstream.endpoint]);
  using client = await RawClient.connect(port);
  await client.request("GET /events", "Host: a");
  assertMatch(await client.readUntil("\r\n\r\n"), /^HTTP\/1\.1 200 OK/);
  next.resolve();
  assertEquals(await client.readUntil("one\r\n"), "3\r\none\r\n");
});

Deno.test("proxy asks the backend before a client sends a body that it only offers", async () => {
  await using upstream = new Upstream(async (connection) => {
    const { start, lines } = await connection.head();
    if (start.includes("/refuse")) {
      await connection.send(replyWith("403 Forbidden", "no"));
      return;
    }
    assertEquals(valuesOf(lines, "expect"), ["100-continue"]);
    await connection.send("HTTP/1.1 100 Continue\r\n\r\n");
    const body = await connection.read(5);
    await connection.send(reply(body.toUpperCase()));
  });
  await using world = new ProxyWorld();
  const port = await world.serve(everything, [upstream.endpoint]);
  using client = await RawClient.connect(port);
  await client.request("PUT /", "Host: a", "Content-Length: 5", "Expect: 100-continue");
  assertEquals(await client.readUntil("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  await client.send("hello");
  assertEquals((await client.response()).body, "HELLO");
  using refused = await RawClient.connect(port);
  await refused.request("PUT /refuse", "Host: a", "Content-Length: 5", "Expect: 100-continue");
  assertEquals((await refused.response()).status, 403);
});

Deno.test("proxy sends a body after a while when the backend says nothing about it", async () => {
  await using upstream = new Upstream(answering(({ body }) => reply(body)));
  await using world = new ProxyWorld();
  const port = await world.serve(everything, [upstream.endpoint]);
  using client = await RawClient.connect(port);
  await client.request("PUT /", "Host: a", "Content-Length: 5", "Expect: 100-continue");
  await client.send("hello");
  assertEquals((await client.response()).body, "hello");
});

Deno.test("proxy passes early hints on", async () => {
  await using upstream = new Upstream(async (connection) => {
    await connection.request();
    await connection.send("HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n");
    await connection.send(reply("ok"));
  });
  await using world = new ProxyWorld();
  const port = await world.serve(everything, [upstream.endpoint]);
  using client = await RawClient.connect(port);
  await client.request("GET /", "Host: a");
  const hints = await client.response();
  assertEquals(hints.status, 103);
  assertEquals(valuesOf(hints.lines, "link"), ["</a.css>; rel=preload"]);
  assertEquals((await client.response()).body, "ok");
});

Deno.test("proxy answers pipelined requests in their order", async () => {
  await using upstream = new Upstream(answering(({ start }) => reply(start)));
  await using world = new ProxyWorld();
  const port = await world.serve(everything, [upstream.endpoint]);
  using client = await RawClient.connect(port);
  await client.send(
    ["/1", "/2", "/3"].map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join(""),
  );
  for (const path of ["/1", "/2", "/3"]) {
    assertEquals((await client.response()).body, `GET ${path} HTTP/1.1`);
  }
});

Deno.test("proxy closes the connection when the client asks for it", async () => {
  await using upstream = new Upstream(answering(() => reply("ok")));
  await using world = new ProxyWorld();
  const port = await world.serve(everything, [upstream.endpoint]);
  using client = await RawClient.connect(port);
  await client.request("GET /", "Host: a", "Connection: close");
  assertEquals((await client.response()).body, "ok");
  assertEquals(await client.rest(), "");
  assert(valuesOf(upstream.requests[0]?.lines ?? [], "connection").includes("keep-alive"));
});

Deno.test("proxy answers 503 when there is no endpoint or none can be reached", async () => {
  const gone = new Upstream(answering(() => reply("")));
  await gone[Symbol.asyncDispose]();
  await using world = new ProxyWorld();
  const port = await world.serve(everything, loopback(gone.port));
  const refused = await exchange(port, "GET /", "Host: a");
  assertEquals([refused.status, refused.body], [
    503,
    "no endpoint of the backend could be reached\n",
  ]);
  await using empty = new ProxyWorld();
  const none = await exchange(await empty.serve(everything, []), "GET /", "Host: a");
  assertEquals([none.status, none.body], [503, "the backend has no ready endpoint\n"]);
});
