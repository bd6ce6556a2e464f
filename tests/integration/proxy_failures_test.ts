/**
 * What a user would lose: cut responses taken for whole ones, requests done twice, backends that
 * work for clients that are gone, a gateway that one slow side can fill.
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { loopback } from "../fakes/data_plane_config.ts";
import { backend, ProxyWorld, routeTo } from "../fakes/proxy_world.ts";
import { exchange, RawClient, valuesOf } from "../fakes/raw_http.ts";
import { answering, reply, replyWith, Upstream } from "../fakes/upstream.ts";

const everything = [routeTo(backend)];
const MEGABYTE = 1_048_576;

Deno.test("proxy never completes a response that the backend cut", async (t) => {
  const cuts: readonly (readonly [string, string])[] = [
    ["with a length", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"],
    ["chunked", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n"],
  ];
  for (const [name, octets] of cuts) {
    await t.step(name, async () => {
      await using upstream = new Upstream(async (connection) => {
        await connection.request();
        await connection.send(octets);
      });
      await using world = new ProxyWorld();
      const port = await world.serve(everything, [upstream.endpoint]);
      using client = await RawClient.connect(port);
      await client.request("GET /", "Host: a");
      const received = await client.rest();
      assert(!received.endsWith("0\r\n\r\n"), "no end of chunks");
      assert(!received.includes("100\r\n\r\nhalf\n"), "not filled up");
    });
  }
});

Deno.test("proxy tells the backend when the client goes away", async (t) => {
  await t.step("before the response", async () => {
    const arrived = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<string>();
    await using upstream = new Upstream(async (connection) => {
      await connection.request();
      arrived.resolve();
      gone.resolve(await connection.rest());
    });
    await using world = new ProxyWorld();
    const port = await world.serve(everything, [upstream.endpoint]);
    const client = await RawClient.connect(port);
    await client.request("GET /", "Host: a");
    await arrived.promise;
    client[Symbol.dispose]();
    assertEquals(await gone.promise, "");
  });
  await t.step("in the middle of the request body", async () => {
    const arrived = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<string>();
    await using upstream = new Upstream(async (connection) => {
      await connection.head();
      assertEquals(await connection.read(4), "half");
      arrived.resolve();
      gone.resolve(await connection.rest());
    });
    await using world = new ProxyWorld();
    const port = await world.serve(everything, [upstream.endpoint]);
    const client = await RawClient.connect(port);
    await client.request("POST /", "Host: a", "Content-Length: 8");
    await client.send("half");
    await arrived.promise;
    client[Symbol.dispose]();
    assertEquals(await gone.promise, "");
  });
});

Deno.test("proxy answers when the backend closes before it does", async () => {
  await using upstream = new Upstream(async (connection) => {
    await connection.request();
  });
  await using world = new ProxyWorld();
  const port = await world.serve(everything, [upstream.endpoint]);
  const response = await exchange(port, "GET /", "Host: a");
  assertEquals(response.status, 503);
  assertEquals(response.body, "the backend closed the connection before it answered\n");
  assertEquals(upstream.requests.length, 1, "a new connection that closes is not tried again");
});

Deno.test("proxy answers 502 when the backend does not speak HTTP", async () => {
  await using upstream = new Upstream(async (connection) => {
    await connection.request();
    await connection.send("SSH-2.0-OpenSSH\r\n");
    await connection.rest();
  });
  await using world = new ProxyWorld();
  const port = await world.serve(everything, [upstream.endpoint]);
  const response = await exchange(port, "GET /", "Host: a");
  assertEquals([response.status, response.body], [
    502,
    "the backend did not answer with valid HTTP\n",
  ]);
});

/** A backend that closes each connection as soon as it is used a second time. */
function closingSecond(): Upstream {
  return new Upstream(async (connection) => {
    await connection.request();
    await connection.send(reply(String(connection.index)));
    await connection.head();
  });
}

Deno.test("proxy sends an idempotent request again when an old connection had closed", async () => {
  await using upstream = closingSecond();
  await using world = new ProxyWorld();
  const port = await world.serve(everything, [upstream.endpoint]);
  assertEquals((await exchange(port, "GET /1", "Host: a")).body, "0");
  assertEquals((await exchange(port, "GET /2", "Host: a")).body, "1");
  assertStringIncludes(world.metrics.render(), "weir_proxy_upstream_retries_total 1");
});

Deno.test("proxy never sends a request twice that may have had an effect", async (t) => {
  for (
    const [name, start, ...lines] of [
      ["POST", "POST /", "Host: a"],
      ["PUT with a body", "PUT /", "Host: a", "Content-Length: 1"],
    ] as const
  ) {
    await t.step(name, async () => {
      await using upstream = closingSecond();
      await using world = new ProxyWorld();
      const port = await world.serve(everything, [upstream.endpoint]);
      assertEquals((await exchange(port, "GET /", "Host: a")).body, "0");
      using client = await RawClient.connect(port);
      await client.request(start, ...lines);
      if (lines.length > 1) await client.send("x");
      assertEquals((await client.response()).status, 503);
      assertEquals(upstream.connections, 1);
    });
  }
});

Deno.test("proxy tries another endpoint when one cannot be reached, with the body intact", async () => {
  const gone = new Upstream(answering(() => reply("")));
  await gone[Symbol.asyncDispose]();
  await using upstream = new Upstream(answering(({ body }) => reply(body)));
  await using world = new ProxyWorld();
  const port = await world.serve(everything, [...loopback(gone.port), upstream.endpoint]);
  for (let round = 0; round < 4; round++) {
    using client = await RawClient.connect(port);
    await client.request("POST /", "Host: a", "Content-Length: 5");
    await client.send("hello");
    assertEquals((await client.response()).body, "hello");
  }
});

Deno.test("proxy honours how long a backend keeps idle connections", async () => {
  await using upstream = new Upstream(
    answering((_, index) => reply(String(index), "Keep-Alive: timeout=1")),
  );
  await using world = new ProxyWorld();
  const port = await world.serve(everything, [upstream.endpoint]);
  assertEquals((await exchange(port, "GET /", "Host: a")).body, "0");
  // The margin leaves no time to reuse it: the sweep, once a second, closes it.
  while (!world.metrics.render().includes("weir_proxy_upstream_connections 0")) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assertEquals((await exchange(port, "GET /", "Host: a")).body, "1");
});

Deno.test("proxy answers in time what takes too long", async (t) => {
  await using upstream = new Upstream(async (connection) => {
    const { start } = await connection.head();
    if (start.includes("/begun")) {
      await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
    }
    await connection.rest();
  });
  await t.step("request timeout of the route", async () => {
    await using world = new ProxyWorld();
    const route = routeTo(backend, { action: { requestTimeoutMs: 100 } });
    const port = await world.serve([route], [upstream.endpoint]);
    const response = await exchange(port, "GET /", "Host: a");
    assertEquals(response.status, 504);
    assertEquals(response.body, "the request timeout of the HTTPRoute has passed\n");
    using client = await RawClient.connect(port);
    await client.request("GET /begun", "Host: a");
    assert((await client.rest()).endsWith("half"), "a response that has begun is cut");
  });
  await t.step("backend request timeout of the route", async () => {
    await using world = new ProxyWorld();
    const route = routeTo(backend, { action: { backendRequestTimeoutMs: 100 } });
    const port = await world.serve([route], [upstream.endpoint]);
    const response = await exchange(port, "GET /", "Host: a");
    assertEquals([response.status, response.body], [504, "the backend did not answer in time\n"]);
  });
  await t.step("request head", async () => {
    await using world = new ProxyWorld({ headersTimeoutMs: 100 });
    const port = await world.serve(everything, [upstream.endpoint]);
    using client = await RawClient.connect(port);
    await client.send("GET / HTTP/1.1\r\nHost: a\r\nX-Slow");
    assertEquals((await client.response()).status, 408);
  });
  await t.step("request body", async () => {
    await using world = new ProxyWorld({ bodyIdleTimeoutMs: 100 });
    const port = await world.serve(everything, [upstream.endpoint]);
    using client = await RawClient.connect(port);
    await client.request("POST /", "Host: a", "Content-Length: 8");
    await client.send("half");
    const response = await client.response();
    assertEquals(response.status, 408);
    assertEquals(response.body, "the request body did not arrive in time\n");
  });
  await t.step("connection between requests", async () => {
    await using idle = new Upstream(answering(() => reply("ok")));
    await using world = new ProxyWorld({ keepAliveTimeoutMs: 100 });
    const port = await world.serve(everything, [idle.endpoint]);
    using client = await RawClient.connect(port);
    await client.request("GET /", "Host: a");
    await client.response();
    assertEquals(await client.rest(), "");
  });
});

Deno.test("proxy limits what it takes in", async (t) => {
  await using upstream = new Upstream(answering(() => reply("ok")));
  await t.step("body with a length", async () => {
    await using world = new ProxyWorld({ bodyBytesMax: 10 });
    const port = await world.serve(everything, [upstream.endpoint]);
    using client = await RawClient.connect(port);
    await client.request("POST /", "Host: a", "Content-Length: 11");
    const response = await client.response();
    assertEquals([response.status, response.body], [413, "the request body is too large\n"]);
    assertEquals(valuesOf(response.lines, "connection"), ["close"]);
  });
  await t.step("body in chunks", async () => {
    await using world = new ProxyWorld({ bodyBytesMax: 10 });
    const port = await world.serve(everything, [upstream.endpoint]);
    using client = await RawClient.connect(port);
    await client.request("POST /", "Host: a", "Transfer-Encoding: chunked");
    await client.send(`6\r\nabcdef\r\n6\r\nabcdef\r\n`);
    assertEquals((await client.response()).status, 413);
  });
  await t.step("connections of a listener", async () => {
    await using world = new ProxyWorld({ connectionsMax: 1 });
    const port = await world.serve(everything, [upstream.endpoint]);
    using first = await RawClient.connect(port);
    await first.request("GET /", "Host: a");
    await first.response();
    using second = await RawClient.connect(port);
    assertEquals(await second.rest(), "");
    assertStringIncludes(world.metrics.render(), "weir_proxy_connections_refused_total 1");
  });
  await t.step("requests in progress", async () => {
    const arrived = Promise.withResolvers<void>();
    await using slow = new Upstream(async (connection) => {
      await connection.request();
      arrived.resolve();
      await connection.rest();
    });
    await using world = new ProxyWorld({ requestsMax: 1 });
    const port = await world.serve(everything, [slow.endpoint]);
    using first = await RawClient.connect(port);
    await first.request("GET /", "Host: a");
    await arrived.promise;
    const response = await exchange(port, "GET /", "Host: a");
    assertEquals(response.body, "the gateway has too many requests in progress\n");
    assertEquals(response.status, 503);
  });
  await t.step("connections to an endpoint", async () => {
    const arrived = Promise.withResolvers<void>();
    await using slow = new Upstream(async (connection) => {
      await connection.request();
      arrived.resolve();
      await connection.rest();
    });
    await using world = new ProxyWorld({ upstreamConnectionsPerEndpointMax: 1 });
    const port = await world.serve(everything, [slow.endpoint]);
    using first = await RawClient.connect(port);
    await first.request("GET /", "Host: a");
    await arrived.promise;
    const response = await exchange(port, "GET /", "Host: a");
    assertEquals(response.body, "there are too many connections to the backend\n");
  });
});

Deno.test("proxy stops to read from a backend whose client does not read", async () => {
  let sent = 0;
  const stalled = Promise.withResolvers<void>();
  const total = 256 * MEGABYTE;
  await using upstream = new Upstream(async (connection) => {
    await connection.request();
    await connection.send(`HTTP/1.1 200 OK\r\nContent-Length: ${total}\r\n\r\n`);
    const chunk = new Uint8Array(MEGABYTE);
    for (; sent < total; sent += chunk.length) {
      const timer = setTimeout(stalled.resolve, 300);
      await connection.send(chunk);
      clearTimeout(timer);
    }
  });
  await using world = new ProxyWorld();
  const port = await world.serve(everything, [upstream.endpoint]);
  using client = await RawClient.connect(port);
  await client.request("GET /", "Host: a");
  await client.readUntil("\r\n\r\n");
  await stalled.promise;
  assert(sent < 64 * MEGABYTE, `${sent} octets were taken in for a client that does not read`);
});

Deno.test("proxy stops to read from a client whose backend does not read", async () => {
  const arrived = Promise.withResolvers<void>();
  const done = Promise.withResolvers<void>();
  await using upstream = new Upstream(async (connection) => {
    await connection.head();
    arrived.resolve();
    await done.promise;
  });
  await using world = new ProxyWorld();
  const port = await world.serve(everything, [upstream.endpoint]);
  using client = await RawClient.connect(port);
  await client.request("POST /", "Host: a", `Content-Length: ${256 * MEGABYTE}`);
  const chunk = new Uint8Array(MEGABYTE);
  let sent = 0;
  const stalled = Promise.withResolvers<void>();
  const sending = (async () => {
    for (; sent < 256 * MEGABYTE; sent += chunk.length) {
      const timer = setTimeout(stalled.resolve, 300);
      await client.send(chunk).finally(() => clearTimeout(timer));
    }
  })().catch(() => {});
  await arrived.promise;
  await stalled.promise;
  assert(sent < 64 * MEGABYTE, `${sent} octets were taken in for a backend that does not read`);
  done.resolve();
  client[Symbol.dispose]();
  await sending;
});

Deno.test("proxy delivers an early answer to a client that is still sending", async () => {
  await using upstream = new Upstream(async (connection) => {
    await connection.head();
    await connection.send(replyWith("413 Payload Too Large", "too much", "Connection: close"));
  });
  await using world = new ProxyWorld();
  const port = await world.serve(everything, [upstream.endpoint]);
  using client = await RawClient.connect(port);
  await client.request("POST /", "Host: a", "Content-Length: 1000000");
  await client.send("x".repeat(1_000));
  const response = await client.response();
  assertEquals([response.status, response.body], [413, "too much"]);
});

Deno.test("proxy connects to no address of this machine that a name resolves to", async () => {
  let requests = 0;
  await using upstream = new Upstream(answering(() => {
    requests++;
    return reply("reached");
  }));
  const asked: string[] = [];
  await using world = new ProxyWorld({}, {
    resolve: (name, callback) => {
      asked.push(name);
      callback(null, [{ address: "127.0.0.1", family: 4 }]);
    },
  });
  const { port } = upstream.endpoint;
  const gatewayPort = await world.serve(everything, [{ address: "api.example.com", port }]);
  assertEquals((await exchange(gatewayPort, "GET /", "Host: a")).status, 503);
  assertEquals(asked, ["api.example.com"]);
  assertEquals(requests, 0);
});
