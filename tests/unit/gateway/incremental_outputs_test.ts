/**
 * Who is woken by what. An edit that wakes too many makes a large cluster slow; one that wakes too few
 * leaves a wrong status (a whole class of faults of control planes that map events by hand).
 */

import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { RegexCache } from "../../../src/dataplane/regex.ts";
import type { DataPlaneCapabilities } from "../../../src/gateway/capabilities.ts";
import { findWrongOutput } from "../../../src/gateway/check_outputs.ts";
import {
  IncrementalOutputs,
  type PublishedOutputs,
} from "../../../src/gateway/incremental_outputs.ts";
import type { Outputs } from "../../../src/gateway/outputs.ts";
import type { KubeObject } from "../../../src/kube/object.ts";
import { causeOf, type ReadNode, takeReads } from "../../../src/query/explain.ts";
import {
  backend,
  controllerName,
  endpointSlice,
  gateway,
  gatewayClass,
  httpRoute,
  type Json,
  listener,
  namespace,
  referenceGrant,
  rule,
  service,
} from "../../fakes/gateway_objects.ts";
import { GatewayWorld, testCapabilities, toKey } from "../../fakes/gateway_world.ts";

const settings = { controllerName, dataPlane: testCapabilities, regexes: new RegexCache() };

const selected = {
  allowedRoutes: { namespaces: { from: "Selector", selector: { matchLabels: { team: "a" } } } },
};
const grant = referenceGrant("grant", { kind: "HTTPRoute", namespace: "default" }, {
  kind: "Service",
}, { namespace: "apps" });
const app = httpRoute("app", {
  parentRefs: [{ name: "gw", namespace: "default" }],
  rules: [rule("/app")],
}, { namespace: "apps" });

/** A world in which every kind of input has a reader and somebody who does not read it. */
class World {
  readonly world = new GatewayWorld();
  readonly computed = new IncrementalOutputs(this.world.inputs, settings);

  constructor() {
    this.world.put(
      gatewayClass(),
      gateway("gw", [listener("main"), listener("selected", { port: 81, ...selected })]),
      gateway("other"),
      namespace("apps", { team: "a" }),
      service("web"),
      service("web", {}, { namespace: "apps" }),
      endpointSlice("s1", "web", ["10.0.0.1"]),
      httpRoute("one"),
      httpRoute("two", { parentRefs: [{ name: "other" }] }),
      httpRoute("far", {
        rules: [{ ...rule("/far"), backendRefs: [backend("web", { namespace: "apps" })] }],
      }),
      app,
      grant,
    );
    this.step();
    this.answer();
  }

  /** A run; what it led to is what a computation from scratch leads to. */
  step(): PublishedOutputs {
    const published = this.computed.step();
    assert(published);
    assertEquals(findWrongOutput(this.world.inputs, settings, published.outputs), undefined);
    return published;
  }

  /** A data plane serves what is asked of it. */
  answer(): PublishedOutputs {
    for (const [key, config] of this.computed.outputs.dataPlane.gateways) {
      this.world.inputs.setAcknowledgement(toKey(key), {
        gateway: key,
        config,
        listeners: [],
        refusals: [],
      });
    }
    return this.step();
  }

  /** What an edit tells, as lines, and how many queries it ran. */
  told(edit: () => void): { readonly keys: readonly string[]; readonly runs: number } {
    edit();
    const { database } = this.world.inputs;
    const before = database.runCount;
    const { changes } = this.step();
    const runs = database.runCount - before;
    const keys = [
      ...Object.entries(changes.statuses).flatMap(([kind, keys]) =>
        keys.map((key) => `${kind} ${key}`)
      ),
      ...changes.certificates.map((key) => `certificate ${key}`),
      ...changes.gateways.map((key) => `resolved ${key}`),
      ...(changes.dataPlane ? ["data plane"] : []),
    ];
    return { keys, runs };
  }

  put(...objects: readonly KubeObject[]): () => void {
    return () => {
      this.world.put(...objects);
    };
  }
}

const one = (rest = {}, meta = {}) => httpRoute("one", { rules: [rule("/", "web", rest)] }, meta);

Deno.test("The path of one route tells that route and the data plane, and runs seven queries", () => {
  const world = new World();
  const edited = httpRoute("one", { rules: [rule("/new")] }, { generation: 2 });
  assertEquals(world.told(world.put(edited)), {
    keys: ["HTTPRoute default/one", "data plane"],
    runs: 7,
  });
  // The answer makes it programmed, and says nothing new of the routes beside it.
  const { changes } = world.answer();
  assertEquals([changes.statuses.HTTPRoute, changes.statuses.Gateway], [
    [toKey("default/one")],
    [],
  ]);
});

Deno.test("What differs in no slice, or only in the generation, wakes nobody or one status", () => {
  const world = new World();
  assertEquals(world.told(world.put(one({}, { labels: { a: "b" } }))), { keys: [], runs: 0 });
  assertEquals(world.told(world.put(one({}, { generation: 9 }))), {
    keys: ["HTTPRoute default/one"],
    runs: 1,
  });
});

Deno.test("A Gateway's new generation wakes its status alone, its TLS settings no route", () => {
  const world = new World();
  const edited = (spec: Json, generation: number) =>
    gateway("other", undefined, spec, { generation });
  assertEquals(world.told(world.put(edited({}, 2))), { keys: ["Gateway default/other"], runs: 1 });
  const tls = { backend: { clientCertificateRef: { name: "missing" } } };
  const { keys, runs } = world.told(world.put(edited({ tls }, 2)));
  assertEquals([keys, runs <= 3], [["Gateway default/other"], true]);
});

Deno.test("A Service that nobody named wakes nobody; one that was missed wakes who missed it", () => {
  const world = new World();
  assertEquals(world.told(world.put(service("unused"))), { keys: [], runs: 0 });
  world.told(world.put(httpRoute("late", { rules: [rule("/late", "late")] })));
  assertEquals(
    world.told(world.put(service("late"))).keys,
    ["HTTPRoute default/late", "data plane"],
  );
});

Deno.test("Endpoints wake their cluster and no route", () => {
  const world = new World();
  const { keys, runs } = world.told(world.put(endpointSlice("s2", "web", ["10.0.0.9"])));
  assertEquals([keys, runs <= 2], [["data plane"], true]);
});

Deno.test("A label of a Namespace wakes the routes of that Namespace that a selector looks at", () => {
  const world = new World();
  const { keys } = world.told(world.put(namespace("apps", { team: "b" })));
  // A resolved Gateway says how many routes its listeners have.
  const wanted = ["Gateway default/gw", "HTTPRoute apps/app", "resolved default/gw", "data plane"];
  assertEquals(keys, wanted);
  assertEquals(world.told(world.put(namespace("nobody", { team: "a" }))).keys, []);
});

Deno.test("A grant that goes wakes who needed it, at whichever Gateway", () => {
  const world = new World();
  const { keys } = world.told(() => world.world.delete("ReferenceGrant", "apps/grant"));
  assertEquals(keys, ["HTTPRoute default/far", "data plane"]);
});

Deno.test("Addresses and answers of one Gateway leave the other one alone", () => {
  const world = new World();
  const { keys } = world.told(() => world.world.address("default/other", ["192.0.2.99"]));
  // Its route waits with it for the data plane; those of the other Gateway do not.
  assertEquals(keys, [
    "Gateway default/other",
    "HTTPRoute default/two",
    "resolved default/other",
    "data plane",
  ]);
});

Deno.test("A Gateway that goes takes its routes' entries with it, and comes back whole", () => {
  const world = new World();
  const gone = world.told(() => world.world.delete("Gateway", "default/other"));
  assertEquals(gone.keys, [
    "Gateway default/other",
    "HTTPRoute default/two",
    "resolved default/other",
    "data plane",
  ]);
  const back = world.told(world.put(
    gateway("other"),
    httpRoute("two", {
      parentRefs: [{ name: "other" }],
    }),
  ));
  assertEquals(back.keys, gone.keys);
});

Deno.test("A run in steps publishes nothing before its end, then everything", () => {
  const world = new World();
  const before: Outputs = world.computed.outputs;
  world.world.put(
    httpRoute("three", { rules: [rule("/three")] }),
    httpRoute("four", { rules: [rule("/four")] }),
  );
  assertEquals(world.computed.step(() => true), undefined);
  assertStrictEquals(world.computed.outputs, before);
  assert(world.computed.isRunning);
  let published: PublishedOutputs | undefined;
  while (!published) published = world.computed.step(() => true);
  assertEquals(published.changes.statuses.HTTPRoute.map(String), ["default/four", "default/three"]);
});

Deno.test("A run that was cancelled is taken up by the next one, and tells each change once", () => {
  const world = new World();
  world.world.put(
    httpRoute("three"),
    gateway("third"),
    httpRoute("far3", {
      parentRefs: [{ name: "third" }],
    }),
  );
  for (let steps = 1; steps < 8; steps++) {
    let left = steps;
    if (world.computed.step(() => --left <= 0)) break;
    world.computed.cancel();
  }
  world.world.put(httpRoute("four"));
  const { changes, outputs } = world.step();
  assertEquals(new Set(changes.statuses.HTTPRoute).size, changes.statuses.HTTPRoute.length);
  assertEquals(outputs.statuses.HTTPRoute.size, 7);
});

Deno.test("A query that throws publishes nothing; when it is mended the next run tells all", () => {
  const world = new GatewayWorld();
  let isBroken = false;
  const dataPlane: DataPlaneCapabilities = {
    ...testCapabilities,
    get protocols() {
      if (isBroken) throw new Error("broken");
      return testCapabilities.protocols;
    },
  };
  const computed = new IncrementalOutputs(world.inputs, { ...settings, dataPlane });
  world.put(gatewayClass(), gateway("gw"), service("web"), httpRoute("one"));
  const before = computed.step()?.outputs;
  isBroken = true;
  world.put(gateway("gw", [listener("main"), listener("more", { port: 81 })]), httpRoute("two"));
  for (let tries = 0; tries < 2; tries++) {
    assertThrows(() => computed.step(), Error, "broken");
    assertStrictEquals(computed.outputs, before);
    assertEquals(computed.isRunning, false);
  }
  isBroken = false;
  const { statuses } = computed.step()?.changes ?? {};
  assertEquals(statuses?.Gateway.map(String), ["default/gw"]);
  assertEquals(statuses?.HTTPRoute.map(String), ["default/two"]);
  assertEquals(findWrongOutput(world.inputs, settings, computed.outputs), undefined);
});

Deno.test("IncrementalOutputs.startOver() computes all anew and tells nothing that is the same", () => {
  const world = new World();
  const before = world.computed.outputs;
  world.computed.startOver();
  assertStrictEquals(world.computed.outputs, before, "what was published stays until the run ends");
  assertEquals(world.computed.step(() => true), undefined);
  assertStrictEquals(world.computed.outputs, before);
  let published: PublishedOutputs | undefined;
  while (!published) published = world.computed.step(() => true);
  assertEquals(Object.values(published.changes.statuses).flat(), []);
  assertEquals(published.changes.dataPlane, false);
  const [[key, status] = []] = before.statuses.HTTPRoute;
  assert(key);
  assertStrictEquals(world.computed.outputs.statuses.HTTPRoute.get(key), status);
  assertEquals(world.told(world.put(httpRoute("one", { rules: [rule("/new")] }))).keys, [
    "HTTPRoute default/one",
    "data plane",
  ]);
});

Deno.test("An answer for a Gateway that left while all is computed anew says nothing of its return", () => {
  const world = new World();
  const key = toKey("default/other");
  assert(world.world.inputs.acknowledgementOf(key));
  world.world.put(gateway("other", [listener("http", { protocol: "TCP" })]));
  world.computed.startOver();
  world.step();
  assertEquals(world.world.inputs.acknowledgementOf(key), undefined);
  world.world.put(gateway("other"));
  world.step();
  assertEquals(world.computed.outputs.statuses.Gateway.get(key)?.pending, true);
});

Deno.test("A status names the fields that it was read from, and the change that altered it last", () => {
  const world = new World();
  const key = toKey("default/one");
  world.world.inputs.transaction(
    77,
    world.put(httpRoute("one", { parentRefs: [{ name: "other" }] })),
  );
  world.step();
  const { HTTPRoute: statuses } = world.computed.view.statuses;
  const cause = causeOf(statuses, key);
  assertEquals([cause?.input, cause?.key, cause?.slices, cause?.atMs], [
    "HTTPRoute",
    key,
    ["spec.parentRefs"],
    77,
  ]);
  const reads = takeReads(statuses, key, { nodesMax: 100, readsMax: 100 });
  const fields = [...fieldsOf(reads)];
  for (
    const field of [
      "HTTPRoute default/one spec.parentRefs",
      "HTTPRoute default/one spec.rules",
      "Service default/web ",
    ]
  ) {
    assert(fields.includes(field), `${field} in ${fields.join(", ")}`);
  }
});

/** `input key slice` of all that was read. */
function* fieldsOf(node: ReadNode | undefined): Generator<string> {
  if (node?.input) yield `${node.name} ${node.key} ${node.input.slice}`;
  for (const read of node?.reads ?? []) yield* fieldsOf(read);
}
