// Worlds of the translation delivered to a real Envoy: certificates by name, streams, sessions, weights
// and TLS to backends. What a user would lose: connections that arrive at the wrong backend, in the
// clear, or nowhere.

import { assert, assertEquals } from "@std/assert";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer as createTlsServer } from "node:https";
import { request } from "node:https";
import { connect } from "node:tls";
import {
  type Certificate,
  certificateName,
  type Cluster,
  clusterName,
  type Listener,
  type StreamRouteEntry,
  type WeightedBackend,
} from "../../src/dataplane/model.ts";
import { cluster, configOf, gateway, listener, loopback } from "../fakes/data_plane_config.ts";
import { newTranslator } from "../fakes/envoy_translation.ts";
import { makeCertificate } from "../fakes/gateway_certificates.ts";
import { routeEntry } from "../fakes/route_entries.ts";
import { type EnvoyRig, freePort, startUpstream, testWithEnvoy } from "./envoy_rig.ts";
import { ask as askFor } from "./compared_answer.ts";
import { testNode } from "./real_envoy.ts";
import { until } from "./until.ts";

/** Delivers listeners and waits until Envoy took all of them. */
async function deliver(
  rig: EnvoyRig,
  listeners: readonly Listener[],
  clusters: readonly Cluster[],
  certificates: readonly Certificate[] = [],
): Promise<void> {
  const config = configOf({ gateways: [gateway("web", listeners)], clusters, certificates });
  const { world, refusals } = newTranslator().translate(config);
  assertEquals(refusals, []);
  rig.server.setWorld(testNode.cluster, world);
  const view = await rig.settled();
  assertEquals(view.refused, []);
  for (const { port, protocol } of listeners) if (protocol !== "UDP") await accepts(port);
}

/** Envoy takes a listener before it opens it: first it waits for what the listener names. */
async function accepts(port: number): Promise<void> {
  await until(`port ${port} is open`, 10_000, async () => {
    (await Deno.connect({ hostname: "127.0.0.1", port })).close();
    return true;
  });
}

async function certificateFor(host: string): Promise<Certificate> {
  const { certificate, key } = await makeCertificate([host]);
  return {
    name: certificateName("default", host),
    certificateChain: certificate,
    privateKey: key,
    digest: host,
    leaf: { dnsNames: [host], notBefore: "", notAfter: "" },
  };
}

const a = clusterName("default", "a", 80);
const b = clusterName("default", "b", 80);
const empty = clusterName("default", "empty", 80);

function backend(name: typeof a | undefined, weight = 1): WeightedBackend {
  return { weight, filters: [], ...(name === undefined ? {} : { cluster: name }) };
}

async function ask(
  port: number,
  headers: Record<string, string> = {},
): Promise<[number, string, string]> {
  const response = await fetch(`http://127.0.0.1:${port}/`, { headers });
  return [response.status, await response.text(), response.headers.get("set-cookie") ?? ""];
}

testWithEnvoy(
  "weights give each share its answer, the invalid and the empty one too",
  async (rig) => {
    const [port, upstream] = [freePort(), startUpstream("a")];
    const entry = routeEntry({
      action: { backends: [backend(undefined), backend(empty), backend(a)] },
    });
    await deliver(rig, [listener("web", { port, routes: [entry] })], [
      cluster(a, loopback(upstream.port)),
      cluster(empty, []),
    ]);
    const counts = new Map<number, number>();
    for (let index = 0; index < 120; index++) {
      const [status] = await ask(port);
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }
    for (const status of [200, 500, 503]) {
      const count = counts.get(status) ?? 0;
      assert(count > 15 && count < 65, `${count} times ${status}`);
    }
    await upstream.close();
  },
);

testWithEnvoy("a session stays with its endpoint over backends with weights", async (rig) => {
  const [port, one, two] = [freePort(), startUpstream("one"), startUpstream("two")];
  const entry = routeEntry({
    action: {
      backends: [backend(a), backend(b)],
      sessionPersistence: { type: "Cookie", sessionName: "stay", isPermanent: false },
    },
  });
  await deliver(rig, [listener("web", { port, routes: [entry] })], [
    cluster(a, loopback(one.port)),
    cluster(b, loopback(two.port)),
  ]);
  const firsts = new Set<string>();
  for (let index = 0; index < 12; index++) {
    const [status, says, cookie] = await ask(port);
    assertEquals(status, 200);
    firsts.add(says);
    const value = cookie.split(";")[0] ?? "";
    assert(value.startsWith("stay="), cookie);
    for (let again = 0; again < 4; again++) {
      assertEquals((await ask(port, { cookie: value }))[1], says);
    }
  }
  assertEquals([...firsts].sort(), ["one", "two"]);
  await Promise.all([one.close(), two.close()]);
});

function stream(kind: string, cluster: typeof a, hostname?: string): StreamRouteEntry {
  return {
    origin: { kind, namespace: "default", name: kind.toLowerCase() },
    creationTimestamp: "2026-01-01T00:00:00Z",
    backends: [{ weight: 1, cluster }],
    ...(hostname === undefined ? {} : { hostname }),
  };
}

/** The names in the certificate that a client is shown; empty: the connection is closed. */
function shownCertificate(port: number, servername: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = connect({ host: "127.0.0.1", port, servername, rejectUnauthorized: false });
  socket.on("secureConnect", () => {
    resolve(socket.getPeerCertificate().subjectaltname ?? "");
    socket.destroy();
  });
  socket.on("error", () => resolve(""));
  socket.on("close", () => resolve(""));
  return promise;
}

testWithEnvoy(
  "TLS: passed on and ended on one port, by the name that is asked for",
  async (rig) => {
    const [inner, outer] = [await certificateFor("pass.io"), await certificateFor("end.io")];
    const server = createTlsServer({ cert: inner.certificateChain, key: inner.privateKey });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    assert(address !== null && typeof address === "object");
    const port = freePort();
    const secure = clusterName("default", "secure", 443, "TCP");
    await deliver(
      rig,
      [
        listener("web", {
          name: "pass",
          port,
          protocol: "TLS",
          hostname: "*.io",
          streams: [stream("TLSRoute", secure, "pass.io")],
        }),
        listener("web", {
          name: "end",
          port,
          protocol: "HTTPS",
          hostname: "end.io",
          certificates: [outer.name],
        }),
      ],
      [cluster(secure, loopback(address.port))],
      [outer],
    );
    assertEquals(await shownCertificate(port, "pass.io"), "DNS:pass.io");
    assertEquals(await shownCertificate(port, "end.io"), "DNS:end.io");
    assertEquals(await shownCertificate(port, "none.io"), "");
    assertEquals(await shownCertificate(port, "other"), "");
    server.close();
  },
);

testWithEnvoy("TCP and UDP on the same port reach their backends", async (rig) => {
  const upstream = startUpstream("tcp");
  const echo = createSocket("udp4");
  echo.on("message", (message, from) => echo.send(message, from.port, from.address));
  echo.bind(0, "127.0.0.1");
  await once(echo, "listening");
  const [tcp, udp] = [
    clusterName("default", "t", 53, "TCP"),
    clusterName("default", "u", 53, "UDP"),
  ];
  const port = freePort();
  await deliver(
    rig,
    [
      listener("web", { name: "t", port, protocol: "TCP", streams: [stream("TCPRoute", tcp)] }),
      listener("web", { name: "u", port, protocol: "UDP", streams: [stream("UDPRoute", udp)] }),
    ],
    [cluster(tcp, loopback(upstream.port)), cluster(udp, loopback(echo.address().port))],
  );
  assertEquals((await ask(port))[1], "tcp");
  const client = createSocket("udp4");
  client.send("ping", port, "127.0.0.1");
  const [answer] = await once(client, "message", { signal: AbortSignal.timeout(5_000) });
  assertEquals(String(answer), "ping");
  client.close();
  echo.close();
  await upstream.close();
});

/** The status of a request with TLS, with a client's certificate if there is one. */
function askTls(port: number, servername: string, client?: Certificate): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const sent = request({
    host: "127.0.0.1",
    port,
    servername,
    rejectUnauthorized: false,
    headers: { host: servername },
    agent: false,
    ...(client === undefined ? {} : { cert: client.certificateChain, key: client.privateKey }),
  }, (response) => {
    response.resume();
    resolve(response.statusCode ?? 0);
  });
  sent.on("error", () => resolve(0));
  sent.end();
  return promise;
}

testWithEnvoy(
  "certificates of backends and of clients are held against what is given",
  async (rig) => {
    const [inner, outer, client, stranger] = [
      await certificateFor("inner.io"),
      await certificateFor("a.io"),
      await certificateFor("client"),
      await certificateFor("stranger"),
    ];
    const server = createTlsServer(
      { cert: inner.certificateChain, key: inner.privateKey },
      (_, response) => response.end("secured"),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    assert(address !== null && typeof address === "object");
    const [plain, strict, open] = [freePort(), freePort(), freePort()];
    const secured = (name: typeof a, hostname: string, authority: Certificate): Cluster => ({
      ...cluster(name, loopback(address.port)),
      tls: { hostname, subjectAltNames: [], trust: [authority.certificateChain] },
    });
    const validation = (isOptional: boolean) => ({
      caCertificates: [client.certificateChain],
      isOptional,
    });
    const routes = [
      routeEntry({ path: "Exact:/", action: { backends: [backend(a)] } }),
    ];
    const tls = (name: string, port: number, isOptional: boolean): Listener =>
      listener("web", {
        name,
        port,
        protocol: "HTTPS",
        certificates: [outer.name],
        clientValidation: validation(isOptional),
        routes,
      });
    const wrongName = clusterName("default", "wrong-name", 80);
    const wrongAuthority = clusterName("default", "wrong-authority", 80);
    const to = (hostname: string, name: typeof a) =>
      routeEntry({ hostname, action: { backends: [backend(name)] } });
    await deliver(
      rig,
      [
        listener("web", {
          port: plain,
          routes: [to("auth.io", wrongAuthority), to("good.io", a), to("name.io", wrongName)],
        }),
        tls("strict", strict, false),
        tls("open", open, true),
      ],
      [
        secured(a, "inner.io", inner),
        secured(wrongName, "other.io", inner),
        secured(wrongAuthority, "inner.io", outer),
      ],
      [outer],
    );
    const status = async (host: string): Promise<number> =>
      (await askFor(plain, { host, target: "/" })).status;
    assertEquals(
      [await status("good.io"), await status("name.io"), await status("auth.io")],
      [200, 503, 503],
    );
    assertEquals(
      [
        await askTls(strict, "a.io", client),
        await askTls(strict, "a.io", stranger),
        await askTls(strict, "a.io"),
      ],
      [200, 0, 0],
    );
    assertEquals(
      [
        await askTls(open, "a.io", client),
        await askTls(open, "a.io", stranger),
        await askTls(open, "a.io"),
      ],
      [200, 200, 200],
    );
    server.closeAllConnections();
    server.close();
  },
);
