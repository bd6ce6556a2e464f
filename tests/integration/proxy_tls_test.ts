/** What a user would lose: the right certificate, and hosts kept apart by their listeners. */

import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import tls from "node:tls";
import { type Certificate, certificateName, type Listener } from "../../src/dataplane/model.ts";
import { makeCertificate } from "../fakes/gateway_certificates.ts";
import { cluster, configOf, gateway, listener } from "../fakes/data_plane_config.ts";
import { backend, ProxyWorld, routeTo } from "../fakes/proxy_world.ts";
import { RawClient, valuesOf } from "../fakes/raw_http.ts";
import { answering, reply, Upstream } from "../fakes/upstream.ts";

let serial = 0;

async function certificate(name: string, ...dnsNames: readonly string[]): Promise<Certificate> {
  const { certificate: certificateChain, key: privateKey } = await makeCertificate(dnsNames);
  const digest = String(++serial);
  const leaf = { dnsNames, notBefore: "", notAfter: "" };
  return { name: certificateName("default", name), certificateChain, privateKey, digest, leaf };
}

function https(name: string, ...certificates: readonly Certificate[]): Partial<Listener> {
  return { name, protocol: "HTTPS", certificates: certificates.map((one) => one.name) };
}

/** The common names of the chain that a handshake with `serverName` shows; empty: it fails. */
function shownFor(port: number, serverName: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = tls.connect({
      host: "127.0.0.1",
      port,
      ...(serverName === "" ? {} : { servername: serverName }),
      rejectUnauthorized: false,
    }, () => {
      const { subjectaltname } = socket.getPeerCertificate();
      socket.destroy();
      resolve(subjectaltname ?? "");
    });
    socket.on("error", () => resolve(""));
  });
}

Deno.test("proxy shows the certificate of the listener that the server name belongs to", async () => {
  const exact = await certificate("exact", "a.example.com");
  const wild = await certificate("wild", "*.example.com");
  const other = await certificate("other", "b.example.com", "*.deep.example.com");
  await using world = new ProxyWorld();
  const [acknowledgement] = await world.dataPlane.apply(configOf({
    gateways: [gateway("gw", [
      listener("gw", { port: 0, hostname: "a.example.com", ...https("exact", exact) }),
      listener("gw", { port: 0, hostname: "*.example.com", ...https("wild", wild, other) }),
    ])],
    certificates: [exact, wild, other],
  }));
  const port = acknowledgement?.listeners[0]?.boundPort ?? 0;
  assertEquals(await shownFor(port, "a.example.com"), "DNS:a.example.com");
  assertEquals(await shownFor(port, "c.example.com"), "DNS:*.example.com");
  assertStringIncludes(await shownFor(port, "b.example.com"), "DNS:*.example.com");
  assertStringIncludes(await shownFor(port, "x.deep.example.com"), "DNS:*.deep.example.com");
  assertEquals(await shownFor(port, "other.org"), "", "no listener, no handshake");
  assertEquals(await shownFor(port, ""), "", "no name, no listener");
});

Deno.test("proxy serves a client without server name where a listener has no hostname", async () => {
  const any = await certificate("any", "localhost");
  await using world = new ProxyWorld();
  const [acknowledgement] = await world.dataPlane.apply(configOf({
    gateways: [gateway("gw", [listener("gw", { port: 0, ...https("any", any) })])],
    certificates: [any],
  }));
  const port = acknowledgement?.listeners[0]?.boundPort ?? 0;
  assertEquals(await shownFor(port, ""), "DNS:localhost");
});

Deno.test("proxy answers 421 when the host belongs to another listener than the server name", async () => {
  await using upstream = new Upstream(answering(() => reply("ok")));
  const a = await certificate("a", "a.example.com");
  const b = await certificate("b", "b.example.com");
  await using world = new ProxyWorld();
  const routes = [routeTo(backend)];
  const [acknowledgement] = await world.dataPlane.apply(configOf({
    gateways: [gateway("gw", [
      listener("gw", { port: 0, hostname: "a.example.com", routes, ...https("a", a) }),
      listener("gw", { port: 0, hostname: "b.example.com", routes, ...https("b", b) }),
    ])],
    clusters: [cluster(backend, [upstream.endpoint])],
    certificates: [a, b],
  }));
  const port = acknowledgement?.listeners[0]?.boundPort ?? 0;
  using client = await RawClient.connect(port, {
    serverName: "a.example.com",
    ca: a.certificateChain,
  });
  await client.request("GET /", "Host: a.example.com");
  assertEquals((await client.response()).status, 200);
  assertEquals(valuesOf(upstream.requests[0]?.lines ?? [], "x-forwarded-proto"), ["https"]);
  await client.request("GET /", "Host: b.example.com");
  const misdirected = await client.response();
  assertEquals(misdirected.status, 421);
  await client.request("GET /", "Host: c.example.com");
  assertEquals((await client.response()).status, 404);
  assertEquals(upstream.requests.length, 1);
});

Deno.test("proxy shows a new certificate to new connections and keeps the old ones", async () => {
  await using upstream = new Upstream(answering(() => reply("ok")));
  const before = await certificate("cert", "a.example.com", "before.example.com");
  const after = await certificate("cert", "a.example.com", "after.example.com");
  await using world = new ProxyWorld();
  const gateways = [
    gateway("gw", [listener("gw", { port: 0, routes: [routeTo(backend)], ...https("a", before) })]),
  ];
  const clusters = [cluster(backend, [upstream.endpoint])];
  const first = configOf({ gateways, clusters, certificates: [before] });
  const [acknowledgement] = await world.dataPlane.apply(first);
  const port = acknowledgement?.listeners[0]?.boundPort ?? 0;
  using client = await RawClient.connect(port, {
    serverName: "a.example.com",
    ca: before.certificateChain,
  });
  await client.request("GET /", "Host: a.example.com");
  await client.response();
  const none = await world.dataPlane.apply({
    ...first,
    revision: 2,
    certificates: new Map([[after.name, after]]),
  });
  assertEquals(none, [], "nothing that a status shows has changed");
  assertStringIncludes(await shownFor(port, "a.example.com"), "after.example.com");
  await client.request("GET /", "Host: a.example.com");
  assertEquals((await client.response()).body, "ok");
  await assertRejects(() =>
    RawClient.connect(port, { serverName: "a.example.com", ca: before.certificateChain })
  );
});

Deno.test("proxy refuses a listener whose certificate is of no use, without naming the key", async () => {
  const good = await certificate("good", "a.example.com");
  const other = await certificate("other", "b.example.com");
  const mixed = {
    ...good,
    name: certificateName("default", "mixed"),
    privateKey: other.privateKey,
  };
  const broken = { ...good, name: certificateName("default", "broken"), privateKey: "no key" };
  await using world = new ProxyWorld();
  const [acknowledgement] = await world.dataPlane.apply(configOf({
    gateways: [gateway("gw", [
      listener("gw", { port: 0, hostname: "a.example.com", ...https("good", good) }),
      listener("gw", { port: 0, hostname: "b.example.com", ...https("mixed", mixed) }),
      listener("gw", { port: 0, hostname: "c.example.com", ...https("broken", broken) }),
    ])],
    certificates: [good, mixed, broken],
  }));
  const refusals = acknowledgement?.refusals ?? [];
  assertEquals(refusals.map(({ listener: name, reason, message }) => [name, reason, message]), [
    [
      "mixed",
      "InvalidCertificateRef",
      'Secret "default/mixed": the private key does not belong to the certificate',
    ],
    [
      "broken",
      "InvalidCertificateRef",
      'Secret "default/broken": the certificate or its private key cannot be read',
    ],
  ]);
  const port = acknowledgement?.listeners[0]?.boundPort ?? 0;
  assert(await shownFor(port, "a.example.com") !== "");
  assertEquals(await shownFor(port, "b.example.com"), "");
});
