/**
 * What a data plane said, and for how long it holds. Users and deployment tools wait for `Programmed`
 * before they send traffic: True too early sends them into nothing, and an answer that was dropped
 * too early lets them wait for ever, because a data plane does not say again what did not change.
 */

import { assertEquals } from "@std/assert";
import { DataPlanePush } from "../../src/gateway/data_plane_push.ts";
import type { StatusKind } from "../../src/gateway/outputs.ts";
import { GatewayEngine } from "../fakes/gateway_engine.ts";
import { gateway, gatewayClass, httpRoute, listener, service } from "../fakes/gateway_objects.ts";
import { toKey } from "../fakes/gateway_world.ts";
import { SteppedDataPlane } from "../fakes/stepped_data_plane.ts";
import { desiredEntries } from "../../src/kube/entry_list.ts";

class World {
  readonly engine = new GatewayEngine();
  readonly dataPlane = new SteppedDataPlane();
  readonly push = new DataPlanePush(this.engine.state, this.dataPlane, this.engine.clock, () => 0);

  /** Starts with one Gateway and one route; the first application is under way. */
  async start(): Promise<this> {
    this.engine.source.put(gatewayClass(), gateway("gw"), service("web"), httpRoute("r"));
    await this.engine.run(this.push);
    return this;
  }

  /** Lets the data plane do all that it was asked. */
  async finishAll(): Promise<void> {
    do {
      await this.engine.settle();
    } while (this.dataPlane.finish());
  }

  programmed(kind: StatusKind = "Gateway", key = "default/gw"): string | undefined {
    const body = this.engine.state.outputs.statuses[kind].get(toKey(key))?.body;
    if (body === undefined) return undefined;
    const conditions = body.shape === "conditions"
      ? body.conditions
      : desiredEntries(body).entries[0]?.conditions;
    return conditions?.find(({ type }) => type.endsWith("Programmed"))?.status;
  }
}

Deno.test("A Gateway that is replaced at once under its name is programmed, not pending for ever", async () => {
  const world = await new World().start();
  await world.finishAll();
  assertEquals(world.programmed(), "True");
  // As `kubectl replace --force` does: nothing of it is new to the data plane.
  world.engine.source.delete("Gateway", "default/gw");
  world.engine.source.put(gateway("gw", undefined, {}, { uid: "successor" }));
  await world.finishAll();
  assertEquals(world.programmed(), "True");
  assertEquals(world.programmed("HTTPRoute", "default/r"), "True");
  await world.engine.stop();
});

Deno.test("Gateways stay programmed when their class is replaced at once", async () => {
  const world = await new World().start();
  await world.finishAll();
  world.engine.source.delete("GatewayClass", "weir");
  world.engine.source.put(gatewayClass("weir", {}, { uid: "successor" }));
  await world.finishAll();
  assertEquals(world.programmed(), "True");
  await world.engine.stop();
});

Deno.test("An answer that comes between a deletion and its undoing counts", async () => {
  const world = await new World().start();
  world.engine.source.delete("GatewayClass", "weir");
  world.dataPlane.finish();
  await world.engine.clock.settle();
  world.engine.source.put(gatewayClass());
  await world.finishAll();
  assertEquals(world.programmed(), "True");
  await world.engine.stop();
});

Deno.test("A Gateway that was out of service is not programmed before it is served again", async () => {
  const world = await new World().start();
  await world.finishAll();
  world.engine.source.put(gateway("gw", [listener("http", { protocol: "TCP" })]));
  await world.finishAll();
  assertEquals(world.programmed(), "False");
  world.engine.source.put(gateway("gw"));
  await world.engine.settle();
  assertEquals(world.programmed(), "Unknown", "the earlier answer was about sockets now closed");
  await world.finishAll();
  assertEquals(world.programmed(), "True");
  await world.engine.stop();
});

Deno.test("A late answer for a Gateway that is gone does not speak for its successor", async () => {
  const world = await new World().start();
  await world.engine.settle();
  world.engine.source.delete("Gateway", "default/gw");
  await world.engine.settle();
  world.dataPlane.finish();
  await world.engine.settle();
  world.dataPlane.finish();
  await world.engine.settle();
  assertEquals([...world.dataPlane.held?.gateways ?? []], []);
  world.engine.source.put(gateway("gw", undefined, {}, { uid: "successor" }));
  await world.engine.settle();
  assertEquals(world.programmed(), "Unknown");
  await world.finishAll();
  assertEquals(world.programmed(), "True");
  await world.engine.stop();
});

Deno.test("DataPlanePush.appliedRevision says nothing while the first configuration is on its way", async () => {
  const world = await new World().start();
  await world.engine.settle();
  assertEquals(world.push.appliedRevision, undefined, "ready would mean refused connections");
  world.dataPlane.finish();
  await world.engine.clock.settle();
  assertEquals(world.push.appliedRevision, world.engine.published[0]?.outputs.dataPlane.revision);
  await world.finishAll();
  await world.engine.stop();
});

Deno.test("DataPlanePush.isBusy from the push to the last answer, so that statuses wait that long", async () => {
  const world = await new World().start();
  await world.engine.settle();
  const seen = [world.push.isBusy];
  await world.finishAll();
  seen.push(world.push.isBusy);
  world.engine.source.put(httpRoute("r", { hostnames: ["a.example.com"] }));
  await world.engine.settle();
  seen.push(world.push.isBusy);
  await world.finishAll();
  seen.push(world.push.isBusy);
  assertEquals(seen, [true, false, true, false]);
  assertEquals(world.engine.state.isSettled, true);
  await world.engine.stop();
});
