/**
 * What a user would lose: requests, while routes and endpoints change under load. The method: a few
 * clients send without pause, by connections that stay and by new ones, while the configuration is
 * replaced many times; every response must be a whole 200.
 */

import { assert, assertEquals } from "@std/assert";
import { cluster, configOf, gateway, listener } from "../fakes/data_plane_config.ts";
import { backend, ProxyWorld, routeTo } from "../fakes/proxy_world.ts";
import { exchange, RawClient } from "../fakes/raw_http.ts";
import { answering, reply, Upstream } from "../fakes/upstream.ts";

/** Sends requests until it is stopped; counts what came back. */
class Load {
  readonly statuses = new Map<number, number>();
  readonly #tasks: Promise<void>[];
  #isStopped = false;
  #count = 0;
  #reached: { readonly count: number; readonly resolve: () => void } | undefined;

  constructor(port: number) {
    this.#tasks = [this.#onOne(port), this.#onOne(port), this.#onNew(port), this.#onNew(port)];
  }

  /** Resolves after so many more responses. */
  async more(count: number): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#reached = { count: this.#count + count, resolve };
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#tasks);
  }

  async #onOne(port: number): Promise<void> {
    using client = await RawClient.connect(port);
    while (!this.#isStopped) {
      await client.request("GET /", "Host: a");
      this.#record((await client.response()).status);
    }
  }

  async #onNew(port: number): Promise<void> {
    while (!this.#isStopped) this.#record((await exchange(port, "GET /", "Host: a")).status);
  }

  #record(status: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    this.#count++;
    if (this.#reached && this.#count >= this.#reached.count) this.#reached.resolve();
  }
}

Deno.test("proxy loses no request while routes change", async () => {
  await using upstream = new Upstream(answering(() => reply("ok")));
  await using world = new ProxyWorld();
  const config = (round: number, port: number) =>
    configOf({
      revision: round,
      gateways: [gateway("gw", [
        listener("gw", {
          port,
          routes: Array.from({ length: 1 + round % 5 }, (_, index) =>
            routeTo(backend, { path: index === 0 ? "Prefix:/" : `Prefix:/${round}/${index}` })),
        }),
      ])],
      clusters: [cluster(backend, [upstream.endpoint])],
    });
  const [acknowledgement] = await world.dataPlane.apply(config(0, 0));
  assert(acknowledgement);
  const load = new Load(acknowledgement.listeners[0]?.boundPort ?? 0);
  for (let round = 1; round <= 40; round++) {
    await world.dataPlane.apply(config(round, 0));
    await load.more(10);
  }
  await load.stop();
  assertEquals([...load.statuses.keys()], [200]);
});

Deno.test("proxy loses no request while endpoints are replaced", async () => {
  await using world = new ProxyWorld();
  const start = (): Upstream => new Upstream(answering(() => reply("ok")));
  let current = [start(), start()];
  const entries = [routeTo(backend)];
  const gateways = [gateway("gw", [listener("gw", { port: 0, routes: entries })])];
  const config = (revision: number, upstreams: readonly Upstream[]) =>
    configOf({
      revision,
      gateways,
      clusters: [cluster(backend, upstreams.map(({ endpoint }) => endpoint))],
    });
  const [acknowledgement] = await world.dataPlane.apply(config(1, current));
  const load = new Load(acknowledgement?.listeners[0]?.boundPort ?? 0);
  for (let round = 2; round <= 12; round++) {
    const [leaving, staying] = current;
    assert(leaving && staying);
    const coming = start();
    current = [staying, coming];
    await world.dataPlane.apply(config(round, current));
    // What was in flight on it is over by now: each client has had several responses since.
    await load.more(40);
    await leaving[Symbol.asyncDispose]();
  }
  await load.stop();
  for (const upstream of current) await upstream[Symbol.asyncDispose]();
  assertEquals([...load.statuses.keys()], [200]);
});

Deno.test("proxy loses no request while an endpoint of the configuration takes none", async () => {
  await using world = new ProxyWorld();
  const gone = new Upstream(answering(() => reply("ok")));
  await using staying = new Upstream(answering(() => reply("ok")));
  await gone[Symbol.asyncDispose]();
  const port = await world.serve([routeTo(backend)], [gone.endpoint, staying.endpoint]);
  const load = new Load(port);
  await load.more(200);
  await load.stop();
  assertEquals([...load.statuses.keys()], [200]);
});

Deno.test("proxy finishes a request on an endpoint that is gone from the configuration", async () => {
  const arrived = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  await using leaving = new Upstream(async (connection) => {
    await connection.request();
    arrived.resolve();
    await finish.promise;
    await connection.send(reply("old"));
    await connection.rest();
    closed.resolve();
  });
  await using coming = new Upstream(answering(() => reply("new")));
  await using world = new ProxyWorld();
  const entries = [routeTo(backend)];
  const port = await world.serve(entries, [leaving.endpoint]);
  const slow = exchange(port, "GET /", "Host: a");
  await arrived.promise;
  await world.dataPlane.apply(configOf({
    revision: 2,
    gateways: [gateway("gw", [listener("gw", { port: 0, routes: entries })])],
    clusters: [cluster(backend, [coming.endpoint])],
  }));
  assertEquals((await exchange(port, "GET /", "Host: a")).body, "new");
  finish.resolve();
  assertEquals((await slow).body, "old");
  await closed.promise;
});

Deno.test("proxy survives clients and backends that break off anywhere, and keeps nothing", async () => {
  let seed = 42;
  const random = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const answer = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n`;
  await using upstream = new Upstream(async (connection) => {
    for (;;) {
      await connection.request();
      await connection.send(answer.slice(0, random(3) === 0 ? random(answer.length) : undefined));
      if (random(3) === 0) return;
    }
  });
  await using world = new ProxyWorld({ headersTimeoutMs: 100, bodyIdleTimeoutMs: 100 });
  const port = await world.serve([routeTo(backend)], [upstream.endpoint]);
  const request = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" +
    "4\r\nbody\r\n0\r\n\r\n";
  const breakOff = async (): Promise<void> => {
    using client = await RawClient.connect(port);
    await client.send(request.slice(0, random(request.length + 1)));
    if (random(2) === 0) await client.read(1 + random(answer.length));
  };
  for (let round = 0; round < 4; round++) {
    const clients = Array.from({ length: 50 }, () => breakOff().catch(() => {}));
    // Some wait for an answer to half a request; their time limits end that.
    await Promise.race([
      Promise.all(clients),
      new Promise((resolve) => setTimeout(resolve, 20)),
    ]);
    upstream.cut();
    await Promise.all(clients);
  }
  while (world.dataPlane.requests > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  const text = world.metrics.render();
  assert(text.includes("weir_proxy_requests_in_progress 0"));
});
