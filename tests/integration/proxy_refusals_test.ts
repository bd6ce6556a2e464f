/**
 * What a user would lose: the promise that gateway and backend read the same request. Each probe is
 * something that a backend might read otherwise; none of them may reach it.
 */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { backend, ProxyWorld, routeTo } from "../fakes/proxy_world.ts";
import { asOctets, exchange, RawClient, valuesOf } from "../fakes/raw_http.ts";
import { answering, reply, Upstream } from "../fakes/upstream.ts";

const host = "Host: a\r\n";

/** Name, octets, status. */
const probes: readonly (readonly [string, string, number])[] = [
  ["no Host", "GET / HTTP/1.1\r\n\r\n", 400],
  ["empty Host", "GET / HTTP/1.1\r\nHost: \r\n\r\n", 400],
  ["two Hosts", `GET / HTTP/1.1\r\n${host}Host: b\r\n\r\n`, 400],
  ["two equal Hosts", `GET / HTTP/1.1\r\n${host}Host: a\r\n\r\n`, 400],
  ["Host with a path", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", 400],
  ["Host with user", "GET / HTTP/1.1\r\nHost: u@a\r\n\r\n", 400],
  ["Host with two ports", "GET / HTTP/1.1\r\nHost: a:1:2\r\n\r\n", 400],
  ["space before the colon", "GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400],
  ["other host in the target", `GET http://b/ HTTP/1.1\r\n${host}\r\n`, 400],
  ["user in the target", `GET http://u@a/ HTTP/1.1\r\n${host}\r\n`, 400],
  ["asterisk", `OPTIONS * HTTP/1.1\r\n${host}\r\n`, 400],
  ["no slash", `GET a HTTP/1.1\r\n${host}\r\n`, 400],
  ["fragment", `GET /a#b HTTP/1.1\r\n${host}\r\n`, 400],
  ["NUL escape", `GET /a%00b HTTP/1.1\r\n${host}\r\n`, 400],
  ["raw UTF-8 path", `GET /${asOctets("é")} HTTP/1.1\r\n${host}\r\n`, 400],
  ["control character in the path", `GET /a\x01b HTTP/1.1\r\n${host}\r\n`, 400],
  ["control character in a value", `GET / HTTP/1.1\r\n${host}X: a\x00b\r\n\r\n`, 400],
  ["folded line", `GET / HTTP/1.1\r\n${host}X: a\r\n b\r\n\r\n`, 400],
  ["bare CR", `GET / HTTP/1.1\r\n${host}X: a\rY: b\r\n\r\n`, 400],
  ["bare LF", "GET / HTTP/1.1\nHost: a\n\n", 400],
  [
    "length and coding",
    `POST / HTTP/1.1\r\n${host}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
  ],
  [
    "coding and length",
    `POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n`,
    400,
  ],
  [
    "two lengths",
    `POST / HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
    400,
  ],
  ["signed length", `POST / HTTP/1.1\r\n${host}Content-Length: +1\r\n\r\na`, 400],
  ["list of lengths", `POST / HTTP/1.1\r\n${host}Content-Length: 1, 1\r\n\r\na`, 400],
  [
    "coding that hides",
    `POST / HTTP/1.1\r\n${host}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
    501,
  ],
  [
    "two codings",
    `POST / HTTP/1.1\r\n${host}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    501,
  ],
  [
    "two coding lines",
    `POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n` +
    "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    400,
  ],
  [
    "chunk size that is none",
    `POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nz\r\n`,
    400,
  ],
  ["HTTP/1.0", "GET / HTTP/1.0\r\nHost: a\r\n\r\n", 426],
  ["HTTP/0.9", "GET /\r\n\r\n", 426],
  ["HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400],
  ["CONNECT", `CONNECT a:443 HTTP/1.1\r\n${host}\r\n`, 405],
  ["other expectation", `GET / HTTP/1.1\r\n${host}Expect: 200-ok\r\n\r\n`, 417],
  ["long target", `GET /${"a".repeat(20_000)} HTTP/1.1\r\n${host}\r\n`, 414],
  ["large head", `GET / HTTP/1.1\r\n${host}X: ${"a".repeat(70_000)}\r\n\r\n`, 431],
  ["TLS hello", "\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03", 400],
];

Deno.test("proxy refuses what a backend may read otherwise, and says why", async (t) => {
  await using upstream = new Upstream(answering(() => reply("reached")));
  await using world = new ProxyWorld();
  const port = await world.serve([routeTo(backend)], [upstream.endpoint]);
  for (const [name, octets, status] of probes) {
    await t.step(name, async () => {
      using client = await RawClient.connect(port);
      await client.send(octets);
      const response = await client.response();
      assertEquals(response.status, status);
      assertEquals(valuesOf(response.lines, "connection"), ["close"]);
      assertEquals(valuesOf(response.lines, "content-type"), ["text/plain; charset=utf-8"]);
      assertEquals(await client.rest(), "", "nothing behind the answer");
    });
  }
  assertEquals(upstream.requests.length, 0);
});

Deno.test("proxy never lets a second request hide behind a refused one", async () => {
  await using upstream = new Upstream(answering(() => reply("reached")));
  await using world = new ProxyWorld();
  const port = await world.serve([routeTo(backend)], [upstream.endpoint]);
  using client = await RawClient.connect(port);
  await client.send(
    `POST / HTTP/1.1\r\n${host}Host: b\r\nContent-Length: 34\r\n\r\n` +
      `GET /hidden HTTP/1.1\r\n${host}X: 12\r\n\r\nGET /next HTTP/1.1\r\n${host}\r\n`,
  );
  assertEquals((await client.response()).status, 400);
  assertEquals(await client.rest(), "");
  assertEquals(upstream.requests.length, 0);
});

Deno.test("proxy takes an absolute target that names its own host", async () => {
  await using upstream = new Upstream(answering(() => reply("ok")));
  await using world = new ProxyWorld();
  const port = await world.serve([routeTo(backend)], [upstream.endpoint]);
  for (const target of ["http://A/x/../y", "http://a?q", "http://a"]) {
    assertEquals((await exchange(port, `GET ${target}`, "Host: a")).status, 200);
  }
  assertEquals(upstream.requests.map(({ start }) => start), [
    "GET /y HTTP/1.1",
    "GET /?q HTTP/1.1",
    "GET / HTTP/1.1",
  ]);
});

Deno.test("proxy redirects a path with escaped separators before it routes it", async () => {
  await using upstream = new Upstream(answering(() => reply("reached")));
  await using world = new ProxyWorld();
  const port = await world.serve([routeTo(backend)], [upstream.endpoint]);
  const response = await exchange(port, "GET /a%2fb?c=%2f", "Host: a");
  assertEquals(response.status, 307);
  assertEquals(valuesOf(response.lines, "location"), ["/a/b?c=%2f"]);
  assertEquals(upstream.requests.length, 0);
});

Deno.test("proxy counts what it refuses", async () => {
  await using world = new ProxyWorld();
  const port = await world.serve([], []);
  await exchange(port, "GET /", "Host: a", "Host: b");
  await exchange(port, "GET /", "X : a");
  assertStringIncludes(world.metrics.render(), "weir_proxy_malformed_requests_total 2");
});
