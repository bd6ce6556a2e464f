/**
 * The State as a whole, with its feed, on a clock that the test moves: the gate, coalescing, order,
 * and that nothing is ever lost.
 */

import { assert, assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { DataPlanePush } from "../../src/gateway/data_plane_push.ts";
import { kindNames } from "../../src/kube/kinds.ts";
import {
  endpointSlice,
  gateway,
  gatewayClass,
  httpRoute,
  listener,
  rule,
  service,
} from "../fakes/gateway_objects.ts";
import { GatewayEngine, RecordingDataPlane } from "../fakes/gateway_engine.ts";
import { toKey } from "../fakes/gateway_world.ts";

function engine(): GatewayEngine {
  const made = new GatewayEngine();
  made.source.put(gatewayClass(), gateway("gw"), service("web"), httpRoute("r"));
  return made;
}

Deno.test("State publishes nothing before every kind has synced, then everything at once", async () => {
  const made = engine();
  made.source.hold("Service");
  await made.run();
  await made.clock.advance(1000);
  assertEquals(made.published.length, 0, "a status from half of the inputs would flap");
  assertEquals(made.state.unsyncedKinds, ["Service"]);
  assertEquals(made.state.hasPublished, false);
  made.source.release("Service");
  await made.clock.settle();
  assertEquals(made.published.length, 1, "exactly one recompute");
  const { changes, outputs } = made.published[0] ?? {};
  assertEquals(outputs?.revision, made.state.revision);
  assertEquals<readonly string[]>(changes?.statuses.HTTPRoute ?? [], ["default/r"]);
  assertEquals(changes?.dataPlane, true);
  await made.clock.advance(1000);
  assertEquals(made.published.length, 1);
  await made.stop();
});

Deno.test("State waits for the last of all kinds, whichever it is", async () => {
  for (const kind of kindNames) {
    const made = engine();
    made.source.hold(kind);
    await made.run();
    await made.clock.advance(1000);
    assertEquals([made.published.length, made.state.unsyncedKinds], [0, [kind]]);
    made.source.release(kind);
    await made.clock.settle();
    assertEquals(made.published.length, 1, kind);
    await made.stop();
  }
});

Deno.test("State opens the gate also when there is nothing, so that readiness comes", async () => {
  const made = new GatewayEngine();
  await made.run();
  assertEquals(made.state.hasPublished, true);
  assertEquals(made.published.length, 1);
  await made.stop();
});

Deno.test("State coalesces a burst into one recompute after 2 ms of quiet", async () => {
  const made = engine();
  await made.run();
  for (let n = 0; n < 50; n++) made.source.put(httpRoute(`burst-${n}`));
  await made.clock.advance(1);
  assertEquals(made.published.length, 1);
  made.source.put(httpRoute("one-more"));
  await made.clock.advance(1);
  assertEquals(made.published.length, 1, "the quiet time starts again");
  await made.clock.advance(1);
  assertEquals(made.published.length, 2);
  // The new ones, and the one that was there: now some of them come before it.
  assertEquals(made.published[1]?.changes.statuses.HTTPRoute.length, 52);
  await made.stop();
});

Deno.test("State recomputes at the latest 25 ms after the first change, however busy it is", async () => {
  const made = engine();
  await made.run();
  for (let ms = 0; ms < 25; ms++) {
    assertEquals(made.published.length, 1);
    made.source.put(httpRoute("r", { rules: [rule(`/${ms}`)] }));
    await made.clock.advance(1);
  }
  assertEquals(made.published.length, 2, "although there was never a quiet time");
  await made.stop();
});

Deno.test("State.upsert() of what it knows moves no revision and wakes nobody", async () => {
  const made = engine();
  await made.run();
  const { revision } = made.state;
  made.source.put(httpRoute("r"));
  made.source.resync("HTTPRoute");
  await made.clock.advance(100);
  assertEquals(made.state.revision, revision);
  assertEquals(made.published.length, 1);
  await made.stop();
});

Deno.test("State keeps the identity of outputs that did not change", async () => {
  const made = engine();
  made.source.put(gateway("other"), httpRoute("o", { parentRefs: [{ name: "other" }] }));
  await made.run();
  const before = made.state.outputs;
  made.source.put(httpRoute("r", { rules: [rule("/changed")] }));
  await made.clock.advance(5);
  const { outputs, changes } = made.published[1] ?? {};
  assert(outputs && changes);
  const key = toKey("default/o");
  assertStrictEquals(
    outputs.statuses.HTTPRoute.get(key),
    before.statuses.HTTPRoute.get(key),
  );
  const [, otherBefore] = [...before.dataPlane.gateways.values()];
  const [changed, other] = [...outputs.dataPlane.gateways.values()];
  assertStrictEquals(other, otherBefore);
  assert(changed !== [...before.dataPlane.gateways.values()][0]);
  assertStrictEquals(outputs.dataPlane.clusters, before.dataPlane.clusters);
  assertEquals(changes.statuses.Gateway, []);
  await made.stop();
});

Deno.test("State leaves route tables alone when only endpoints change", async () => {
  const made = engine();
  await made.run();
  const before = made.state.outputs.dataPlane;
  made.source.put(endpointSlice("s", "web", ["10.0.0.1"]));
  await made.clock.advance(5);
  const after = made.state.outputs.dataPlane;
  assertStrictEquals(after.gateways, before.gateways);
  assertEquals([...after.clusters.values()][0]?.endpoints.length, 1);
  assertEquals(made.published[1]?.changes.statuses.HTTPRoute, []);
  await made.stop();
});

Deno.test("State.statusEvents() keeps keys until a consumer starts, each once", async () => {
  const made = engine();
  await made.run();
  made.source.put(httpRoute("r", { rules: [rule("/again")] }));
  await made.clock.advance(5);
  const keys: string[] = [];
  const stop = made.state.statusEvents("HTTPRoute").start({ add: (key) => keys.push(key) });
  assertEquals(keys, ["default/r"]);
  made.source.delete("HTTPRoute", "default/r");
  await made.clock.advance(5);
  assertEquals(keys, ["default/r", "default/r"], "a removal is told too");
  stop();
  await made.stop();
});

Deno.test("State.onCommit() callbacks run after the commit, in order, and may call any getter", async () => {
  const made = engine();
  const seen: string[] = [];
  made.state.onCommit((_, outputs) => {
    assertStrictEquals(made.state.outputs, outputs);
    assertEquals(made.state.inputs.get("Gateway", toKey("default/gw"))?.metadata.name, "gw");
    seen.push(`first ${outputs.revision}`);
    if (seen.length === 1) made.source.put(httpRoute("from-callback"));
  });
  made.state.onCommit((_, outputs) => {
    seen.push(`second ${outputs.revision}`);
  });
  await made.run();
  await made.clock.advance(10);
  const [a, b] = made.published.map(({ outputs }) => outputs.revision);
  assertEquals(seen, [`first ${a}`, `second ${a}`, `first ${b}`, `second ${b}`]);
  await made.stop();
});

Deno.test("State.onCommit() callbacks stand outside of any step: they may change inputs and ask queries", async () => {
  const made = engine();
  const revisions: number[] = [];
  let isPending: boolean | undefined;
  const stop = made.state.onCommit(() => {
    for (const name of ["a", "b"]) {
      made.source.put(httpRoute(name, { rules: [rule(`/${name}`)] }));
      revisions.push(made.state.revision);
    }
    isPending = made.state.view.statuses.HTTPRoute.get(toKey("default/a"))?.pending;
    stop();
  });
  await made.run();
  const [{ outputs } = made.state] = made.published;
  assertEquals(revisions, [outputs.revision + 1, outputs.revision + 2], "two steps, not one");
  assertEquals(isPending, true);
  await made.clock.advance(5);
  assertEquals(made.state.outputs.statuses.HTTPRoute.size, 3);
  await made.stop();
});

Deno.test("State.outputsAtLeast() resolves with outputs that are new enough, never older ones", async () => {
  const made = engine();
  const early = made.state.outputsAtLeast(0);
  await made.run();
  assertEquals((await early).revision, made.state.revision, "not before the gate opened");
  made.source.put(httpRoute("next"));
  const { revision } = made.state;
  const waiting = made.state.settled();
  await made.clock.advance(5);
  assert((await waiting).revision >= revision);
  assertStrictEquals(await made.state.settled(), made.state.outputs);
  const abort = new AbortController();
  const never = made.state.outputsAtLeast(revision + 100, abort.signal);
  abort.abort(new Error("stopped"));
  await assertRejects(() => never, Error, "stopped");
  await made.stop();
});

Deno.test("Feed keeps the last good version of an object that became unreadable", async () => {
  const made = engine();
  await made.run();
  const broken = httpRoute("r", { rules: "none" });
  made.source.put(broken);
  await made.clock.advance(5);
  assertEquals(made.state.outputs.statuses.HTTPRoute.size, 1, "it goes on being served");
  assertEquals(made.problems.map(({ key, reason }) => `${key}: ${reason}`), [
    "default/r: spec.rules: wanted Array",
  ]);
  made.source.put(broken);
  assertEquals(made.problems.length, 1, "told once");
  made.source.put(httpRoute("r"));
  assertEquals(made.feed.problems(), []);
  made.source.put(httpRoute("r", { rules: "none" }, { uid: "another" }));
  await made.clock.advance(5);
  assertEquals(made.state.outputs.statuses.HTTPRoute.size, 0, "the good one was another object");
  await made.stop();
});

Deno.test("Feed removes what a later snapshot does not hold", async () => {
  const made = engine();
  made.source.put(httpRoute("gone"));
  await made.run();
  made.source.hold("HTTPRoute");
  made.source.delete("HTTPRoute", "default/gone");
  made.source.release("HTTPRoute");
  await made.clock.advance(5);
  assertEquals<readonly string[]>([...made.state.outputs.statuses.HTTPRoute.keys()], [
    "default/r",
  ]);
  await made.stop();
});

Deno.test("DataPlanePush applies the newest configuration, one at a time, and reports back", async () => {
  const made = engine();
  const dataPlane = new RecordingDataPlane();
  const goOn = dataPlane.block();
  await made.run(new DataPlanePush(made.state, dataPlane, made.clock, () => 0));
  assertEquals(dataPlane.applied.length, 1);
  for (let n = 0; n < 5; n++) {
    made.source.put(httpRoute("r", { rules: [rule(`/${n}`)] }));
    await made.clock.advance(5);
  }
  assertEquals(dataPlane.applied.length, 1, "the first one is still being applied");
  goOn();
  await made.settle();
  assertEquals(dataPlane.applied.length, 2, "those in between are skipped");
  assertEquals(dataPlane.concurrentMax, 1);
  assertStrictEquals(dataPlane.applied[1], made.state.outputs.dataPlane);
  const status = made.state.outputs.statuses.HTTPRoute.get(toKey("default/r"));
  assertEquals(status?.pending, false);
  assertEquals(
    made.state.outputs.statuses.Gateway.get(toKey("default/gw"))?.pending,
    false,
  );
  await made.stop();
});

Deno.test("DataPlanePush tells a data plane nothing before the gate opens", async () => {
  const made = engine();
  const dataPlane = new RecordingDataPlane();
  made.source.hold("Secret");
  await made.run(new DataPlanePush(made.state, dataPlane, made.clock, () => 0));
  await made.clock.advance(100);
  assertEquals(dataPlane.applied.length, 0, "a restart must not serve 404 for a known route");
  made.source.release("Secret");
  await made.settle();
  assertEquals(dataPlane.applied.length, 1);
  await made.stop();
});

Deno.test("DataPlanePush tries again what was refused: a port may be free later", async () => {
  const made = engine();
  const dataPlane = new RecordingDataPlane();
  const origin = { kind: "Gateway", namespace: "default", name: "gw" };
  dataPlane.refusals = [{ origin, listener: "http", reason: "PortUnavailable", message: "taken" }];
  await made.run(new DataPlanePush(made.state, dataPlane, made.clock, () => 0));
  assertEquals(dataPlane.applied.length, 1);
  await made.clock.advance(1_000);
  assertEquals(dataPlane.applied.length, 2);
  await made.clock.advance(1_999);
  assertEquals(dataPlane.applied.length, 2, "less and less often");
  dataPlane.refusals = [];
  await made.clock.advance(1);
  assertEquals(dataPlane.applied.length, 3);
  await made.clock.advance(120_000);
  assertEquals(dataPlane.applied.length, 3, "once it is in service nothing is tried");
  const status = made.state.outputs.statuses.Gateway.get(toKey("default/gw"));
  assertEquals(status?.pending, false);
  await made.stop();
});

Deno.test("State gives addresses before the first outputs, so that none says AddressNotAssigned", async () => {
  const made = engine();
  await made.run();
  const [config] = made.state.outputs.dataPlane.gateways.values();
  assertEquals(config?.addresses, ["192.0.2.1"]);
  made.source.put(gateway("second", [listener("http")]));
  await made.clock.advance(5);
  assertEquals(
    [...made.state.outputs.gateways.values()].map(({ addresses }) => addresses),
    [["192.0.2.1"], ["192.0.2.2"]],
  );
  await made.stop();
});

Deno.test("Churn of objects leaves nothing behind", async () => {
  const made = engine();
  await made.run();
  for (let round = 0; round < 3; round++) {
    for (let n = 0; n < 100; n++) made.source.put(httpRoute(`x${n}`), service(`x${n}`));
    await made.clock.advance(5);
    for (let n = 0; n < 100; n++) {
      made.source.delete("HTTPRoute", `default/x${n}`);
      made.source.delete("Service", `default/x${n}`);
    }
    await made.clock.advance(5);
  }
  for (const kind of kindNames) {
    assertEquals(made.state.inputs.revisionOf(kind, toKey("default/x1")), 0, "no absence is kept");
  }
  assertEquals(made.state.inputs.count("HTTPRoute"), 1);
  assertEquals(made.clock.pending, 0, "no timer is left");
  await made.stop();
});
