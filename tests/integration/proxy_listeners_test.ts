/**
 * What a user would lose: listeners that open, move and close without a request lost, and a status
 * that says where they really are.
 */

import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { systemClock } from "../../src/base/clock.ts";
import type { Acknowledgement } from "../../src/dataplane/data_plane.ts";
import {
  type Certificate,
  certificateName,
  type DataPlaneConfig,
  type HttpRouteEntry,
} from "../../src/dataplane/model.ts";
import { cluster, configOf, gateway, listener } from "../fakes/data_plane_config.ts";
import { backend, ProxyWorld, routeTo } from "../fakes/proxy_world.ts";
import { makeCertificate } from "../fakes/gateway_certificates.ts";
import { exchange, RawClient, valuesOf } from "../fakes/raw_http.ts";
import { routeEntry } from "../fakes/route_entries.ts";
import { answering, reply, Upstream } from "../fakes/upstream.ts";

/** A port that was free a moment ago. */
function freePort(): number {
  const taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = taken.addr;
  taken.close();
  return port;
}

/** One Gateway with one HTTP listener. */
function simple(
  port: number,
  upstream?: Upstream,
  routes: readonly HttpRouteEntry[] = [routeTo(backend)],
): DataPlaneConfig {
  return configOf({
    gateways: [gateway("gw", [listener("gw", { port, routes })])],
    clusters: [cluster(backend, upstream === undefined ? [] : [upstream.endpoint])],
  });
}

function bound(acknowledgements: readonly Acknowledgement[]): (readonly [string, number])[] {
  return acknowledgements.flatMap(({ listeners }) =>
    listeners.map(({ address, boundPort }) => [address, boundPort] as const)
  );
}

Deno.test("proxy listens on every address of a Gateway", async () => {
  await using world = new ProxyWorld();
  const port = freePort();
  const acknowledgements = await world.dataPlane.apply(configOf({
    gateways: [
      gateway("gw", [listener("gw", { port })], { addresses: ["127.0.0.1", "127.0.0.2", "::1"] }),
    ],
  }));
  assertEquals(bound(acknowledgements), [["127.0.0.1", port], ["127.0.0.2", port], ["::1", port]]);
  assertEquals((await exchange(port, "GET /", "Host: a")).status, 404);
});

Deno.test("proxy listens elsewhere when a port is taken and that is allowed", async () => {
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = taken.addr;
  const shift = port > 40_000 ? 1_024 : 10_000;
  await using world = new ProxyWorld({}, { portShift: shift });
  const config = simple(port);
  const [[, boundPort] = ["", 0]] = bound(await world.dataPlane.apply(config));
  assert(boundPort !== port && boundPort > 0);
  assertEquals((await exchange(boundPort, "GET /", "Host: a")).status, 503);
  taken.close();
  const again = await world.dataPlane.apply({ ...config, revision: 2 });
  assertEquals(again, [], "it stays where it is");
});

Deno.test("proxy refuses a listener whose port is taken when it may not move", async () => {
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = taken.addr;
  await using world = new ProxyWorld();
  const config = simple(port);
  const [refused] = await world.dataPlane.apply(config);
  assertEquals(refused?.listeners, []);
  assertEquals(refused?.refusals.map(({ reason, message }) => [reason, message]), [[
    "PortUnavailable",
    `127.0.0.1:${port} is in use by another process, and no other port may be used instead`,
  ]]);
  taken.close();
  const [recovered] = await world.dataPlane.apply({ ...config, revision: 2 });
  assertEquals(recovered?.refusals, [], "tried again with the next configuration");
  assertEquals(recovered?.listeners.length, 1);
});

Deno.test("proxy refuses an address that the machine does not have", async () => {
  await using world = new ProxyWorld({}, { portShift: 18_000 });
  const [refused] = await world.dataPlane.apply(configOf({
    gateways: [gateway("gw", [listener("gw", { port: 8080 })], { addresses: ["192.0.2.99"] })],
  }));
  assertEquals(refused?.refusals.map(({ reason, message }) => [reason, message]), [[
    "AddressNotUsable",
    "192.0.2.99 is not an address that this machine can listen on",
  ]]);
});

Deno.test("proxy merges Gateways that share a port by hostname, the older one first", async () => {
  const port = freePort();
  await using one = new Upstream(answering(() => reply("old")));
  await using world = new ProxyWorld();
  const on = (name: string, hostname: string | undefined) =>
    listener(name, {
      port,
      name: hostname ?? "any",
      routes: [routeTo(backend)],
      ...(hostname === undefined ? {} : { hostname }),
    });
  const acknowledgements = await world.dataPlane.apply(configOf({
    gateways: [
      gateway("young", [on("young", "a.example.com"), on("young", "*.example.com")], {
        creationTimestamp: "2026-01-02T00:00:00Z",
      }),
      gateway("old", [on("old", "a.example.com")]),
    ],
    clusters: [cluster(backend, [one.endpoint])],
  }));
  const young = acknowledgements.find((one) => one.gateway === "default/young");
  const old = acknowledgements.find((one) => one.gateway === "default/old");
  assertEquals(old?.refusals, []);
  assertEquals(young?.listeners.map(({ name }) => name), ["*.example.com"]);
  assertEquals(young?.refusals.map(({ listener, reason }) => [listener, reason]), [
    ["a.example.com", "PortUnavailable"],
  ]);
  assertMatch(young?.refusals[0]?.message ?? "", /belongs to Gateway "default\/old"/);
  assertEquals((await exchange(port, "GET /", "Host: a.example.com")).body, "old");
  assertEquals((await exchange(port, "GET /", "Host: b.example.com")).status, 200);
  assertEquals((await exchange(port, "GET /", "Host: other.org")).status, 404);
});

Deno.test("proxy keeps requests of a more specific listener from a less specific one", async () => {
  await using world = new ProxyWorld();
  const [acknowledgement] = await world.dataPlane.apply(configOf({
    gateways: [gateway("gw", [
      listener("gw", { name: "any", port: 0, routes: [routeTo(backend)] }),
      listener("gw", { name: "one", port: 0, hostname: "a.example.com" }),
    ])],
  }));
  const port = acknowledgement?.listeners[0]?.boundPort ?? 0;
  const isolated = await exchange(port, "GET /", "Host: a.example.com");
  assertEquals([isolated.status, isolated.body], [404, "no HTTPRoute matches this request\n"]);
  assertEquals((await exchange(port, "GET /", "Host: b.example.com")).status, 500);
});

Deno.test("proxy redirects to the port where a listener really is", async () => {
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = taken.addr;
  await using world = new ProxyWorld({}, { portShift: port > 40_000 ? 1_024 : 10_000 });
  const redirect = { type: "RequestRedirect", redirect: { statusCode: 302, port } } as const;
  const acknowledgements = await world.dataPlane.apply(
    simple(port, undefined, [routeEntry({ action: { filters: [redirect] } })]),
  );
  const [[, boundPort] = ["", 0]] = bound(acknowledgements);
  const response = await exchange(boundPort, "GET /x", "Host: a");
  assertEquals(valuesOf(response.lines, "location"), [`http://a:${boundPort}/x`]);
});

Deno.test("proxy finishes what is in flight on a listener that is removed, and takes no more", async () => {
  const arrived = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  await using upstream = new Upstream(async (connection) => {
    for (;;) {
      const { start } = await connection.request();
      if (start.includes("/slow")) {
        arrived.resolve();
        await finish.promise;
      }
      await connection.send(reply("done"));
    }
  });
  await using world = new ProxyWorld();
  const port = freePort();
  await world.dataPlane.apply(simple(port, upstream));
  using idle = await RawClient.connect(port);
  await idle.request("GET /", "Host: a");
  await idle.response();
  using busy = await RawClient.connect(port);
  await busy.request("GET /slow", "Host: a");
  await arrived.promise;
  await world.dataPlane.apply(configOf({ revision: 2, gateways: [] }));
  assertEquals(await idle.rest(), "", "an idle connection is closed");
  await assertRejects(() => RawClient.connect(port));
  finish.resolve();
  const response = await busy.response();
  assertEquals([response.status, response.body], [200, "done"]);
  assertEquals(valuesOf(response.lines, "connection"), ["close"]);
  assertEquals(await busy.rest(), "");
});

Deno.test("proxy changes a port from HTTP to HTTPS and back without moving it", async () => {
  const port = freePort();
  const { certificate, key } = await makeCertificate(["a.example.com"]);
  const secret: Certificate = {
    name: certificateName("default", "a"),
    certificateChain: certificate,
    privateKey: key,
    digest: "1",
    leaf: { dnsNames: [], notBefore: "", notAfter: "" },
  };
  await using world = new ProxyWorld();
  await world.dataPlane.apply(simple(port));
  const secure = listener("gw", { port, protocol: "HTTPS", certificates: [secret.name] });
  const [secured] = await world.dataPlane.apply(
    configOf({ revision: 2, gateways: [gateway("gw", [secure])], certificates: [secret] }),
  );
  assertEquals(secured?.listeners.map(({ boundPort }) => boundPort), [port]);
  using client = await RawClient.connect(port, { serverName: "a.example.com", ca: certificate });
  await client.request("GET /", "Host: a.example.com");
  assertEquals((await client.response()).status, 404);
  const [plain] = await world.dataPlane.apply({ ...simple(port), revision: 3 });
  assertEquals(plain?.listeners.map(({ boundPort }) => boundPort), [port]);
  assertEquals((await exchange(port, "GET /", "Host: a")).status, 503);
});

Deno.test("proxy acknowledges only what changed", async () => {
  await using world = new ProxyWorld();
  const config = simple(freePort());
  assertEquals((await world.dataPlane.apply(config)).length, 1);
  assertEquals(await world.dataPlane.apply({ ...config, revision: 2 }), []);
  const other = gateway("other", [listener("other", { port: freePort() })]);
  const more = { ...config, gateways: new Map([...config.gateways, [other.key, other]]) };
  const changed = await world.dataPlane.apply(more);
  assertEquals(changed.map((one) => one.config), [other]);
});

Deno.test("proxy is ready from the first configuration until it drains", async () => {
  const world = new ProxyWorld();
  assertEquals(world.dataPlane.ready().ready, false);
  await world.serve([], []);
  assertEquals(world.dataPlane.ready(), { ready: true, reason: "serving on 1 sockets" });
  await world[Symbol.asyncDispose]();
  assertEquals(world.dataPlane.ready(), { ready: false, reason: "draining" });
});

Deno.test("proxy shares a port with one that shares it too, and takes over without a gap", async () => {
  await using old = new ProxyWorld({}, { reusePort: true });
  await using next = new ProxyWorld({}, { reusePort: true });
  await using upstream = new Upstream(answering(() => reply("ok")));
  const port = freePort();
  const config = simple(port, upstream);
  assertEquals(bound(await old.dataPlane.apply(config)), [["127.0.0.1", port]]);
  let isOver = false;
  const statuses: (number | undefined)[] = [];
  let resetCount = 0;
  const client = async (): Promise<void> => {
    while (!isOver) {
      try {
        statuses.push((await exchange(port, "GET /", "Host: a")).status);
      } catch (error) {
        if (!(error instanceof Deno.errors.ConnectionReset)) throw error;
        resetCount++;
      }
    }
  };
  const clients = [client(), client(), client()];
  try {
    assertEquals(bound(await next.dataPlane.apply(config)), [["127.0.0.1", port]]);
    await systemClock.sleep(100);
    await old.dataPlane.drain();
    const { length } = statuses;
    while (statuses.length < length + 20) await systemClock.sleep(10);
  } finally {
    isOver = true;
    await Promise.all(clients);
  }
  assertEquals(statuses.filter((status) => status !== 200), []);
  // What nobody had accepted when the old one closed: Linux hands that over with tcp_migrate_req only.
  assert(resetCount <= clients.length, `${resetCount} connections were reset`);
});

Deno.test("proxy takes a port for taken when it or the other one does not share", async () => {
  for (const [first, second] of [[true, false], [false, true]] as const) {
    await using old = new ProxyWorld({}, { reusePort: first });
    await using next = new ProxyWorld({}, { reusePort: second });
    const port = freePort();
    await old.dataPlane.apply(simple(port));
    const [refused] = await next.dataPlane.apply(simple(port));
    assertEquals(refused?.refusals.map(({ reason }) => reason), ["PortUnavailable"]);
  }
});
