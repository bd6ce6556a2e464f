/**
 * What a user would lose: a new version that is tried out with other requests than it would get, or a
 * site that is slow, broken or out of memory because of a copy that nobody waits for.
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { clusterName, type HttpFilter, type RequestMirror } from "../../src/dataplane/model.ts";
import type { EmbeddedDataPlaneOptions } from "../../src/proxy/embedded_data_plane.ts";
import type { ProxyLimits } from "../../src/proxy/proxy_limits.ts";
import { cluster, configOf, gateway, listener } from "../fakes/data_plane_config.ts";
import { backend, ProxyWorld, routeTo } from "../fakes/proxy_world.ts";
import { exchange, RawClient, valuesOf } from "../fakes/raw_http.ts";
import {
  answering,
  reply,
  Upstream,
  type UpstreamRequest,
  type UpstreamScript,
} from "../fakes/upstream.ts";

const copy = clusterName("default", "copy", 80);

function mirror(parts: Partial<RequestMirror> = {}): HttpFilter {
  return {
    type: "RequestMirror",
    mirror: { cluster: copy, numerator: 1, denominator: 1, ...parts },
  };
}

/** A mirror that remembers what it got, and tells when. */
class Copies implements AsyncDisposable {
  readonly upstream: Upstream;
  readonly #arrived: UpstreamRequest[] = [];
  #wake: (() => void) | undefined;

  constructor(answer: (index: number) => string = () => reply("from the mirror")) {
    this.upstream = new Upstream(answering((request) => {
      this.#arrived.push(request);
      this.#wake?.();
      return answer(this.#arrived.length - 1);
    }));
  }

  /** The first `count` copies. */
  async first(count: number): Promise<readonly UpstreamRequest[]> {
    while (this.#arrived.length < count) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
    return this.#arrived;
  }

  get count(): number {
    return this.#arrived.length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.upstream[Symbol.asyncDispose]();
  }
}

interface Served extends AsyncDisposable {
  readonly port: number;
  readonly main: Upstream;
  /** Copies by what became of them: `sent given-up`. */
  outcomes(): string;
}

interface ServeOptions {
  readonly filters?: readonly HttpFilter[];
  readonly backendFilters?: readonly HttpFilter[];
  readonly limits?: Partial<ProxyLimits>;
  readonly options?: Partial<EmbeddedDataPlaneOptions>;
  readonly main?: UpstreamScript;
}

/** A Gateway whose one rule has `filters`, with a backend and, at `mirrored`, a mirror. */
async function serve(mirrored: Upstream | undefined, given: ServeOptions = {}): Promise<Served> {
  const { filters = [mirror()], backendFilters = [], limits, options } = given;
  const main = new Upstream(given.main ?? answering(({ body }) => reply(`main ${body.length}`)));
  const world = new ProxyWorld(limits, options);
  const entry = routeTo(backend, {
    action: { filters, backends: [{ weight: 1, cluster: backend, filters: backendFilters }] },
  });
  const [acknowledgement] = await world.dataPlane.apply(configOf({
    gateways: [gateway("gw", [listener("gw", { port: 0, routes: [entry] })])],
    clusters: [
      cluster(backend, [main.endpoint]),
      cluster(copy, mirrored ? [mirrored.endpoint] : []),
    ],
  }));
  const port = acknowledgement?.listeners[0]?.boundPort;
  assert(port !== undefined, "the listener must be open");
  return {
    port,
    main,
    outcomes() {
      const text = world.metrics.render();
      const of = (outcome: string): string =>
        new RegExp(`^weir_proxy_mirrored_requests_total\\{outcome="${outcome}"\\} (\\d+)$`, "m")
          .exec(text)?.[1] ?? "0";
      return `${of("sent")} ${of("given up")}`;
    },
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      await main[Symbol.asyncDispose]();
    },
  };
}

async function post(port: number, body: string): Promise<string> {
  using client = await RawClient.connect(port);
  await client.request("POST /form", "Host: a", `Content-Length: ${body.length}`);
  await client.send(body);
  return (await client.response()).body;
}

Deno.test("proxy sends a mirror the request that the backend gets, and drops its answer", async () => {
  await using copies = new Copies();
  const headers = { set: [{ name: "x-rule", value: "yes" }], add: [], remove: ["x-gone"] };
  const rewrite = { path: { type: "ReplaceFullPath", value: "/new" } } as const;
  await using served = await serve(copies.upstream, {
    filters: [
      { type: "RequestHeaderModifier", headers },
      { type: "URLRewrite", rewrite },
      mirror(),
    ],
  });
  const response = await exchange(served.port, "GET /a?b=c", "Host: shop.io", "x-gone: 1");
  assertEquals(response.body, "main 0");
  const [copied] = await copies.first(1);
  const [original] = served.main.requests;
  assertEquals(copied?.start, "GET /new?b=c HTTP/1.1");
  assertEquals(copied?.start, original?.start);
  assertEquals(copied?.lines, original?.lines);
  assertEquals(valuesOf(copied?.lines ?? [], "x-request-id").length, 1);
});

Deno.test("proxy sends a mirror nothing of what is for one backend alone", async () => {
  await using copies = new Copies();
  const headers = { set: [{ name: "x-own", value: "yes" }], add: [], remove: [] };
  await using served = await serve(copies.upstream, {
    backendFilters: [{ type: "RequestHeaderModifier", headers }],
  });
  await exchange(served.port, "GET /", "Host: a");
  const [copied] = await copies.first(1);
  assertEquals(valuesOf(copied?.lines ?? [], "x-own"), []);
  assertEquals(valuesOf(served.main.requests[0]?.lines ?? [], "x-own"), ["yes"]);
});

Deno.test("proxy sends several mirrors a copy each, at a backend reference too", async () => {
  await using copies = new Copies();
  await using served = await serve(copies.upstream, {
    filters: [mirror(), mirror()],
    backendFilters: [mirror()],
  });
  assertEquals((await exchange(served.port, "GET /", "Host: a")).body, "main 0");
  assertEquals((await copies.first(3)).length, 3);
});

Deno.test("proxy sends a mirror the part of the requests that it asks for", async () => {
  await using copies = new Copies();
  let drawn = 0;
  await using served = await serve(copies.upstream, {
    filters: [mirror({ numerator: 5, denominator: 100 })],
    options: { random: () => drawn },
  });
  for (drawn of [0.049, 0.05, 0.9, 0]) await exchange(served.port, `GET /${drawn}`, "Host: a");
  const starts = (await copies.first(2)).map(({ start }) => start);
  assertEquals(starts.toSorted(), ["GET /0 HTTP/1.1", "GET /0.049 HTTP/1.1"]);
});

Deno.test("proxy sends a mirror the whole body", async (t) => {
  for (const length of [1, 100_000]) {
    await t.step(`of ${length} octets`, async () => {
      await using copies = new Copies();
      await using served = await serve(copies.upstream);
      assertEquals(await post(served.port, "x".repeat(length)), `main ${length}`);
      const [copied] = await copies.first(1);
      assertEquals(copied?.body.length, length);
      assertEquals(copied?.start, "POST /form HTTP/1.1");
    });
  }
  await t.step("in chunks", async () => {
    await using copies = new Copies();
    await using served = await serve(copies.upstream);
    using client = await RawClient.connect(served.port);
    await client.request("POST /", "Host: a", "Transfer-Encoding: chunked");
    await client.send("3\r\nabc\r\n");
    await client.send("2\r\nde\r\n0\r\n\r\n");
    assertEquals((await client.response()).body, "main 5");
    assertEquals((await copies.first(1))[0]?.body, "abcde");
  });
});

Deno.test("proxy makes no copy of what would take memory, and serves the request", async (t) => {
  await t.step("a large body", async () => {
    await using copies = new Copies();
    await using served = await serve(copies.upstream, { limits: { mirrorBodyBytesMax: 10 } });
    assertEquals(await post(served.port, "x".repeat(11)), "main 11");
    assertEquals(served.outcomes(), "0 1");
    assertEquals(await post(served.port, "x".repeat(10)), "main 10");
    assertEquals((await copies.first(1)).map(({ body }) => body.length), [10]);
  });
  await t.step("more copies than there may be", async () => {
    const gone = Promise.withResolvers<void>();
    await using silent = new Upstream(async (connection) => {
      await connection.request();
      await connection.rest();
      gone.resolve();
    });
    await using served = await serve(silent, {
      limits: { mirrorsMax: 1, mirrorTimeoutMs: 100 },
    });
    assertEquals((await exchange(served.port, "GET /1", "Host: a")).body, "main 0");
    assertEquals((await exchange(served.port, "GET /2", "Host: a")).body, "main 0");
    assertEquals(served.outcomes(), "0 1");
    await gone.promise;
    assertEquals(silent.requests.length, 1);
  });
  await t.step("a body that the client never finishes", async () => {
    const seen = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    await using copies = new Copies();
    await using served = await serve(copies.upstream, {
      main: async (connection) => {
        await connection.head();
        await connection.read(4);
        seen.resolve();
        await connection.rest();
        gone.resolve();
      },
    });
    const client = await RawClient.connect(served.port);
    await client.request("POST /", "Host: a", "Content-Length: 8");
    await client.send("half");
    await seen.promise;
    client[Symbol.dispose]();
    await gone.promise;
    assertEquals(copies.count, 0);
    assertEquals(served.outcomes(), "0 1");
  });
});

Deno.test("proxy serves the request whatever the mirror does", async (t) => {
  const scripts: readonly (readonly [string, UpstreamScript])[] = [
    ["it closes", async (connection) => void await connection.request()],
    ["it speaks something else", async (connection) => {
      await connection.request();
      await connection.send("SSH-2.0\r\n\r\n");
    }],
    ["it changes the protocol", async (connection) => {
      await connection.request();
      await connection.send("HTTP/1.1 101 x\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n");
      await connection.rest();
    }],
    ["it never stops to answer", async (connection) => {
      await connection.request();
      await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n");
      try {
        for (;;) await connection.send("x".repeat(65_536));
      } catch {
        // The proxy has had enough.
      }
    }],
    ["it never answers", async (connection) => {
      await connection.request();
      await connection.rest();
    }],
  ];
  for (const [name, script] of scripts) {
    await t.step(name, async () => {
      const over = Promise.withResolvers<void>();
      await using upstream = new Upstream((connection) => script(connection).finally(over.resolve));
      await using served = await serve(upstream, { limits: { mirrorTimeoutMs: 100 } });
      assertEquals((await exchange(served.port, "GET /", "Host: a")).body, "main 0");
      await over.promise;
    });
  }
  await t.step("it is not there", async () => {
    await using served = await serve(undefined);
    assertEquals((await exchange(served.port, "GET /", "Host: a")).body, "main 0");
    assertEquals(served.outcomes(), "0 1");
  });
  await t.step("it cannot be reached", async () => {
    await using upstream = new Upstream(answering(() => reply("")));
    upstream.stopListening();
    await using served = await serve(upstream);
    assertEquals((await exchange(served.port, "GET /", "Host: a")).body, "main 0");
  });
});

Deno.test("proxy uses the connections to a mirror again", async () => {
  await using copies = new Copies();
  await using served = await serve(copies.upstream);
  for (let request = 1; request <= 5; request++) {
    await exchange(served.port, "GET /", "Host: a");
    await copies.first(request);
  }
  assert(copies.upstream.connections < 5, `${copies.upstream.connections} connections`);
});

Deno.test("proxy makes no copy of a request that changes the protocol", async () => {
  await using copies = new Copies();
  await using served = await serve(copies.upstream, {
    main: async (connection) => {
      await connection.head();
      await connection.send("HTTP/1.1 101 x\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nhello");
      await connection.rest();
    },
  });
  using client = await RawClient.connect(served.port);
  await client.request("GET /", "Host: a", "Connection: upgrade", "Upgrade: x");
  assertStringIncludes(await client.readUntil("hello"), "101");
  assertEquals(copies.count, 0);
  assertEquals(served.outcomes(), "0 0");
});
