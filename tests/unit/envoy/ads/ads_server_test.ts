/**
 * The rules of the delta protocol one by one. What becomes of them together, with an Envoy that
 * keeps its own books, is in tests/simulation.
 */

import { assert, assertEquals } from "@std/assert";
import { SortedMap } from "../../../../src/base/sorted_map.ts";
import { AdsServer, type StreamInput } from "../../../../src/envoy/ads/ads_server.ts";
import { defaultStreamLimits, type StreamLimits } from "../../../../src/envoy/ads/ads_stream.ts";
import type { DeltaRequest, DeltaResponse } from "../../../../src/envoy/ads/delta_messages.ts";
import {
  type EnvoyKind,
  envoyKinds,
  type EnvoyResource,
  type EnvoyWorld,
  makeResource,
  typeUrl,
} from "../../../../src/envoy/resources.ts";
import { FakeClock } from "../../../fakes/fake_clock.ts";
import { RecordingLog } from "../../../fakes/recording_log.ts";

let lastRevision = 0;

/** `{ cluster: { a: 1 } }`: one cluster of this content. */
type Contents = Partial<Record<EnvoyKind, Readonly<Record<string, number>>>>;

function worldOf(contents: Contents): EnvoyWorld {
  const mapOf = (kind: EnvoyKind): SortedMap<string, EnvoyResource> =>
    new SortedMap<string, EnvoyResource>().edit(
      Object.entries(contents[kind] ?? {}).map(([name, content]) => [
        name,
        makeResource(kind, name, new Uint8Array([content]), [
          { kind: "HTTPRoute", namespace: "shop", name },
        ]),
      ]),
    );
  return {
    revision: ++lastRevision,
    resources: {
      secret: mapOf("secret"),
      cluster: mapOf("cluster"),
      endpoints: mapOf("endpoints"),
      extension: mapOf("extension"),
      listener: mapOf("listener"),
      route: mapOf("route"),
      scope: mapOf("scope"),
    },
  };
}

/** One stream as its other side sees it. */
class Stream {
  readonly #input: StreamInput;
  readonly responses: DeltaResponse[] = [];
  readonly ends: string[] = [];
  readonly #id: string;
  #isFirst = true;

  constructor(server: AdsServer, id = "envoy-0") {
    this.#id = id;
    this.#input = server.connect({
      send: (response) => this.responses.push(response),
      end: (code) => this.ends.push(code),
    }, "local");
  }

  ask(kind: EnvoyKind | undefined, request: Partial<DeltaRequest> = {}): void {
    this.#input.receive({
      ...this.#isFirst ? { node: { id: this.#id, cluster: "w", version: "1.40.0" } } : {},
      typeUrl: kind ? typeUrl(kind) : "type.googleapis.com/envoy.service.runtime.v3.Runtime",
      subscribe: [],
      unsubscribe: [],
      initialVersions: new Map(),
      nonce: "",
      ...request,
    });
    this.#isFirst = false;
  }

  /** What was sent since the last call: `cluster +a +b`, `endpoints -c`. */
  take(): string[] {
    return this.responses.splice(0).map(textOf);
  }

  /** Answers the oldest response. */
  answer(error?: string): void {
    const response = this.responses.shift();
    assert(response);
    this.ask(response.kind, { nonce: response.nonce, ...error === undefined ? {} : { error } });
  }

  /** Answers everything until nothing comes any more; returns what came. */
  acknowledge(): string[] {
    const all: string[] = [];
    while (this.responses[0]) {
      all.push(textOf(this.responses[0]));
      this.answer();
    }
    return all;
  }

  close(): void {
    this.#input.close();
  }
}

function textOf({ kind, removed, resources }: DeltaResponse): string {
  const added = resources.map(({ appendix, resource: { name, bytes } }) =>
    `+${name}=${bytes.join()}${appendix ? `~${appendix.join()}` : ""}`
  );
  return [kind, ...added, ...removed.map((name) => `-${name}`)].join(" ");
}

function newServer(limits: Partial<StreamLimits> = {}) {
  const clock = new FakeClock();
  const log = new RecordingLog();
  const progress: string[] = [];
  const server = new AdsServer({
    worldNameOf: ({ cluster, id }) => id.startsWith("envoy") ? cluster : undefined,
    limits: { ...defaultStreamLimits, ...limits },
    salt: (count) => new Uint8Array([count]),
    clock,
    log,
    onProgress: (name) => progress.push(name),
  });
  return { clock, log, progress, server };
}

/** A server with this world, and a stream that asked for clusters, listeners and scopes. */
function started(contents: Contents, limits: Partial<StreamLimits> = {}) {
  const parts = newServer(limits);
  parts.server.setWorld("w", worldOf(contents));
  const stream = new Stream(parts.server);
  for (const kind of ["cluster", "listener", "scope"] as const) stream.ask(kind);
  const set = (next: Contents): void => parts.server.setWorld("w", worldOf(next));
  return { ...parts, stream, set };
}

Deno.test("AdsServer answers a first question with nothing, if there is nothing", () => {
  const { stream } = started({});
  assertEquals(stream.acknowledge(), ["cluster", "listener", "scope"]);
  assertEquals(stream.take(), []);
});

Deno.test("AdsServer lets an Envoy wait that comes before there is a world", () => {
  const { server } = newServer();
  const stream = new Stream(server);
  stream.ask("cluster", { initialVersions: new Map([["a", "v"]]) });
  stream.ask("listener");
  assertEquals(stream.take(), []);
  assertEquals(server.view("envoy-0"), undefined);
  server.setWorld("w", worldOf({ cluster: { b: 1 } }));
  assertEquals(stream.take(), ["cluster +b=1", "listener"]);
});

Deno.test("AdsServer sends nothing on a new stream to an Envoy that has it all", () => {
  const { server, set, stream } = started({ cluster: { a: 1 }, listener: { l: 1 } });
  stream.acknowledge();
  stream.close();
  const again = new Stream(server);
  const versionsOf = (kind: EnvoyKind, content: number): Map<string, string> =>
    new Map([...worldOf({ [kind]: { a: content } }).resources[kind]].map(([name, { version }]) => [
      kind === "listener" ? "l" : name,
      version,
    ]));
  again.ask("cluster", { initialVersions: versionsOf("cluster", 1) });
  again.ask("listener", { initialVersions: versionsOf("listener", 1) });
  assertEquals(again.take(), []);
  set({ cluster: { a: 2 }, listener: { l: 1 } });
  assertEquals(again.acknowledge(), ["cluster +a=2"]);
});

Deno.test("AdsServer has one response of a type under way, and what changes waits for it", () => {
  const { set, stream } = started({ cluster: { a: 1 } });
  for (const content of [2, 3, 4]) set({ cluster: { a: content } });
  assertEquals(stream.acknowledge(), ["cluster +a=1", "listener", "scope", "cluster +a=4"]);
});

Deno.test("AdsServer takes a late answer to an older response for nothing", () => {
  const { server, stream } = started({ cluster: { a: 1 } });
  const before = stream.take();
  stream.ask("cluster", { nonce: "older" });
  stream.ask("cluster", { nonce: "older", error: "no" });
  assertEquals(before, ["cluster +a=1", "listener", "scope"]);
  assertEquals(stream.take(), []);
  assertEquals(server.view("envoy-0")?.kinds.map(({ nacks }) => nacks), [0, 0, 0, 0, 0, 0, 0]);
});

Deno.test("AdsServer sends a name again that is asked for again, though it did not change", () => {
  const { stream } = started({ cluster: { a: 1 }, endpoints: { a: 1 } });
  stream.ask("endpoints", { subscribe: ["a"] });
  stream.acknowledge();
  stream.ask("endpoints", { subscribe: ["a"] });
  assertEquals(stream.acknowledge(), ["endpoints +a=1"]);
  stream.ask("endpoints", { unsubscribe: ["a"] });
  assertEquals(stream.take(), []);
  stream.ask("endpoints", { subscribe: ["a"] });
  assertEquals(stream.acknowledge(), ["endpoints +a=1"]);
});

Deno.test("AdsServer tells once that a name does not exist, and sends it when it does", () => {
  const { set, stream } = started({ cluster: { a: 1 } });
  stream.ask("endpoints", { subscribe: ["a"] });
  assert(stream.acknowledge().includes("endpoints -a"));
  set({ cluster: { a: 2 } });
  assertEquals(stream.acknowledge(), ["cluster +a=2"]);
  set({ cluster: { a: 2 }, endpoints: { a: 5 } });
  assertEquals(stream.acknowledge(), ["endpoints +a=5"]);
});

Deno.test("AdsServer sends a first world in batches, each after the answer to the last", () => {
  const scope = Object.fromEntries([..."abcde"].map((name) => [name, 1]));
  const { stream } = started({ scope }, { batchMax: 2 });
  assertEquals(stream.acknowledge().filter((text) => text.startsWith("scope")), [
    "scope +a=1 +b=1",
    "scope +c=1 +d=1",
    "scope +e=1",
  ]);
  const small = started({ scope }, { batchBytesMax: 3 });
  assertEquals(small.stream.acknowledge().filter((text) => text.startsWith("scope")), [
    "scope +a=1 +b=1 +c=1",
    "scope +d=1 +e=1",
  ]);
});

Deno.test("AdsServer makes before it breaks, and lets a cluster end its requests", async () => {
  const before = { cluster: { a: 1 }, endpoints: { a: 1 }, listener: { l: 1 }, scope: { s: 1 } };
  const { clock, set, stream } = started(before);
  stream.ask("endpoints", { subscribe: ["a"] });
  stream.acknowledge();
  set({ cluster: { b: 1 }, endpoints: { b: 1 }, listener: { m: 1 }, scope: { t: 1 } });
  assertEquals(stream.responses.map(textOf), ["cluster +b=1"]);
  stream.ask("endpoints", { subscribe: ["b"] });
  // Both have to be answered.
  stream.answer();
  assertEquals(stream.responses.map(textOf), ["endpoints +b=1"]);
  assertEquals(stream.acknowledge(), [
    ...["endpoints +b=1", "listener +m=1", "scope +t=1", "listener -l", "scope -s"],
  ]);
  await clock.advance(defaultStreamLimits.clusterLingerMs - 1);
  assertEquals(stream.take(), []);
  await clock.advance(1);
  assertEquals(stream.acknowledge(), ["cluster -a", "endpoints -a"]);
});

Deno.test("AdsServer sends what was refused together again alone, scopes as other bytes", () => {
  const both = { a: 1, b: 2 };
  const { stream } = started({ scope: both, cluster: both, listener: { l: 1 } });
  assertEquals(textOf(stream.responses[0] ?? assertNever()), "cluster +a=1 +b=2");
  stream.answer("b is bad");
  assertEquals(stream.responses.map(textOf), ["cluster +a=1"]);
  stream.answer();
  assertEquals(stream.responses.map(textOf), ["cluster +b=2"]);
  stream.answer("b is bad");
  assertEquals(stream.responses.map(textOf), ["listener +l=1"]);
  stream.answer();
  assertEquals(stream.responses.map(textOf), ["scope +a=1 +b=2"]);
  stream.answer("bad");
  assertEquals(stream.responses.map(textOf), ["scope +a=1~1"]);
  stream.answer();
  assertEquals(stream.responses.map(textOf), ["scope +b=2~2"]);
});

Deno.test("AdsServer ends the wait for endpoints that were refused", () => {
  const both = { a: 1, b: 2 };
  const { stream } = started({ cluster: both, endpoints: both, scope: { s: 1 } });
  stream.ask("endpoints", { subscribe: ["a", "b"] });
  stream.answer();
  stream.answer();
  assertEquals(stream.responses.map(textOf), ["endpoints +a=1 +b=2"]);
  stream.answer("b is bad");
  stream.answer();
  stream.answer("b is bad");
  assertEquals(stream.acknowledge(), ["endpoints -b", "scope +s=1"]);
});

Deno.test("AdsServer keeps the last good version, and never sends a refused one again", () => {
  const { log, progress, server, set, stream } = started({ cluster: { a: 1 } });
  stream.acknowledge();
  set({ cluster: { a: 2 } });
  progress.length = 0;
  stream.answer("it is bad\n");
  assertEquals(progress, ["w"]);
  assertEquals(stream.take(), []);
  const { refused, revision, settledRevision } = server.view("envoy-0") ?? assertNever();
  assertEquals(settledRevision, revision);
  assertEquals(refused.map(({ version: _, ...rest }) => rest), [{
    kind: "cluster",
    name: "a",
    message: "it is bad",
    origins: [{ kind: "HTTPRoute", namespace: "shop", name: "a" }],
    serving: "earlier",
  }]);
  assertEquals(log.records.filter(({ level }) => level === "warn").length, 1);
  set({ cluster: { a: 1 } });
  set({ cluster: { a: 2 } });
  assertEquals(stream.take(), []);
  assertEquals(server.view("envoy-0")?.refused.length, 1);
  // A process that has nothing is given what was good.
  stream.close();
  const again = new Stream(server);
  again.ask("cluster");
  assertEquals(again.acknowledge(), ["cluster +a=1"]);
  // What is good for one Envoy is for another, which may refuse something else.
  const other = new Stream(server, "envoy-1");
  other.ask("cluster");
  other.answer("it is bad");
  assertEquals(other.acknowledge(), ["cluster +a=1"]);
});

Deno.test("AdsServer tries an address again that was in use", async () => {
  const { clock, log, progress, server, stream } = started({
    ...{ cluster: { a: 1 }, listener: { l: 1 }, scope: { s: 1 } },
  });
  stream.answer();
  stream.answer("Error adding/updating listener(s) l: cannot bind '127.0.0.1:80'");
  assertEquals(stream.acknowledge(), ["listener -l", "scope +s=1"]);
  const refusedCount = () =>
    server.view("envoy-0")?.refused.filter(({ serving }) => serving === "nothing").length;
  assertEquals(refusedCount(), 1);
  await clock.advance(10_000);
  // Until Envoy takes it the refusal holds, and is not told anew.
  assertEquals([stream.responses.map(textOf), refusedCount()], [["listener +l=1"], 1]);
  const settled = server.view("envoy-0")?.settledRevision;
  progress.length = 0;
  stream.answer("Error adding/updating listener(s) l: cannot bind '127.0.0.1:80'");
  assertEquals([stream.acknowledge(), refusedCount(), progress], [[], 1, []]);
  assertEquals(server.view("envoy-0")?.settledRevision, settled);
  assertEquals(log.records.filter(({ level }) => level === "warn").length, 1);
  await clock.advance(10_000);
  assertEquals([stream.acknowledge(), refusedCount(), progress], [["listener +l=1"], 0, ["w"]]);
});

Deno.test("AdsServer is settled at a revision that newer ones have overtaken", () => {
  const { server, set, stream } = started({ scope: { a: 1 } });
  stream.acknowledge();
  set({ scope: { a: 2 } });
  const revision = lastRevision;
  set({ scope: { a: 3 } });
  assertEquals(server.view("envoy-0")?.settledRevision, revision - 1);
  stream.answer();
  assertEquals(server.view("envoy-0")?.settledRevision, revision);
});

Deno.test("AdsServer is not settled before Envoy asked for what it was told of, for some time", async () => {
  const { clock, server, stream } = started({ listener: { l: 1 }, route: { r: 1, s: 1 } });
  const isSettled = () => server.view("envoy-0")?.settledRevision === lastRevision;
  assertEquals(stream.acknowledge(), ["cluster", "scope", "listener +l=1"]);
  assertEquals(isSettled(), false);
  stream.ask("route", { subscribe: ["r"] });
  assertEquals(isSettled(), false);
  stream.acknowledge();
  assertEquals(isSettled(), false);
  stream.ask("route", { subscribe: ["s"] });
  assertEquals(isSettled(), false);
  stream.acknowledge();
  assertEquals(isSettled(), true);
  // What nothing refers to is never asked for.
  server.setWorld("w", worldOf({ listener: { l: 2 }, route: { r: 1, s: 1, t: 1 } }));
  stream.acknowledge();
  assertEquals(isSettled(), false);
  await clock.advance(5_000);
  assertEquals(isSettled(), true);
});

Deno.test("AdsServer ends streams that have no business here", () => {
  const { server, set } = started({});
  const stranger = new Stream(server, "somebody");
  stranger.ask("cluster");
  assertEquals(stranger.ends, ["PermissionDenied"]);
  const nameless = new Stream(server, "");
  nameless.ask("cluster");
  assertEquals(nameless.ends, ["InvalidArgument"]);
  const greedy = started({}, { namesMax: 5 });
  greedy.stream.ask("endpoints", { subscribe: ["1", "2", "3", "4", "5", "6"] });
  assertEquals(greedy.stream.ends, ["ResourceExhausted"]);
  const { stream } = started({});
  assertEquals(stream.ends, []);
  const known = new Stream(server);
  known.ask("cluster");
  server.removeWorld("w");
  assertEquals(known.ends, ["NotFound"]);
  assertEquals(server.views(), []);
  set({});
});

Deno.test("AdsServer leaves types alone that it does not serve", () => {
  const { stream } = started({});
  stream.acknowledge();
  stream.ask(undefined, { subscribe: ["rtds"] });
  assertEquals(stream.take(), []);
});

Deno.test("AdsServer forgets the Envoys that left first, and none that is here", () => {
  const { server } = started({});
  for (let index = 0; index < 400; index++) {
    const stream = new Stream(server, `envoy-old-${index}`);
    stream.ask("cluster");
    stream.close();
  }
  const views = server.views();
  assertEquals(views.length, 257);
  assert(views.some(({ node }) => node.id === "envoy-0"));
  assert(views.some(({ node }) => node.id === "envoy-old-399"));
});

Deno.test("AdsServer gives each Envoy the world that is its own", () => {
  const { server, set } = started({ cluster: { a: 1 } });
  const stream = new Stream(server, "envoy-1");
  stream.ask("cluster");
  assertEquals(stream.take(), ["cluster +a=1"]);
  server.setWorld("other", worldOf({ cluster: { b: 1 } }));
  assertEquals(stream.take(), []);
  set({ cluster: { a: 1, c: 1 } });
  assertEquals(
    server.view("envoy-1")?.kinds.find(({ kind }) => kind === "cluster"),
    { kind: "cluster", held: 0, pending: 1, lacking: 1, leaving: 0, nacks: 0 },
  );
  assertEquals(server.view("envoy-1")?.kinds.map(({ kind }) => kind), [...envoyKinds]);
});

function assertNever(): never {
  throw new Error("there is none");
}
