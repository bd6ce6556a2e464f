// What the ADS server was built on, held against the real Envoy: that it takes every kind of
// resource, that a new backend costs no request, and what it does with a resource that it refuses.

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { ProtoObject } from "../../src/envoy/codec.ts";
import { type EnvoyKind, envoyKinds } from "../../src/envoy/resources.ts";
import { makeCertificate } from "../fakes/gateway_certificates.ts";
import { type EnvoyRig, freePort, startUpstream, testWithEnvoy } from "./envoy_rig.ts";
import {
  byRds,
  byScopes,
  edsCluster,
  endpointsOn,
  extensionFilter,
  httpListener,
  luaExtension,
  routesSaying,
  routesTo,
  scopeOf,
} from "./envoy_world.ts";
import { tellFigure, until } from "./until.ts";

const lua = (says: string): ProtoObject =>
  luaExtension(`function envoy_on_response(h) h:headers():add("x-says", "${says}") end`);

async function secretOf(name: string): Promise<ProtoObject> {
  const { certificate, key } = await makeCertificate([name]);
  return {
    tlsCertificate: {
      certificateChain: { inlineString: certificate },
      privateKey: { inlineString: key },
    },
  };
}

interface Ports {
  readonly rds: number;
  readonly srds: number;
  readonly tls: number;
}

/** One of each kind in service. */
async function startSmallWorld(rig: EnvoyRig, upstreamPort: number): Promise<Ports> {
  const ports = { rds: freePort(), srds: freePort(), tls: freePort() };
  rig.edit(
    ["cluster", "a", edsCluster],
    ["endpoints", "a", endpointsOn(upstreamPort)],
    ["listener", "rds", httpListener(ports.rds, byRds("r"))],
    ["route", "r", routesTo("a")],
    ["listener", "srds", httpListener(ports.srds, byScopes, { filters: [extensionFilter("lua")] })],
    ["scope", "s1", scopeOf("s1", routesSaying("one"))],
    ["scope", "s2", scopeOf("s2", routesTo("a"))],
    ["extension", "lua", lua("first")],
    ["listener", "tls", httpListener(ports.tls, byRds("r"), { secret: "cert" })],
    ["secret", "cert", await secretOf("a.example.com")],
  );
  await rig.settled();
  return ports;
}

testWithEnvoy("Envoy takes a first world of every kind, and serves it", async (rig) => {
  const upstream = startUpstream("hello");
  const ports = await startSmallWorld(rig, upstream.port);
  const view = await rig.settled();
  assertEquals(
    Object.fromEntries(view.kinds.map(({ held, kind }) => [kind, held])),
    { secret: 1, cluster: 1, endpoints: 1, extension: 1, listener: 3, route: 1, scope: 2 },
  );
  assertEquals(view.node, { id: "envoy-0", cluster: "shop/web", version: "1.40.0" });
  assertEquals(view.refused, []);
  await rig.answers(ports.rds, "200 hello");
  await rig.answers(ports.srds, "200 one", { "x-scope": "s1" });
  await rig.answers(ports.srds, "200 hello", { "x-scope": "s2" });
  // Everything came in one response for each kind.
  assertEquals(rig.sent.length, envoyKinds.length);
  await upstream.close();
});

testWithEnvoy("Changes of every kind reach Envoy, alone", async (rig) => {
  const [first, second] = [startUpstream("first"), startUpstream("second")];
  const ports = await startSmallWorld(rig, first.port);
  await rig.answers(ports.rds, "200 first");
  rig.sent.length = 0;
  rig.edit(["endpoints", "a", endpointsOn(second.port)]);
  await rig.answers(ports.rds, "200 second");
  rig.edit(["route", "r", routesSaying("told")]);
  await rig.answers(ports.rds, "200 told");
  rig.edit(["scope", "s1", scopeOf("s1", routesSaying("other"))]);
  await rig.answers(ports.srds, "200 other", { "x-scope": "s1" });
  rig.edit(["scope", "s1", undefined]);
  await rig.answers(ports.srds, "404 ", { "x-scope": "s1" });
  rig.edit(["extension", "lua", lua("second")], ["secret", "cert", await secretOf("b.org")]);
  rig.edit(["listener", "rds", undefined]);
  await rig.settled();
  await until("the port is closed", 5_000, () => rig.ask(ports.rds).then(() => false, () => true));
  for (const { removed, resources } of rig.sent) {
    assertEquals(removed.length + resources.length, 1);
  }
  await Promise.all([first.close(), second.close()]);
});

testWithEnvoy("A new backend for a route in use costs no request", async (rig) => {
  const upstream = startUpstream("hello");
  const { rds } = await startSmallWorld(rig, upstream.port);
  await rig.answers(rds, "200 hello");
  const answers = new Map<string, number>();
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const answer = await rig.ask(rds);
      answers.set(answer, (answers.get(answer) ?? 0) + 1);
    }
  })();
  for (let turn = 0; turn < 25; turn++) {
    rig.edit(
      ["cluster", `c${turn}`, edsCluster],
      ["endpoints", `c${turn}`, endpointsOn(upstream.port)],
      ["route", "r", routesTo(`c${turn}`)],
      ...turn === 0 ? [] : [
        ["cluster", `c${turn - 1}`, undefined] as const,
        ["endpoints", `c${turn - 1}`, undefined] as const,
      ],
    );
    await rig.settled();
  }
  isOver = true;
  await asking;
  assertEquals([...answers.keys()], ["200 hello"]);
  tellFigure("requests during 25 new backends, 0 failed", answers.get("200 hello") ?? 0);
  const left = () => rig.server.view("envoy-0")?.kinds.find(({ kind }) => kind === "cluster");
  await until("the old clusters are gone", 5_000, () => left()?.held === 2);
  await upstream.close();
});

/** What each kind refuses, the words that it does so with, and a name that is new. */
const broken: readonly (readonly [EnvoyKind, string, ProtoObject, string])[] = [
  ["cluster", "bad", { ...edsCluster, connectTimeout: "0s" }, "ConnectTimeout"],
  ["endpoints", "a", endpointsOn(1, "nowhere"), "malformed IP address"],
  ["extension", "lua", luaExtension("function ("), "script load error"],
  ["listener", "bad", httpListener(1, byRds("r"), { address: "192.0.2.99" }), "cannot bind"],
  ["route", "r", routesSaying("never", "(("), "missing )"],
  ["scope", "bad", scopeOf("bad", routesSaying("never", "((")), "missing )"],
  [
    "secret",
    "cert",
    { tlsCertificate: { certificateChain: { inlineString: "no" } } },
    "private key",
  ],
];

for (const [kind, name, message, words] of broken) {
  testWithEnvoy(`A broken ${kind} is told, and harms nothing beside it`, async (rig) => {
    const upstream = startUpstream("hello");
    const ports = await startSmallWorld(rig, upstream.port);
    const added = freePort();
    // In the same world good ones of every kind.
    rig.edit(
      [kind, name, message],
      ["cluster", "b", edsCluster],
      ["endpoints", "b", endpointsOn(upstream.port)],
      ["scope", "s1", scopeOf("s1", routesTo("b"))],
      ["scope", "s3", scopeOf("s3", routesTo("b"))],
      ["listener", "more", httpListener(added, byRds("r2"))],
      ["route", "r2", routesTo("b")],
    );
    const { refused } = await rig.settled();
    assertEquals(refused.length, 1);
    const [{ kind: itsKind, message: told, name: itsName, origins, serving } = assertOne()] =
      refused;
    assertEquals([itsKind, itsName], [kind, name]);
    assertStringIncludes(told, words);
    assertEquals(origins, [{ kind: "HTTPRoute", namespace: "shop", name }]);
    assertEquals(serving, name === "bad" ? "nothing" : "earlier");
    await rig.answers(ports.rds, "200 hello");
    await rig.answers(added, "200 hello");
    for (const scope of ["s1", "s3"]) {
      await rig.answers(ports.srds, "200 hello", { "x-scope": scope });
    }
    // It is not sent again until it is another one, and then it is.
    rig.sent.length = 0;
    rig.edit(["scope", "s2", scopeOf("s2", routesSaying("two"))]);
    await rig.settled();
    assert(
      !rig.sent.some(({ resources }) => resources.some((sent) => sent.resource.name === name)),
    );
    rig.edit([kind, name, undefined]);
    const view = await rig.settled();
    assertEquals(view.refused, []);
    await upstream.close();
  });
}

function assertOne(): never {
  throw new Error("nothing was refused");
}
