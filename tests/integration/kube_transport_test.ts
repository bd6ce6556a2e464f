// The wire of a real API server: what breaks here shows up as a control plane that is deaf, that waits
// for ever, that trusts anybody, or that gives its token away.

import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import net from "node:net";
import { systemClock } from "../../src/base/clock.ts";
import type { ClusterAccess, ClusterIdentity } from "../../src/kube/cluster_access.ts";
import { ClusterError, type ClusterErrorKind } from "../../src/kube/cluster_error.ts";
import { HttpTransport, type TransportLimits } from "../../src/kube/http_transport.ts";
import { RequestPace } from "../../src/kube/request_pace.ts";
import { DevelopmentCa } from "../../src/localkube/development_ca.ts";
import { ApiDouble } from "../fakes/api_double.ts";
import { type DoubleReply, refusal } from "../fakes/double_reply.ts";
import { DoubleServer, type ServerCertificates } from "../fakes/double_server.ts";
import { DoubleStream } from "../fakes/double_stream.ts";

const routes = "/apis/gateway.networking.k8s.io/v1/httproutes";

interface WorldOptions {
  readonly certificates?: ServerCertificates;
  readonly limits?: Partial<TransportLimits>;
  readonly identities?: readonly ClusterIdentity[];
  readonly access?: Partial<ClusterAccess>;
}

/** A server and a transport to it. */
class World {
  readonly double = new ApiDouble();
  readonly server: DoubleServer;
  readonly stop = new AbortController();
  forgotten = 0;
  readonly #options: WorldOptions;
  #transport: HttpTransport | undefined;

  constructor(options: WorldOptions = {}) {
    this.#options = options;
    this.server = new DoubleServer(this.double, options.certificates);
  }

  async start(): Promise<HttpTransport> {
    const { identities = [{}], access = {}, limits } = this.#options;
    const server = await this.server.start();
    this.#transport = new HttpTransport({
      access: {
        server,
        isInsecure: false,
        credentials: {
          identity: () =>
            Promise.resolve(identities[Math.min(this.forgotten, identities.length - 1)] ?? {}),
          forget: () => void this.forgotten++,
        },
        ...access,
      },
      clock: systemClock,
      pace: new RequestPace({ perSecond: 1_000, burst: 1_000 }, systemClock),
      userAgent: "weir/test",
      ...limits === undefined ? {} : { limits },
    });
    return this.#transport;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop.abort(new Error("The test is over"));
    this.#transport?.close();
    await this.server.stop();
  }
}

async function failsAs(kind: ClusterErrorKind, work: () => Promise<unknown>): Promise<string> {
  const error = await assertRejects(work, ClusterError);
  assertEquals(error.kind, kind, error.message);
  return error.message;
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of chunks) text += decoder.decode(chunk, { stream: true });
  return text;
}

// A plugin that hung held up the process that was told to end, and the renewal of the Lease for a minute.
Deno.test("A credential that never comes holds a request up for its time and not beyond the end", async () => {
  const identity = (): Promise<ClusterIdentity> => new Promise(() => {});
  await using world = new World({ access: { credentials: { identity, forget() {} } } });
  const transport = await world.start();
  const { signal } = world.stop;
  await failsAs("timeout", () => transport.request({ path: "/a", timeoutMs: 20, signal }));
  const waiting = transport.request({ path: "/a", signal });
  world.stop.abort(new Error("The end"));
  await assertRejects(() => waiting, Error, "The end");
  await assertRejects(() => transport.request({ path: "/a", signal }), Error, "The end");
});

Deno.test("A request has path, query, body, headers and nothing of the credential in its errors", async () => {
  await using world = new World({
    identities: [{ authorization: "Bearer SECRET" }],
    access: {
      impersonate: { user: "jane", groups: ["dev", "ops"], extra: { "example.org/why": ["x"] } },
    },
  });
  const transport = await world.start();
  const { signal } = world.stop;
  world.double.intercept = () => ({ type: "answer", code: 201, body: '{"ok":true}' });
  const answer = await transport.request({
    method: "PATCH",
    path: "/a/b",
    query: { fieldManager: "weir/x", force: "true" },
    body: { é: 1 },
    contentType: "application/apply-patch+yaml",
    signal,
  });
  assertEquals(answer, { ok: true });
  const [request] = world.server.served;
  assertEquals(request?.url, "/a/b?fieldManager=weir%2Fx&force=true");
  assertEquals([request?.method, request?.body], ["PATCH", '{"é":1}']);
  const { headers } = request ?? {};
  assertEquals(headers?.authorization, "Bearer SECRET");
  assertEquals(headers?.["content-type"], "application/apply-patch+yaml");
  assertEquals(headers?.["user-agent"], "weir/test");
  assertEquals(headers?.["impersonate-user"], "jane");
  assertEquals(headers?.["impersonate-group"], "dev, ops");
  assertEquals(headers?.["impersonate-extra-example.org%2fwhy"], "x");
  world.double.intercept = () => ({ type: "reset" });
  const message = await failsAs("unreachable", () => transport.request({ path: "/", signal }));
  assert(!message.includes("SECRET"));
});

const answers: readonly [what: string, reply: DoubleReply, kind: ClusterErrorKind][] = [
  ["a refusal", refusal(403, "Forbidden", { message: "no" }), "forbidden"],
  ["no JSON", { type: "answer", code: 200, body: "<html>" }, "garbled"],
  ["a redirect", {
    type: "answer",
    code: 302,
    headers: { location: "http://127.0.0.1:1/" },
    body: "",
  }, "garbled"],
  ["more than is allowed", { type: "answer", code: 200, body: "x".repeat(20_000) }, "too-large"],
  ["a long refusal", { type: "answer", code: 500, body: "x".repeat(20_000) }, "unavailable"],
  ["nothing", { type: "hang" }, "timeout"],
  ["a reset", { type: "reset" }, "unreachable"],
];
for (const [what, reply, kind] of answers) {
  Deno.test(`An answer that is ${what} fails as ${kind}, and the next one is read`, async () => {
    await using world = new World({
      limits: { answerMs: 300, answerBytesMax: 10_000, refusalBytesMax: 1_000 },
    });
    const transport = await world.start();
    const { signal } = world.stop;
    world.double.intercept = () => reply;
    await failsAs(kind, () => transport.request({ path: routes, signal }));
    world.double.intercept = () => undefined;
    const list = await transport.request({ path: routes, signal });
    assertEquals(typeof list, "object");
  });
}

Deno.test("A body that breaks off is no answer", async () => {
  await using world = new World();
  const transport = await world.start();
  const stream = new DoubleStream();
  stream.sendText('{"kind":"List"}');
  world.double.intercept = () => ({ type: "stream", stream });
  setTimeout(() => stream.cut(), 50);
  await failsAs(
    "unreachable",
    () => transport.request({ path: routes, signal: world.stop.signal }),
  );
});

Deno.test("Refused, no such name, abort: each at once and as what it is", async () => {
  await using world = new World();
  const transport = await world.start();
  const stop = new AbortController();
  world.double.intercept = () => ({ type: "hang" });
  const waiting = transport.request({ path: routes, signal: stop.signal });
  setTimeout(() => stop.abort(new Error("enough")), 50);
  await assertRejects(() => waiting, Error, "enough");
  await world.server.stop();
  await failsAs(
    "unreachable",
    () => transport.request({ path: routes, signal: world.stop.signal }),
  );
});

Deno.test("401 makes the credential be read anew, once", async () => {
  await using world = new World({
    identities: [{ authorization: "Bearer old" }, { authorization: "Bearer new" }],
  });
  const transport = await world.start();
  const { signal } = world.stop;
  world.double.tokens = new Set(["new"]);
  await transport.request({ path: routes, signal });
  assertEquals(world.forgotten, 1);
  world.double.tokens = new Set(["other"]);
  await failsAs("unauthorized", () => transport.request({ path: routes, signal }));
  assertEquals(world.server.served.length, 4);
});

Deno.test("Connections are kept; one that the server closed is replaced without a word", async () => {
  await using world = new World();
  const transport = await world.start();
  const { signal } = world.stop;
  for (let i = 0; i < 5; i++) await transport.request({ path: routes, signal });
  assertEquals(world.server.connectionCount, 1);
  world.server.dropConnections();
  await transport.request({ path: routes, signal });
  assertEquals(world.server.connectionCount, 2);
});

Deno.test("A stream ends properly, is cut, falls silent, or is left", async () => {
  await using world = new World();
  const transport = await world.start();
  const { signal } = world.stop;
  const streams: DoubleStream[] = [];
  world.double.intercept = () => {
    const stream = new DoubleStream();
    streams.push(stream);
    stream.sendText("one\n");
    return { type: "stream", stream };
  };
  const open = async () => (await transport.open({ path: routes, idleMs: 300, signal })).chunks;
  const ended = await open();
  setTimeout(() => {
    streams[0]?.sendText("two\n");
    streams[0]?.end();
  }, 100);
  assertEquals(await collect(ended), "one\ntwo\n");
  const cut = await open();
  setTimeout(() => streams[1]?.cut(), 50);
  await failsAs("unreachable", () => collect(cut));
  const silent = await open();
  await failsAs("timeout", () => collect(silent));
  for await (const _ of await open()) break;
  await systemClock.sleep(50);
  assertEquals(streams.map(({ isOpen }) => isOpen), [false, false, false, false]);
});

Deno.test("A stream outlives the time limit of its answer, and ends with the signal", async () => {
  await using world = new World({ limits: { answerMs: 100 } });
  const transport = await world.start();
  const stream = new DoubleStream();
  world.double.intercept = () => ({ type: "stream", stream });
  const stop = new AbortController();
  const { chunks } = await transport.open({ path: routes, idleMs: 5_000, signal: stop.signal });
  setTimeout(() => stop.abort(new Error("enough")), 300);
  await assertRejects(() => collect(chunks), Error, "enough");
});

/** An authority and a server certificate of it. */
async function certificatesFor(name: string, clientCa?: string) {
  const ca = new DevelopmentCa(systemClock);
  const { certificateChain: cert, privateKey: key } = await ca.issue([name]);
  const certificates = { cert, key, ...clientCa === undefined ? {} : { clientCa } };
  return { ca: await ca.certificate(), certificates };
}

Deno.test("TLS: only the given authority is trusted, for the server's own name", async () => {
  const { ca, certificates } = await certificatesFor("127.0.0.1");
  const other = await certificatesFor("127.0.0.1");
  const named = await certificatesFor("kube.example");
  const ask = async (options: WorldOptions) => {
    await using world = new World(options);
    const transport = await world.start();
    return await transport.request({ path: routes, signal: world.stop.signal });
  };
  await ask({ certificates, identities: [{ ca }] });
  await failsAs("untrusted", () => ask({ certificates, identities: [{ ca: other.ca }] }));
  await failsAs("untrusted", () => ask({ certificates, identities: [{}] }));
  const { ca: namedCa, certificates: namedCertificates } = named;
  const byName = { certificates: namedCertificates, identities: [{ ca: namedCa }] };
  const message = await failsAs("untrusted", () => ask(byName));
  assertStringIncludes(message, "does not match certificate");
  await ask({ ...byName, access: { tlsServerName: "kube.example" } });
  await ask({ certificates, access: { isInsecure: true } });
});

Deno.test("TLS: a client certificate is shown, and a new one with new connections", async () => {
  const clients = new DevelopmentCa(systemClock);
  const [one, two] = [await clients.issue(["one"]), await clients.issue(["two"])];
  const { ca, certificates } = await certificatesFor("127.0.0.1", await clients.certificate());
  const identities = [one, two].map(({ certificateChain: cert, privateKey: key }) => ({
    ca,
    cert,
    key,
  }));
  await using world = new World({ certificates, identities });
  const transport = await world.start();
  const { signal } = world.stop;
  await transport.request({ path: routes, signal });
  await transport.request({ path: routes, signal });
  world.forgotten++;
  await transport.request({ path: routes, signal });
  assertEquals(world.server.served.map(({ client }) => client), ["one", "one", "two"]);
  assertEquals(world.server.connectionCount, 2);
});

/** A proxy that notes the first bytes of each client and then leads where `target` says. */
async function startProxy(answer: (socket: net.Socket) => Promise<string>, target: () => URL) {
  const seen: string[] = [];
  const sockets = new Set<net.Socket>();
  const server = net.createServer(async (socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    seen.push(await answer(socket));
    const out = net.connect(Number(target().port), target().hostname);
    sockets.add(out);
    out.on("error", () => {});
    socket.pipe(out).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const stop = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return { port, seen, [Symbol.asyncDispose]: stop };
}

function readOnce(socket: net.Socket): Promise<Uint8Array> {
  return new Promise((resolve) => socket.once("data", resolve));
}

Deno.test("An HTTP proxy is asked for a tunnel, with its credentials and not with ours", async () => {
  const { ca, certificates } = await certificatesFor("127.0.0.1");
  let server = new URL("https://127.0.0.1");
  await using proxy = await startProxy(async (socket) => {
    const head = new TextDecoder().decode(await readOnce(socket));
    socket.write("HTTP/1.1 200 Connected\r\nX: y\r\n\r\n");
    return head;
  }, () => server);
  await using world = new World({
    certificates,
    identities: [{ ca, authorization: "Bearer SECRET" }],
    access: { proxy: new URL(`http://me:pass%20word@127.0.0.1:${proxy.port}`) },
  });
  const transport = await world.start();
  server = world.server.url;
  await transport.request({ path: routes, signal: world.stop.signal });
  assertStringIncludes(proxy.seen[0] ?? "", `CONNECT 127.0.0.1:${server.port} HTTP/1.1\r\n`);
  assertStringIncludes(proxy.seen[0] ?? "", `Proxy-Authorization: Basic ${btoa("me:pass word")}`);
  assert(!proxy.seen[0]?.includes("SECRET"));
});

// The library's limit of time goes on, without holding the process, when the tunnel is there.
const withLibraryTimer = { sanitizeOps: false, sanitizeResources: false };

Deno.test("A SOCKS5 proxy is asked for a tunnel", withLibraryTimer, async () => {
  let server = new URL("http://127.0.0.1");
  await using proxy = await startProxy(async (socket) => {
    const hello = await readOnce(socket);
    socket.write(new Uint8Array([5, 0]));
    const request = await readOnce(socket);
    socket.write(new Uint8Array([5, 0, 0, 1, 127, 0, 0, 1, 0, 0]));
    return `${[...hello]} ${[...request.slice(0, -2)]}`;
  }, () => server);
  await using world = new World({
    access: { proxy: new URL(`socks5://127.0.0.1:${proxy.port}`) },
  });
  const transport = await world.start();
  server = world.server.url;
  await transport.request({ path: routes, signal: world.stop.signal });
  // An address is sent as one (RFC 1928, 5), a name as a name (proxy_tunnel_test.ts).
  assertEquals(proxy.seen, ["5,1,0 5,1,0,1,127,0,0,1"]);
});

Deno.test("A proxy that refuses is told without its password", async () => {
  await using proxy = await startProxy(async (socket) => {
    await readOnce(socket);
    socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    return "";
  }, () => new URL("http://127.0.0.1:9"));
  await using world = new World({
    access: { proxy: new URL(`http://me:SECRET@127.0.0.1:${proxy.port}`) },
  });
  const transport = await world.start();
  const message = await failsAs(
    "unreachable",
    () => transport.request({ path: routes, signal: world.stop.signal }),
  );
  assertStringIncludes(message, "407");
  assert(!message.includes("SECRET"));
});

Deno.test("A server that takes the connection and no TLS is left after a time", async () => {
  const mute = net.createServer((socket) => socket.on("error", () => {}).resume());
  await new Promise<void>((resolve) => mute.listen(0, "127.0.0.1", resolve));
  const address = mute.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  await using world = new World({
    access: { server: new URL(`https://127.0.0.1:${port}`) },
    limits: { connectMs: 200 },
  });
  const transport = await world.start();
  await failsAs("timeout", () => transport.request({ path: routes, signal: world.stop.signal }));
  await new Promise<void>((resolve) => mute.close(() => resolve()));
});
