// Who can open the ADS socket is given private keys, so it must be for one user alone; and a stream
// that breaks, or brings garbage, must end by itself and leave nothing behind.

import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import http2 from "node:http2";
import net from "node:net";
import { systemClock } from "../../src/base/clock.ts";
import { noLog } from "../../src/base/log.ts";
import { SortedMap } from "../../src/base/sorted_map.ts";
import { createAdsApp, deltaAdsPath } from "../../src/envoy/ads/ads_app.ts";
import { type AdsAddress, AdsListenError, serveAds } from "../../src/envoy/ads/ads_listener.ts";
import { AdsServer } from "../../src/envoy/ads/ads_server.ts";
import { defaultStreamLimits } from "../../src/envoy/ads/ads_stream.ts";
import { frameMessage, FrameReader } from "../../src/envoy/ads/grpc_frames.ts";
import type { ProtoJson } from "../../src/envoy/codec.ts";
import { loadEnvoyCodec } from "../../src/envoy/protobuf_codec.ts";
import {
  type EnvoyResource,
  makeResource,
  messageNames,
  typeUrl,
} from "../../src/envoy/resources.ts";

const codec = await loadEnvoyCodec();
const requestName = "envoy.service.discovery.v3.DeltaDiscoveryRequest";
const responseName = "envoy.service.discovery.v3.DeltaDiscoveryResponse";
const first = {
  node: { id: "envoy-0", cluster: "w" },
  typeUrl: typeUrl("cluster"),
  resourceNamesSubscribe: ["*"],
};

function newServer(): AdsServer {
  const server = new AdsServer({
    worldNameOf: ({ cluster }, peer) => peer === "stranger" ? undefined : cluster,
    limits: defaultStreamLimits,
    salt: () => new Uint8Array(),
    clock: systemClock,
    log: noLog,
  });
  const bytes = codec.encode(messageNames.cluster, { name: "a" });
  const empty = new SortedMap<string, EnvoyResource>();
  const cluster = empty.edit([["a", makeResource("cluster", "a", bytes, [])]]);
  server.setWorld("w", {
    revision: 1,
    resources: {
      ...{ secret: empty, cluster, endpoints: empty, extension: empty },
      ...{ listener: empty, route: empty, scope: empty },
    },
  });
  return server;
}

/** Serves at `address` for the time of `test`, which is given the port. */
async function serving(
  address: AdsAddress,
  test: (server: AdsServer, port: number) => Promise<void>,
): Promise<void> {
  const server = newServer();
  const app = createAdsApp({ server, codec, log: noLog });
  const controller = new AbortController();
  const listening = Promise.withResolvers<number>();
  const run = serveAds(
    { address, app, log: noLog, onListening: (port) => listening.resolve(port ?? 0) },
    controller.signal,
  );
  run.catch(listening.reject);
  try {
    await test(server, await listening.promise);
  } finally {
    controller.abort();
    await run.catch(() => {});
    server.stop();
  }
}

/** One gRPC stream over HTTP/2. */
class Client {
  readonly #session: http2.ClientHttp2Session;
  readonly #stream: http2.ClientHttp2Stream;
  readonly #frames = new FrameReader(1_000_000);
  readonly messages: ProtoJson[] = [];
  status = 0;
  readonly ended = Promise.withResolvers<void>();
  #wake = Promise.withResolvers<void>();

  constructor(connect: () => net.Socket, contentType = "application/grpc") {
    this.#session = http2.connect("http://127.0.0.1", { createConnection: connect });
    this.#session.on("error", () => {});
    this.#stream = this.#session.request({
      ":method": "POST",
      ":path": deltaAdsPath,
      "content-type": contentType,
      te: "trailers",
    });
    this.#stream.on("response", (headers) => {
      this.status = Number(headers[":status"]);
      this.#wake.resolve();
    });
    this.#stream.on("error", () => {});
    this.#stream.on("data", (chunk: Uint8Array) => {
      for (const message of this.#frames.push(new Uint8Array(chunk))) {
        this.messages.push(codec.decode(responseName, message));
      }
      this.#wake.resolve();
    });
    this.#stream.on("close", () => this.ended.resolve());
    this.#stream.on("end", () => this.ended.resolve());
  }

  write(bytes: Uint8Array): void {
    this.#stream.write(bytes);
  }

  ask(request: Parameters<typeof codec.encode>[1]): void {
    this.write(frameMessage(codec.encode(requestName, request)));
  }

  /** Waits until `isThere`. */
  async until(isThere: () => boolean): Promise<void> {
    while (!isThere()) {
      await this.#wake.promise;
      this.#wake = Promise.withResolvers();
    }
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#session.on("close", () => resolve()));
    this.#session.destroy();
    await closed;
  }
}

async function withFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "weir-ads-" });
  try {
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The socket that the suite may open, in a folder that is not there yet. */
async function withSocket(test: (path: string, folder: string) => Promise<void>): Promise<void> {
  await withFolder(async (other) => {
    const path = Deno.env.get("SOCKET_FOR_TESTS") ?? `${other}/ads/test.sock`;
    const folder = path.slice(0, path.lastIndexOf("/"));
    try {
      await test(path, folder);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}

Deno.test("serveAds() answers on a socket that is for this user alone, and takes it away", async () => {
  await withSocket(async (path, folder) => {
    await serving({ path }, async (server) => {
      assertEquals(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o600);
      assertEquals(((await Deno.stat(folder)).mode ?? 0) & 0o777, 0o700);
      const client = new Client(() => net.connect({ path }));
      client.ask(first);
      await client.until(() => client.messages.length > 0);
      assertStringIncludes(JSON.stringify(client.messages), '"name":"a"');
      assertEquals(server.view("envoy-0")?.streams, 1);
      await client.close();
    });
    await assertRejects(() => Deno.stat(path), Deno.errors.NotFound);
  });
});

Deno.test("serveAds() takes over the socket of a process that was killed, and of no other", async () => {
  await withSocket(async (path, folder) => {
    await Deno.mkdir(folder, { mode: 0o700 });
    await serving({ path }, async () => {
      const error = await assertRejects(() => serving({ path }, async () => {}), AdsListenError);
      assertStringIncludes(error.message, "is in use by another process");
    });
    const left = Deno.listen({ transport: "unix", path });
    left.close();
    await serving({ path }, async () => {});
    await Deno.writeTextFile(path, "not a socket");
    const error = await assertRejects(() => serving({ path }, async () => {}), AdsListenError);
    assertStringIncludes(error.message, "is no socket");
    assertEquals(await Deno.readTextFile(path), "not a socket");
  });
});

Deno.test("serveAds() refuses a folder that others can read", async () => {
  await withFolder(async (folder) => {
    await Deno.chmod(folder, 0o755);
    const path = `${folder}/ads.sock`;
    const error = await assertRejects(() => serving({ path }, async () => {}), AdsListenError);
    assertStringIncludes(error.message, "wanted mode 0700");
  });
});

Deno.test("serveAds() takes connections on loopback only from whom it knows", async () => {
  const known = new Set<number>();
  const identify = (port: number) => known.has(port) ? "shop/web" : undefined;
  await serving({ port: 0, identify }, async (server, port) => {
    const stranger = new Client(() => net.connect({ port, host: "127.0.0.1" }));
    await stranger.until(() => stranger.status !== 0);
    assertEquals(stranger.status, 403);
    await stranger.close();
    const client = new Client(() => {
      const socket = net.connect({ port, host: "127.0.0.1" });
      socket.on("connect", () => known.add(socket.localPort ?? 0));
      return socket;
    });
    client.ask(first);
    await client.until(() => client.messages.length > 0);
    assertEquals(server.view("envoy-0")?.streams, 1);
    await client.close();
  });
});

Deno.test("createAdsApp() ends a stream of garbage, of a stranger, or of the wrong type", async () => {
  let peer = "shop/web";
  await serving({ port: 0, identify: () => peer }, async (server, port) => {
    const connect = () => net.connect({ port, host: "127.0.0.1" });
    for (const garbage of [[1, 0, 0, 0, 0], [0, 0, 0, 0, 2, 0x0a, 0xff], [0, 255, 0, 0, 0]]) {
      const client = new Client(connect);
      client.ask(first);
      await client.until(() => client.messages.length > 0);
      client.write(new Uint8Array(garbage));
      await client.ended.promise;
      assertEquals(server.view("envoy-0")?.streams, 0);
      await client.close();
    }
    const plain = new Client(connect, "text/plain");
    await plain.until(() => plain.status !== 0);
    assertEquals(plain.status, 415);
    await plain.close();
    peer = "stranger";
    const stranger = new Client(connect);
    stranger.ask(first);
    await stranger.ended.promise;
    assertEquals(stranger.messages, []);
    await stranger.close();
  });
});

Deno.test("serveAds() ends with streams that are open, and notices those that break", async () => {
  let client: Client | undefined;
  await serving({ port: 0, identify: () => "shop/web" }, async (server, port) => {
    const connect = () => net.connect({ port, host: "127.0.0.1" });
    const broken = new Client(connect);
    broken.ask(first);
    await broken.until(() => broken.messages.length > 0);
    await broken.close();
    client = new Client(connect);
    client.ask(first);
    await client.until(() => (client?.messages.length ?? 0) > 0);
    const startMs = performance.now();
    while (server.view("envoy-0")?.streams !== 1) {
      assert(performance.now() - startMs < 10_000, "a broken stream is never noticed");
      await systemClock.sleep(10);
    }
  });
  await client?.ended.promise;
  await client?.close();
});
