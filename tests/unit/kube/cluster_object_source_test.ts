// Reading a cluster goes wrong in the rare cases: a watch that dies without a word, a list that is
// repeated by everybody at once, a kind that is missing. Each of them is played here, without waiting.

import { assert, assertEquals } from "@std/assert";
import { objectKey } from "../../../src/kube/object.ts";
import { type DoubleReply, refusal } from "../../fakes/double_reply.ts";
import { DoubleStream } from "../../fakes/double_stream.ts";
import { FollowedCluster, versionsOf } from "../../fakes/followed_cluster.ts";

const second = 1_000;
const minute = 60 * second;
const keyA = objectKey("default", "a");

/** The i-th answer in place of the server's; after the last one the server answers itself. */
function answersOf(
  ...replies: readonly (DoubleReply | undefined)[]
): () => DoubleReply | undefined {
  let next = 0;
  return () => replies[next++];
}

/** A followed HTTPRoute collection with the objects a and b, live. */
async function following(options: { canStream?: boolean; random?: () => number } = {}) {
  const cluster = new FollowedCluster({}, options.random);
  cluster.double.canStream = options.canStream ?? true;
  cluster.double.put("HTTPRoute", "a");
  cluster.double.put("HTTPRoute", "b");
  const routes = cluster.follow("HTTPRoute");
  await cluster.clock.settle();
  const assertSame = (message?: string): void => {
    const { objects } = routes;
    assertEquals(versionsOf(objects), versionsOf(cluster.double.objects("HTTPRoute")), message);
    assertEquals(cluster.source.get("HTTPRoute", keyA), objects.get(keyA));
  };
  return { cluster, routes, assertSame };
}

for (const canStream of [true, false]) {
  const how = canStream ? "a streaming list" : "pages";
  Deno.test(`follow() tells a snapshot from ${how}, then each change`, async () => {
    const { cluster, routes, assertSame } = await following({ canStream });
    assertEquals(routes.calls, ["snapshot 2"]);
    cluster.double.put("HTTPRoute", "c");
    cluster.double.put("HTTPRoute", "a", { spec: { hostnames: ["a.example"] } });
    cluster.double.remove("HTTPRoute", objectKey("default", "b"));
    await cluster.clock.settle();
    assertEquals(routes.calls, ["snapshot 2", "upsert c", "upsert a", "delete b"]);
    assertSame();
    assertEquals(cluster.phases, ["HTTPRoute live"]);
    assertEquals(cluster.count("list"), canStream ? 0 : 1);
    await cluster.stop();
  });
}

Deno.test("follow() reads many pages, and smaller ones when an answer is too large", async () => {
  const cluster = new FollowedCluster({ limits: { pageObjects: 500 } });
  cluster.double.canStream = false;
  for (let i = 0; i < 1201; i++) cluster.double.put("HTTPRoute", `r${i}`);
  const routes = cluster.follow("HTTPRoute");
  await cluster.clock.settle();
  assertEquals(routes.objects.size, 1201);
  assertEquals(cluster.count("list", "page"), 3);
  const services = cluster.follow("Service");
  for (let i = 0; i < 100; i++) {
    cluster.double.put("Service", `s${i}`, { spec: { clusterIP: "x" } });
  }
  cluster.double.compact();
  for (const stream of cluster.double.streams("Service")) stream.cut();
  cluster.transport.answerLengthMax = 3_000;
  for (let round = 0; round < 5; round++) await cluster.clock.settle();
  assertEquals(services.objects.size, 100);
  await cluster.stop();
});

Deno.test("A list whose page token expired between two pages is read again", async () => {
  const cluster = new FollowedCluster({ limits: { pageObjects: 1 } });
  cluster.double.canStream = false;
  cluster.double.put("HTTPRoute", "a");
  cluster.double.put("HTTPRoute", "b");
  let isFirst = true;
  cluster.double.intercept = ({ query }) => {
    if (query.has("continue") && isFirst) {
      isFirst = false;
      cluster.double.compact();
    }
    return undefined;
  };
  const routes = cluster.follow("HTTPRoute");
  await cluster.clock.advance(second);
  assertEquals(routes.calls, ["snapshot 2"]);
  await cluster.stop();
});

Deno.test("A server that never ends the initial objects is listed instead", async () => {
  const { cluster, routes, assertSame } = await following();
  await cluster.stop();
  const silent = new FollowedCluster();
  silent.double.put("HTTPRoute", "a");
  silent.double.intercept = ({ query }) => {
    if (!query.has("sendInitialEvents")) return undefined;
    // An old server does not know the parameter, and ends nothing.
    query.delete("sendInitialEvents");
    query.set("resourceVersion", "0");
    return undefined;
  };
  const followed = silent.follow("HTTPRoute");
  await silent.clock.advance(20 * second);
  assertEquals(followed.calls, []);
  await silent.clock.advance(11 * second);
  assertEquals(followed.calls, ["snapshot 1"]);
  silent.double.put("HTTPRoute", "b");
  await silent.clock.settle();
  assertEquals(followed.calls, ["snapshot 1", "upsert b"]);
  await silent.stop();
  assertEquals(routes.snapshotCount, 1);
  assertSame();
});

Deno.test("A watch that ends properly is resumed where it was, without a wait or a list", async () => {
  const { cluster, routes, assertSame } = await following();
  await cluster.clock.advance(5 * minute);
  for (const stream of cluster.double.streams("HTTPRoute")) stream.end();
  cluster.double.put("HTTPRoute", "c");
  await cluster.clock.settle();
  assertSame();
  assertEquals(routes.snapshotCount, 1);
  assertEquals(cluster.faults.filter(({ kind }) => kind !== "timeout"), []);
  await cluster.stop();
});

// Octets alone are no life: something between us and the server may send them for ever, and the kind was
// deaf and said to be live.
Deno.test("A watch on which bytes come and no events is left and resumed", async () => {
  const { cluster, assertSame } = await following();
  const [stream] = cluster.double.streams("HTTPRoute");
  assert(stream);
  stream.split = (bytes) => bytes.length === 1 ? [bytes] : [];
  cluster.double.put("HTTPRoute", "c");
  for (let i = 0; i < 16; i++) {
    stream.sendText("\n");
    await cluster.clock.advance(10 * second);
  }
  assertSame();
  assertEquals(cluster.faults.map(({ kind }) => kind), ["timeout"]);
  await cluster.stop();
});

Deno.test("Bookmarks move the version from which a quiet watch is resumed", async () => {
  const { cluster, routes, assertSame } = await following();
  for (let i = 0; i < 5; i++) cluster.double.put("Service", `s${i}`);
  cluster.double.bookmark();
  await cluster.clock.advance(2 * second);
  cluster.double.compact();
  cluster.double.put("HTTPRoute", "c");
  await cluster.clock.settle();
  for (const stream of cluster.double.streams("HTTPRoute")) stream.end();
  await cluster.clock.advance(2 * second);
  assertSame();
  assertEquals(routes.snapshotCount, 1);
  await cluster.stop();
});

for (const expiresByCode of [true, false]) {
  const form = expiresByCode ? "as a status code" : "as an event";
  Deno.test(`A version that expired (410 ${form}) leads to one new snapshot`, async () => {
    const { cluster, routes, assertSame } = await following();
    cluster.double.expiresByCode = expiresByCode;
    await cluster.clock.advance(2 * second);
    for (const stream of cluster.double.streams("HTTPRoute")) stream.end();
    cluster.double.remove("HTTPRoute", keyA);
    cluster.double.compact();
    await cluster.clock.advance(2 * second);
    assertSame();
    assertEquals(routes.snapshotCount, 2);
    await cluster.stop();
  });
}

Deno.test("A dead connection is noticed by its silence", async () => {
  const { cluster, assertSame, routes } = await following();
  for (const stream of cluster.double.streams("HTTPRoute")) stream.fallSilent();
  cluster.double.put("HTTPRoute", "c");
  await cluster.clock.advance(149 * second);
  assertEquals(routes.objects.size, 2);
  await cluster.clock.advance(3 * second);
  assertSame();
  assertEquals(cluster.faults.map(({ kind }) => kind), ["timeout"]);
  assertEquals(routes.snapshotCount, 1);
  await cluster.stop();
});

const brokenStreams: Readonly<Record<string, string>> = {
  "an event that is cut off": '{"type":"ADDED","object":{"metadata":{"na',
  "garbage": "<html>502 Bad Gateway</html>\n",
  "an event of no known type": '{"type":"SHRUG","object":{}}\n',
  "an object without a name": '{"type":"ADDED","object":{"metadata":{}}}\n',
  "an error of the server": '{"type":"ERROR","object":{"kind":"Status","code":500}}\n',
  "an event of nothing": "null\n",
};
for (const [what, text] of Object.entries(brokenStreams)) {
  Deno.test(`A stream with ${what} is taken up again, without a list`, async () => {
    const { cluster, routes, assertSame } = await following();
    for (const stream of cluster.double.streams("HTTPRoute")) {
      stream.sendText(text);
      stream.end();
    }
    cluster.double.put("HTTPRoute", "c");
    await cluster.clock.advance(3 * second);
    assertSame();
    assertEquals(routes.snapshotCount, 1);
    await cluster.stop();
  });
}

Deno.test("A stream that always breaks at the same version is read anew at last", async () => {
  const { cluster, routes } = await following();
  cluster.double.intercept = ({ query }) => {
    if (!query.has("resourceVersion")) return undefined;
    const stream = new DoubleStream();
    stream.sendText("garbage\n");
    return { type: "stream", stream };
  };
  for (const stream of cluster.double.streams("HTTPRoute")) stream.sendText("garbage\n");
  await cluster.clock.advance(10 * minute);
  assert(routes.snapshotCount > 1);
  await cluster.stop();
});

Deno.test("Characters that are split over chunks and objects of 3 MB arrive whole", async () => {
  const { cluster, routes } = await following();
  for (const stream of cluster.double.streams("HTTPRoute")) {
    stream.split = (bytes) =>
      Array.from(
        { length: Math.ceil(bytes.length / 4097) },
        (_, i) => bytes.subarray(i * 4097, (i + 1) * 4097),
      );
  }
  const note = "héé€😀".repeat(300_000);
  cluster.double.put("HTTPRoute", "big", { spec: { note } });
  for (let round = 0; round < 60; round++) await cluster.clock.settle();
  assertEquals(routes.objects.get(objectKey("default", "big"))?.spec, { note });
  await cluster.stop();
});

Deno.test("429 and its Retry-After are honoured, and nothing is listed", async () => {
  const { cluster, routes, assertSame } = await following({ random: () => 0 });
  const busy = refusal(429, "TooManyRequests", { retryAfter: 7 });
  cluster.double.intercept = answersOf(busy, busy);
  for (const stream of cluster.double.streams("HTTPRoute")) stream.cut();
  cluster.double.put("HTTPRoute", "c");
  await cluster.clock.advance(30 * second);
  assertEquals(cluster.faults.map(({ waitMs }) => waitMs), [800, 7000, 7000]);
  assertSame();
  assertEquals(routes.snapshotCount, 1);
  await cluster.stop();
});

Deno.test("504 with a version that is too large makes everything be read again", async () => {
  const { cluster, routes, assertSame } = await following();
  await cluster.clock.advance(2 * second);
  const late = refusal(504, "Timeout", {
    retryAfter: 1,
    causes: [{ reason: "ResourceVersionTooLarge" }],
  });
  cluster.double.intercept = answersOf(late);
  for (const stream of cluster.double.streams("HTTPRoute")) stream.end();
  await cluster.clock.advance(5 * second);
  assertEquals(routes.snapshotCount, 2);
  assertSame();
  await cluster.stop();
});

Deno.test("A long outage is waited for with growing waits, then resumed without a list", async () => {
  const { cluster, routes, assertSame } = await following();
  cluster.double.intercept = () => ({ type: "reset" });
  for (const stream of cluster.double.streams("HTTPRoute")) stream.cut();
  cluster.double.put("HTTPRoute", "c");
  await cluster.clock.advance(60 * minute);
  assert(cluster.faults.length < 200, `${cluster.faults.length} attempts in an hour`);
  assertEquals(cluster.source.states().get("HTTPRoute")?.phase, "stale");
  assertEquals(routes.objects.size, 2);
  cluster.double.intercept = () => undefined;
  await cluster.clock.advance(31 * second);
  assertSame();
  assertEquals(routes.snapshotCount, 1);
  assertEquals(cluster.phases, ["HTTPRoute live", "HTTPRoute stale", "HTTPRoute live"]);
  await cluster.stop();
});

Deno.test("A server that ends each watch at once is not asked in a loop", async () => {
  const { cluster, routes } = await following();
  cluster.double.intercept = () => {
    for (const stream of cluster.double.streams("HTTPRoute")) stream.end();
    return undefined;
  };
  for (const stream of cluster.double.streams("HTTPRoute")) stream.end();
  await cluster.clock.advance(10 * minute);
  assert(cluster.count("watch", "stream", "list", "probe") < 60);
  assertEquals(routes.objects.size, 2);
  await cluster.stop();
});

Deno.test("A server that hangs is left after a time", async () => {
  const cluster = new FollowedCluster();
  cluster.double.put("HTTPRoute", "a");
  cluster.double.intercept = answersOf({ type: "hang" });
  const routes = cluster.follow("HTTPRoute");
  await cluster.clock.advance(20 * second);
  assertEquals(routes.calls, ["snapshot 1"]);
  await cluster.stop();
});

Deno.test("A server whose state went back is read anew", async () => {
  const { cluster, routes, assertSame } = await following();
  const restore = cluster.double.save();
  for (let i = 0; i < 10; i++) cluster.double.put("HTTPRoute", `later${i}`);
  await cluster.clock.settle();
  assertEquals(routes.objects.size, 12);
  restore();
  await cluster.clock.advance(3 * second);
  assertSame();
  cluster.double.put("HTTPRoute", "c");
  await cluster.clock.settle();
  assertSame();
  await cluster.stop();
});

Deno.test("An object that was made again under its name in a gap has its new uid", async () => {
  const { cluster, assertSame } = await following();
  for (const stream of cluster.double.streams("HTTPRoute")) stream.cut();
  cluster.double.remove("HTTPRoute", keyA);
  cluster.double.put("HTTPRoute", "a");
  await cluster.clock.advance(2 * second);
  assertSame();
  await cluster.stop();
});

Deno.test("An older version of a kind is read where there is no newer one", async () => {
  const cluster = new FollowedCluster();
  cluster.double.served.set("HTTPRoute", "v1beta1");
  cluster.double.put("HTTPRoute", "a");
  const routes = cluster.follow("HTTPRoute");
  await cluster.clock.settle();
  assertEquals(
    routes.objects.get(keyA)?.apiVersion,
    "gateway.networking.k8s.io/v1beta1",
  );
  assertEquals(cluster.source.states().get("HTTPRoute")?.version, "v1beta1");
  await cluster.stop();
});

Deno.test("A kind that only adds and may not be read is off; one that protects is waited for", async () => {
  const cluster = new FollowedCluster();
  cluster.double.forbidden.add("TCPRoute").add("ReferenceGrant");
  const [routes, grants] = [cluster.follow("TCPRoute"), cluster.follow("ReferenceGrant")];
  await cluster.clock.advance(5 * minute);
  assertEquals([routes.calls, grants.calls], [["snapshot 0"], []]);
  assertEquals(cluster.source.states().get("TCPRoute")?.phase, "forbidden");
  assert(cluster.faults.length < 25, `${cluster.faults.length} attempts in five minutes`);
  cluster.double.forbidden.clear();
  await cluster.clock.advance(40 * second);
  assertEquals(grants.calls, ["snapshot 0"]);
  assertEquals(cluster.source.states().get("TCPRoute")?.phase, "live");
  await cluster.stop();
});

Deno.test("Rights that are taken away later take nothing away", async () => {
  const { cluster, routes, assertSame } = await following();
  cluster.double.forbidden.add("HTTPRoute");
  for (const stream of cluster.double.streams("HTTPRoute")) stream.end();
  await cluster.clock.advance(5 * minute);
  assertEquals(routes.calls, ["snapshot 2"]);
  assertEquals(cluster.source.states().get("HTTPRoute")?.phase, "forbidden");
  cluster.double.forbidden.clear();
  cluster.double.put("HTTPRoute", "c");
  await cluster.clock.advance(40 * second);
  assertSame();
  await cluster.stop();
});

Deno.test("Kinds with namespaces of their own are read there, and the others where all are", async () => {
  const namespacesOf = new Map([["Secret", ["tls"]] as const]);
  const cluster = new FollowedCluster({ namespacesOf });
  for (const namespace of ["shop", "tls"]) {
    cluster.double.put("Secret", "a", { namespace });
    cluster.double.put("HTTPRoute", "a", { namespace });
  }
  const [secrets, routes] = [cluster.follow("Secret"), cluster.follow("HTTPRoute")];
  await cluster.clock.settle();
  assertEquals([...secrets.objects.keys()], [objectKey("tls", "a")]);
  assertEquals(routes.objects.size, 2);
  await cluster.stop();
});

Deno.test("In some namespaces: one snapshot of all of them, and nothing of others", async () => {
  const cluster = new FollowedCluster({ namespaces: ["shop", "blog"] });
  cluster.double.put("HTTPRoute", "a", { namespace: "shop" });
  cluster.double.put("HTTPRoute", "b", { namespace: "blog" });
  cluster.double.put("HTTPRoute", "c", { namespace: "other" });
  cluster.double.put("GatewayClass", "weir");
  const [routes, classes] = [cluster.follow("HTTPRoute"), cluster.follow("GatewayClass")];
  await cluster.clock.settle();
  assertEquals(routes.calls, ["snapshot 2"]);
  assertEquals(classes.calls, ["snapshot 1"]);
  cluster.double.put("HTTPRoute", "d", { namespace: "blog" });
  cluster.double.put("HTTPRoute", "e", { namespace: "other" });
  await cluster.clock.settle();
  assertEquals(routes.calls, ["snapshot 2", "upsert d"]);
  await cluster.stop();
});

Deno.test("Kinds that the operator gave are not asked for", async () => {
  const given = new FollowedCluster().double.put("GatewayClass", "weir");
  const cluster = new FollowedCluster({
    given: new Map([["GatewayClass", [given]], ["Secret", []]]),
  });
  const [classes, secrets] = [cluster.follow("GatewayClass"), cluster.follow("Secret")];
  await cluster.clock.settle();
  assertEquals([classes.calls, secrets.calls], [["snapshot 1"], ["snapshot 0"]]);
  assertEquals(cluster.double.seen, []);
  assertEquals(cluster.source.get("GatewayClass", objectKey(undefined, "weir")), given);
  assertEquals(cluster.source.states().get("Secret")?.phase, "off");
  await cluster.stop();
});
