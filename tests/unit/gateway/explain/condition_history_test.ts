/** What a user would lose: since when a condition is what it is, without a memory that grows. */

import { assert, assertEquals } from "@std/assert";
import { ExplainedEngine } from "../../../fakes/explained_engine.ts";
import {
  gateway,
  gatewayClass,
  httpRoute,
  listener,
  service,
} from "../../../fakes/gateway_objects.ts";
import { toKey } from "../../../fakes/gateway_world.ts";

Deno.test("ConditionHistory stamps a condition when it changes, and the others stay as they were", async () => {
  const engine = new ExplainedEngine();
  const stamp = (type: string, group = "parents[default/gw]") =>
    engine.history.stampOf("HTTPRoute", toKey("default/r"), group, type);
  assertEquals(engine.history.start, undefined);
  await engine.start(gatewayClass(), gateway("gw"), service("web"), httpRoute("r"));
  const start = engine.history.start;
  assertEquals(stamp("Accepted"), start);
  const programmed = stamp("weir.dev/Programmed");
  assertEquals([programmed?.cause?.input, programmed?.after], [
    "acknowledgements",
    start?.revision,
  ]);
  await engine.clock.advance(1000);
  engine.source.delete("Service", "default/web");
  await engine.settle();
  const resolved = stamp("ResolvedRefs");
  assertEquals([resolved?.cause?.input, resolved?.cause?.key], ["Service", "default/web"]);
  assertEquals(stamp("Accepted"), start);
  // A parent that comes later has no history before that.
  engine.source.put(
    gateway("two", [listener("http", { port: 81 })]),
    httpRoute("r", { parentRefs: [{ name: "gw" }, { name: "two" }] }, { generation: 2 }),
  );
  await engine.settle();
  assertEquals(stamp("Accepted"), start);
  const later = stamp("Accepted", "parents[default/two]");
  assert(resolved && later && later.after >= resolved.revision);
  const second = engine.explain("HTTPRoute", "default/r", "parents[default/two]", "Accepted");
  // The addresses of the new Gateway came last, and have no part in it.
  assertEquals(second.lastChange.input?.field, "spec.parentRefs");
  await engine.stop();
});

Deno.test("ConditionHistory keeps nothing of what is gone", async () => {
  const engine = new ExplainedEngine();
  await engine.start(gatewayClass(), gateway("gw"), service("web"));
  const size = engine.history.size;
  for (let round = 0; round < 3; round++) {
    engine.source.put(httpRoute("a"), httpRoute("b", { parentRefs: [{ name: "none" }] }));
    await engine.settle();
    assertEquals(engine.history.size, size + 1);
    engine.source.delete("HTTPRoute", "default/a");
    await engine.settle();
    assertEquals(engine.history.size, size);
  }
  await engine.stop();
});
