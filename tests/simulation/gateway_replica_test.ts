/**
 * A replica that does not lead. It must compute, serve and know what is served like any other, or a
 * change of leaders would be an outage; it only must not write.
 */

import { assert, assertEquals } from "@std/assert";
import { DataPlanePush } from "../../src/gateway/data_plane_push.ts";
import { noLog } from "../../src/base/log.ts";
import { keyOf, type KubeObject, type ObjectKey } from "../../src/kube/object.ts";
import { asList, isRecord } from "../../src/kube/json_value.ts";
import type { LeaderGate } from "../../src/kube/leader_gate.ts";
import { StatusWriter } from "../../src/kube/status_writer.ts";
import { unlimitedWrites, WritePermits } from "../../src/kube/write_permits.ts";
import { GatewayEngine, RecordingDataPlane } from "../fakes/gateway_engine.ts";
import { gateway, gatewayClass, httpRoute, rule, service } from "../fakes/gateway_objects.ts";
import { toKey } from "../fakes/gateway_world.ts";
import { ScriptedStatusClient } from "../fakes/scripted_status_client.ts";

/** An engine with a data plane and a writer for HTTPRoutes, behind a gate. */
class Replica {
  readonly made = new GatewayEngine();
  readonly dataPlane = new RecordingDataPlane();
  readonly client = new ScriptedStatusClient();
  leads = false;
  lead: () => void = () => {};

  put(...objects: readonly KubeObject[]): void {
    this.made.source.put(...objects);
    for (const object of objects) {
      const stored = this.made.source.get("HTTPRoute", keyOf(object));
      if (stored && object.kind === "HTTPRoute") this.client.put(stored);
    }
  }

  async run(): Promise<void> {
    const { made } = this;
    const { state } = made;
    const gate: LeaderGate = {
      isLeader: () => this.leads,
      remainingMs: () => this.leads ? Infinity : 0,
      onChange: (listener) => {
        this.lead = () => {
          this.leads = true;
          listener();
        };
        return () => {};
      },
    };
    const writer = new StatusWriter({
      kind: "HTTPRoute",
      controllerName: "weir.dev/gateway-controller",
      source: { start: (queue) => void state.statusEvents("HTTPRoute").start(queue) },
      outputs: {
        desired: (_, key: ObjectKey) => state.outputs.statuses.HTTPRoute.get(key),
        revision: () => state.outputs.revision,
      },
      client: this.client,
      gate,
      permits: new WritePermits(gate, made.clock, unlimitedWrites),
      metrics: { outcome: () => {}, conflict: () => {}, limited: () => {} },
      log: noLog,
      clock: made.clock,
      random: () => 0,
    });
    await made.run(new DataPlanePush(state, this.dataPlane, made.clock, () => 0), writer);
  }
}

Deno.test("A replica that does not lead computes and serves, and writes when it leads", async () => {
  const replica = new Replica();
  replica.put(gatewayClass(), gateway("gw"), service("web"), httpRoute("r"), httpRoute("s"));
  await replica.run();
  await replica.made.settle();
  replica.put(httpRoute("r", { rules: [rule("/new")] }, { generation: 2 }));
  await replica.made.settle();
  const { state } = replica.made;
  assertEquals(state.hasPublished, true);
  assertEquals(state.outputs.statuses.HTTPRoute.get(toKey("default/r"))?.pending, false);
  assertEquals(replica.dataPlane.applied.at(-1), state.outputs.dataPlane);
  assertEquals(replica.client.writes, [], "somebody else leads");
  replica.lead();
  await replica.made.settle();
  assertEquals(replica.client.writes.length, 2, "each status once, though one changed twice");
  await replica.made.stop();
});

Deno.test("The first write of a route says that it is taken and that it is served", async () => {
  const replica = new Replica();
  replica.leads = true;
  replica.put(gatewayClass(), gateway("gw"), service("web"), httpRoute("r"));
  const goOn = replica.dataPlane.block();
  await replica.run();
  await replica.made.clock.advance(90);
  assertEquals(replica.client.writes, [], "the data plane has time to answer");
  goOn();
  await replica.made.settle();
  const [status] = replica.client.writes;
  const [entry] = asList(isRecord(status) ? status.parents : undefined);
  const conditions = asList(isRecord(entry) ? entry.conditions : undefined).filter(isRecord)
    .map(({ type, status }) => `${type}=${status}`);
  assertEquals(replica.client.writes.length, 1);
  for (const wanted of ["Accepted=True", "ResolvedRefs=True", "weir.dev/Programmed=True"]) {
    assert(conditions.includes(wanted), `${conditions}`);
  }
  await replica.made.stop();
});

Deno.test("Keys of statuses are told when the outputs are as new as what woke them", async () => {
  const made = new GatewayEngine();
  made.source.put(gatewayClass(), gateway("gw"), service("web"), httpRoute("r"));
  await made.run();
  const seen: (readonly [string, boolean])[] = [];
  made.state.statusEvents("HTTPRoute").start({
    add: (key) => {
      const { outputs, inputs } = made.state;
      const status = outputs.statuses.HTTPRoute.get(key);
      const revision = inputs.revisionOf("HTTPRoute", key);
      seen.push([key, outputs.revision >= revision && (status?.revision ?? revision) >= revision]);
    },
  });
  assertEquals(seen.splice(0), [["default/r", true]]);
  for (const generation of [2, 3]) {
    made.source.put(httpRoute("r", {}, { generation }));
    await made.clock.advance(5);
  }
  made.source.delete("HTTPRoute", "default/r");
  await made.clock.advance(5);
  assertEquals(seen, Array(3).fill(["default/r", true]));
  await made.stop();
});
