/**
 * What a user would lose: the gateway, or another user's response, to one backend that answers in a
 * way that it should not. Whatever it says, its own client gets a whole response, a cut one or 502,
 * and nobody else notices.
 */

import { assertEquals } from "@std/assert";
import { backend, ProxyWorld, routeTo } from "../fakes/proxy_world.ts";
import { exchange, RawClient, type RawResponse, valuesOf } from "../fakes/raw_http.ts";
import { reply, Upstream, type UpstreamScript } from "../fakes/upstream.ts";

/** Answers the first request of each connection with `octets` and every other with its index. */
function answeringFirst(octets: string): UpstreamScript {
  return async (connection) => {
    await connection.request();
    await connection.send(octets);
    for (;;) {
      await connection.request();
      await connection.send(reply("a later one"));
    }
  };
}

/** The response to one request that is answered with `octets`. */
async function responseTo(octets: string, method = "GET"): Promise<RawResponse> {
  await using upstream = new Upstream(answeringFirst(octets));
  await using world = new ProxyWorld();
  const port = await world.serve([routeTo(backend)], [upstream.endpoint]);
  return await exchange(port, `${method} /`, "Host: a");
}

Deno.test("proxy survives early hints that nobody can read, and serves what follows", async () => {
  for (const link of ["garbage", "<a", "</a>; rel", ";", "</a.css>"]) {
    const hints = `HTTP/1.1 103 Early Hints\r\nLink: ${link}\r\n\r\n`;
    await using upstream = new Upstream(answeringFirst(hints + reply("ok")));
    await using world = new ProxyWorld();
    const port = await world.serve([routeTo(backend)], [upstream.endpoint]);
    using client = await RawClient.connect(port);
    await client.request("GET /", "Host: a");
    let response = await client.response();
    if (response.status === 103) response = await client.response();
    assertEquals([response.status, response.body], [200, "ok"], link);
  }
});

Deno.test("proxy passes no framing on with early hints", async () => {
  const hints = "HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\nX-A: 1\r\n" +
    "Content-Length: 5\r\nConnection: close\r\n\r\n";
  const response = await responseTo(hints + reply("ok"));
  assertEquals(response.status, 103);
  assertEquals(response.lines.map((line) => line.toLowerCase()), [
    "link: </a.css>; rel=preload",
    "x-a: 1",
  ]);
});

Deno.test("proxy does not pile up early hints for a client", async () => {
  const hints = "HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n".repeat(1_000);
  await using upstream = new Upstream(answeringFirst(hints + reply("ok")));
  await using world = new ProxyWorld();
  const port = await world.serve([routeTo(backend)], [upstream.endpoint]);
  using client = await RawClient.connect(port);
  await client.request("GET /", "Host: a");
  let count = 0;
  while ((await client.response()).status === 103) count++;
  assertEquals(count, 16);
});

Deno.test("proxy never gives a response that nobody asked for to the next request", async () => {
  const cases: readonly (readonly [string, string])[] = [
    ["GET", reply("one")],
    ["HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\n"],
  ];
  for (const [method, first] of cases) {
    const stray = Promise.withResolvers<void>();
    const strayed = Promise.withResolvers<void>();
    await using upstream = new Upstream(async (connection) => {
      await connection.request();
      await connection.send(connection.index === 0 ? first : reply("asked for"));
      if (connection.index > 0) return void await connection.rest();
      await stray.promise;
      await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 80\r\n\r\nnot asked for");
      strayed.resolve();
      await connection.request();
      await connection.send(reply("HTTP/1.1 200 OK\r\n\r\n"));
    });
    await using world = new ProxyWorld();
    const port = await world.serve([routeTo(backend)], [upstream.endpoint]);
    await exchange(port, `${method} /`, "Host: a");
    stray.resolve();
    await strayed.promise;
    // It is on loopback, and another response has made its way since.
    await exchange(port, "GET /a%2fb", "Host: a");
    assertEquals((await exchange(port, "GET /", "Host: a")).body, "asked for", method);
  }
});

Deno.test("proxy answers 502 to a change of protocol that nobody asked for", async () => {
  const change = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nabc";
  assertEquals((await responseTo(change)).status, 502);
});

Deno.test("proxy answers 502 to a body in a transfer coding that it does not undo", async () => {
  for (const coding of ["gzip", "gzip, chunked"]) {
    const head = `HTTP/1.1 200 OK\r\nTransfer-Encoding: ${coding}\r\n\r\n`;
    assertEquals((await responseTo(`${head}3\r\nabc\r\n0\r\n\r\n`)).status, 502, coding);
  }
});

Deno.test("proxy passes no length on for a response that has no body", async () => {
  const response = await responseTo(
    "HTTP/1.1 204 No Content\r\nContent-Length: 3\r\nX-A: 1\r\n\r\n",
  );
  assertEquals(valuesOf(response.lines, "content-length"), []);
  assertEquals(valuesOf(response.lines, "x-a"), ["1"]);
});

Deno.test("proxy keeps every line of a long response head", async () => {
  const many = Array.from({ length: 1_500 }, (_, index) => `X-${index}: ${index}`);
  const response = await responseTo(reply("ok", ...many, `X-Long: ${"a".repeat(30_000)}`));
  assertEquals(response.status, 200);
  assertEquals(response.lines.filter((line) => line.startsWith("X-")).length, 1_501);
  assertEquals(valuesOf(response.lines, "content-length"), ["2"]);
});

Deno.test("proxy answers 502 to a response head beyond its limit", async () => {
  assertEquals((await responseTo(reply("ok", `X-Long: ${"a".repeat(70_000)}`))).status, 502);
});
