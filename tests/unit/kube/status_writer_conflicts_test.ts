// Conflicts are daily business: other controllers, people and our own cache cause them. A writer that
// takes them for faults is minutes late; one that forgets its lease writes what another replica undoes.

import { assertEquals } from "@std/assert";
import { gateway, storedCondition } from "../../fakes/status_objects.ts";
import { edge, started } from "../../fakes/status_writer_bench.ts";

const conflict = { outcome: "conflict", reason: "stale-write" } as const;

Deno.test("StatusWriter tries again at once after a conflict, from what the cluster has now", async () => {
  await using bench = await started();
  const stale = gateway();
  bench.client.cached.set(edge, stale);
  bench.client.put({ ...stale, metadata: { ...stale.metadata, resourceVersion: "8" } });
  await bench.add();
  await bench.clock.advance(10);
  assertEquals(bench.client.reads, ["cached", "live"]);
  assertEquals([bench.conflicts, bench.outcomes], [["stale-write"], ["ok"]]);
});

Deno.test("StatusWriter gives others a turn after four conflicts, and is back within 2 s", async () => {
  await using bench = await started({ random: () => 0 });
  bench.client.failWrites.push(...Array(40).fill(conflict));
  await bench.add();
  await bench.clock.advance(310);
  assertEquals([bench.client.reads.length, bench.outcomes], [4, ["conflict"]]);
  for (const waitMs of [250, 500, 1000, 2000, 2000, 2000]) {
    // The tries of a run take 10 + 50 + 250 ms.
    await bench.clock.advance(waitMs - 1);
    const before = bench.client.reads.length;
    await bench.clock.advance(1);
    assertEquals(bench.client.reads.length, before + 1, `after ${waitMs} ms`);
    await bench.clock.advance(310);
  }
});

Deno.test("StatusWriter does not let conflicts slow what follows another failure", async () => {
  await using bench = await started({ random: () => 0 });
  bench.client.failWrites.push(...Array(12).fill(conflict), {
    outcome: "failed",
    message: "reset",
  });
  await bench.add();
  await bench.clock.advance(310 + 250 + 310 + 500 + 310 + 1000);
  assertEquals(bench.outcomes, ["conflict", "conflict", "conflict", "failed"]);
  await bench.clock.advance(250);
  assertEquals(bench.outcomes.at(-1), "ok");
});

Deno.test("StatusWriter does not try again at once where another manager keeps a field", async () => {
  await using bench = await started();
  bench.client.failWrites.push({ outcome: "conflict", reason: "field-owned" });
  await bench.add();
  await bench.clock.advance(59_999);
  assertEquals([bench.outcomes, bench.conflicts], [["conflict"], ["field-owned"]]);
});

Deno.test("StatusWriter applies what is ours where the cluster knows owners", async () => {
  await using bench = await started();
  const foreign = storedCondition("example.com/Theirs");
  bench.client.put(gateway({ conditions: [foreign] }));
  bench.client.applies();
  await bench.add();
  assertEquals(bench.client.intents, [
    { conditions: [storedCondition("Accepted", { lastTransitionTime: "2026-01-01T00:00:00Z" })] },
  ]);
  assertEquals([bench.outcomes, bench.client.writes.length], [["ok"], 0]);
});

Deno.test("StatusWriter takes out what an apply has left, in the version that it left", async () => {
  await using bench = await started();
  // Written by somebody who owns it still: an apply only gives up what was ours.
  bench.client.put(gateway({ conditions: [storedCondition("Conflicted")], addresses: ["x"] }));
  bench.client.applies();
  await bench.add();
  assertEquals([bench.client.intents.length, bench.outcomes], [1, ["ok"]]);
  assertEquals(bench.client.writes, [
    { conditions: [storedCondition("Accepted", { lastTransitionTime: "2026-01-01T00:00:00Z" })] },
  ]);
});

Deno.test("StatusWriter tells when its apply reached the successor of the object", async () => {
  await using bench = await started();
  const successor = gateway();
  bench.client.applies();
  bench.client.cached.set(edge, gateway());
  bench.client.put({ ...successor, metadata: { ...successor.metadata, uid: "another" } });
  await bench.add();
  await bench.clock.advance(10);
  assertEquals([bench.conflicts, bench.outcomes], [["recreated"], ["dropped-stale"]]);
});

Deno.test("StatusWriter writes nothing with too little of the lease left, until it is renewed", async () => {
  await using bench = await started();
  bench.gate.leftMs = 700;
  await bench.add();
  await bench.clock.advance(1_000);
  assertEquals([bench.client.reads, bench.outcomes], [[], []]);
  bench.gate.leftMs = 10_000;
  await bench.clock.advance(250);
  assertEquals(bench.outcomes, ["ok"]);
  assertEquals(bench.client.timeoutsMs, [9_500]);
});

Deno.test("StatusWriter asks for the lease once more between its read and its write", async () => {
  await using bench = await started();
  bench.client.onRead = () => void (bench.gate.leads = false);
  await bench.add();
  assertEquals([bench.client.reads.length, bench.client.writes.length], [1, 0]);
  assertEquals(bench.writer.depth, 1);
  bench.client.onRead = () => {};
  bench.gate.leads = true;
  bench.gate.listener();
  await bench.clock.settle();
  assertEquals(bench.outcomes, ["ok"]);
});
