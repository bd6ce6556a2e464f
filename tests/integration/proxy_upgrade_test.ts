/** What a user would lose: WebSockets and other protocols that begin as HTTP. */

import { assertEquals, assertMatch } from "@std/assert";
import { backend, ProxyWorld, routeTo } from "../fakes/proxy_world.ts";
import { RawClient, valuesOf } from "../fakes/raw_http.ts";
import { answering, reply, replyWith, Upstream, type UpstreamScript } from "../fakes/upstream.ts";

const everything = [routeTo(backend)];
const offer = ["Host: a", "Connection: keep-alive, Upgrade", "Upgrade: websocket", "X-Key: 1"];

/** Agrees to change the protocol and echoes what follows in upper case, in pieces of four. */
const echo: UpstreamScript = async (connection) => {
  await connection.request();
  await connection.send(
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
      "X-Accept: 1\r\n\r\nearly",
  );
  for (;;) await connection.send((await connection.read(4)).toUpperCase());
};

Deno.test("proxy becomes a pipe when both sides agree to change the protocol", async () => {
  await using upstream = new Upstream(echo);
  await using world = new ProxyWorld();
  const port = await world.serve(everything, [upstream.endpoint]);
  using client = await RawClient.connect(port);
  await client.request("GET /chat", ...offer);
  await client.send("soon");
  const { status, lines } = await client.response();
  assertEquals(status, 101);
  assertEquals(lines, ["X-Accept: 1", "Connection: Upgrade", "Upgrade: websocket"]);
  assertEquals(await client.read(9), "earlySOON");
  await client.send("ping");
  assertEquals(await client.read(4), "PING");
  const sent = upstream.requests[0]?.lines ?? [];
  assertEquals(valuesOf(sent, "connection"), ["Upgrade"]);
  assertEquals(valuesOf(sent, "upgrade"), ["websocket"]);
  assertEquals(valuesOf(sent, "x-key"), ["1"]);
});

Deno.test("proxy closes the other side of a tunnel, behind what is on its way", async () => {
  const closed = Promise.withResolvers<string>();
  await using upstream = new Upstream(async (connection) => {
    await connection.request();
    await connection.send(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n",
    );
    closed.resolve(await connection.rest());
  });
  await using world = new ProxyWorld();
  const port = await world.serve(everything, [upstream.endpoint]);
  const client = await RawClient.connect(port);
  await client.request("GET /", ...offer);
  await client.response();
  await client.send("last words");
  client[Symbol.dispose]();
  assertEquals(await closed.promise, "last words");
});

Deno.test("proxy passes a refusal to change the protocol on", async () => {
  await using upstream = new Upstream(answering(() => replyWith("403 Forbidden", "no")));
  await using world = new ProxyWorld();
  const port = await world.serve(everything, [upstream.endpoint]);
  using client = await RawClient.connect(port);
  await client.request("GET /", ...offer);
  const response = await client.response();
  assertEquals([response.status, response.body], [403, "no"]);
  assertEquals(await client.rest(), "");
});

Deno.test("proxy answers a request to change the protocol that no route serves", async () => {
  await using world = new ProxyWorld();
  const port = await world.serve([], []);
  using client = await RawClient.connect(port);
  await client.request("GET /", ...offer);
  assertEquals((await client.response()).status, 404);
});

Deno.test("proxy serves a request that only offers HTTP/2 as it is, with its body", async () => {
  await using upstream = new Upstream(answering(({ body }) => reply(body)));
  await using world = new ProxyWorld();
  const port = await world.serve(everything, [upstream.endpoint]);
  using client = await RawClient.connect(port);
  const lines = ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMA"];
  await client.request("POST /", "Host: a", "Content-Length: 5", ...lines);
  await client.send("hello");
  assertEquals((await client.response()).body, "hello");
  const sent = upstream.requests[0]?.lines ?? [];
  assertEquals(valuesOf(sent, "upgrade"), []);
  assertEquals(valuesOf(sent, "http2-settings"), []);
});

Deno.test("proxy cuts a tunnel on which nothing moves", async () => {
  await using upstream = new Upstream(echo);
  await using world = new ProxyWorld({ streamIdleTimeoutMs: 200 });
  const port = await world.serve(everything, [upstream.endpoint]);
  using client = await RawClient.connect(port);
  await client.request("GET /", ...offer);
  await client.response();
  assertEquals(await client.rest(), "early");
});

Deno.test("proxy closes tunnels at the end of a drain", async () => {
  await using upstream = new Upstream(echo);
  const world = new ProxyWorld({ drainTimeoutMs: 100 });
  const port = await world.serve(everything, [upstream.endpoint]);
  using client = await RawClient.connect(port);
  await client.request("GET /", ...offer);
  await client.response();
  await world[Symbol.asyncDispose]();
  assertMatch(await client.rest(), /^early$/);
});

Deno.test("proxy modifies the head of a response that changes the protocol", async () => {
  await using upstream = new Upstream(echo);
  await using world = new ProxyWorld();
  const headers = { set: [{ name: "X-B", value: "2" }], add: [], remove: ["x-accept"] };
  const filters = [{ type: "ResponseHeaderModifier", headers } as const];
  const action = { filters, backends: [{ weight: 1, cluster: backend, filters: [] }] };
  const port = await world.serve([routeTo(backend, { action })], [upstream.endpoint]);
  using client = await RawClient.connect(port);
  await client.request("GET /chat", ...offer);
  const { lines } = await client.response();
  assertEquals(lines, ["X-B: 2", "Connection: Upgrade", "Upgrade: websocket"]);
  assertEquals(await client.read(5), "early");
});
