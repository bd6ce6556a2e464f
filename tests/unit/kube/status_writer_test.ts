// The writer decides how soon a person sees the status of what they applied, and how much an API
// server pays for it. A fault here means a status that is late by minutes after a conflict, that is
// never written, or thousands of useless writes.

import { assert, assertEquals } from "@std/assert";
import { keyOf, objectKey } from "../../../src/kube/object.ts";
import { answerWaitMs, pendingWaitMs } from "../../../src/kube/status_writer.ts";
import {
  desiredCondition,
  gateway,
  gatewayStatus,
  storedCondition,
} from "../../fakes/status_objects.ts";
import { accepted, edge, started } from "../../fakes/status_writer_bench.ts";

Deno.test("StatusWriter writes the desired status of a key, stamped with the clock", async () => {
  await using bench = await started();
  await bench.add();
  assertEquals(bench.client.writes, [
    { conditions: [storedCondition("Accepted", { lastTransitionTime: "2026-01-01T00:00:00Z" })] },
  ]);
  assertEquals(bench.outcomes, ["ok"]);
});

Deno.test("StatusWriter does not call the server for a status that stands there already", async () => {
  await using bench = await started();
  await bench.add();
  await bench.add();
  assertEquals(bench.client.writes.length, 1);
  assertEquals(bench.outcomes, ["ok", "noop"]);
});

Deno.test("StatusWriter tells what a status was before each write and after it, and of no other", async () => {
  await using bench = await started();
  bench.client.failWrites.push({ outcome: "failed", message: "connection reset" });
  await bench.add();
  assertEquals(bench.written, []);
  await bench.add();
  await bench.add();
  const after = {
    conditions: [storedCondition("Accepted", { lastTransitionTime: "2026-01-01T00:00:00Z" })],
  };
  assertEquals(bench.written, [[gateway().status, after]]);
});

Deno.test("StatusWriter waits for the data plane, so that one write says both", async () => {
  await using bench = await started();
  const unknown = desiredCondition("Programmed", { status: "Unknown", reason: "Pending" });
  bench.outputs.set(
    edge,
    gatewayStatus([desiredCondition("Accepted"), unknown], { pending: true }),
  );
  await bench.add();
  await bench.clock.advance(pendingWaitMs - 1);
  assertEquals(bench.client.writes, []);
  bench.outputs.set(edge, gatewayStatus([desiredCondition("Programmed")]));
  await bench.add();
  assertEquals(bench.client.writes.length, 1);
  await bench.clock.advance(pendingWaitMs);
  assertEquals(bench.outcomes, ["ok"]);
});

Deno.test("StatusWriter writes without the data plane's answer when it takes too long", async () => {
  await using bench = await started();
  bench.outputs.set(edge, { ...accepted, pending: true });
  await bench.add();
  // Further keys in the meantime do not make the wait longer.
  await bench.clock.advance(pendingWaitMs / 2);
  await bench.add();
  assertEquals(bench.client.writes, []);
  await bench.clock.advance(pendingWaitMs / 2);
  assertEquals(bench.client.writes.length, 1);
});

Deno.test("StatusWriter waits longer for an answer that is on its way, but not for ever", async () => {
  await using bench = await started();
  bench.isAnswerComing = true;
  bench.outputs.set(edge, { ...accepted, pending: true });
  await bench.add();
  await bench.clock.advance(pendingWaitMs + 1);
  assertEquals(bench.client.writes, []);
  bench.outputs.set(edge, gatewayStatus([desiredCondition("Programmed")]));
  await bench.add();
  assertEquals(bench.client.writes.length, 1);
  bench.outputs.set(edge, { ...accepted, pending: true });
  await bench.add();
  await bench.clock.advance(answerWaitMs - 1);
  assertEquals(bench.client.writes.length, 1);
  await bench.clock.advance(1);
  assertEquals(bench.client.writes.length, 2);
});

Deno.test("StatusWriter writes at once when an event arrives during a retry's wait", async () => {
  await using bench = await started();
  bench.client.failWrites.push({ outcome: "failed", message: "connection reset" });
  await bench.add();
  await bench.add();
  assertEquals(bench.outcomes, ["failed", "ok"]);
  await bench.clock.advance(60_000);
  assertEquals(bench.outcomes, ["failed", "ok"]);
});

Deno.test("StatusWriter honours Retry-After for every key", async () => {
  await using bench = await started();
  const second = { ...gateway(), metadata: { ...gateway().metadata, name: "two" } };
  bench.client.put(second);
  bench.outputs.set(keyOf(second), { ...accepted, key: keyOf(second) });
  bench.client.failWrites.push({ outcome: "overloaded", retryAfterMs: 5000 });
  await bench.add();
  await bench.add(keyOf(second));
  await bench.clock.advance(4999);
  assertEquals(bench.client.reads.length, 1);
  await bench.clock.advance(1001);
  assertEquals(bench.outcomes, ["overloaded", "ok", "ok"]);
});

Deno.test("StatusWriter waits longer after each network fault in a row", async () => {
  await using bench = await started({ random: () => 0 });
  bench.client.failReads.push(...Array(4).fill({ outcome: "failed", message: "refused" }));
  await bench.add();
  const reads = (): number => bench.client.reads.length;
  const seen: number[] = [];
  for (const ms of [249, 1, 499, 1, 999, 1, 1999, 1]) {
    await bench.clock.advance(ms);
    seen.push(reads());
  }
  assertEquals(seen, [1, 2, 2, 3, 3, 4, 4, 5]);
  assertEquals(bench.outcomes.at(-1), "ok");
});

Deno.test("StatusWriter forgets an object that is gone", async () => {
  await using bench = await started();
  await bench.add(objectKey("infra", "missing"));
  bench.client.onWrite = () => bench.client.remove(edge);
  await bench.add();
  assertEquals(bench.outcomes, ["gone", "gone"]);
  assertEquals(bench.clock.pending, 0);
});

// A status was lost for good when a load balancer in front of the API server answered 404 for a moment:
// nothing about the object changed, so nothing brought its key back.
Deno.test("StatusWriter looks again for what the cluster does not find and nobody deleted", async () => {
  await using bench = await started({ random: () => 0 });
  bench.client.failWrites.push(...Array(6).fill({ outcome: "gone" }));
  await bench.add();
  await bench.clock.advance(250 + 500 + 1000 + 2000 + 4000);
  assertEquals(bench.outcomes, Array(6).fill("gone"));
  await bench.clock.advance(8000);
  assertEquals(bench.outcomes.at(-1), "ok");
  await bench.clock.advance(60_000);
  assertEquals(bench.clock.pending, 0);
});

// Everybody's status was a minute late after rights were given back, and after a start of the API
// server, which says no until it has read its rules: each key waited a minute for itself.
Deno.test("StatusWriter says once what is forbidden, tries one key, and frees all at once", async () => {
  await using bench = await started();
  const forbidden = { outcome: "forbidden", message: "gateways/status is not allowed" } as const;
  const others = Array.from({ length: 20 }, (_, index) => objectKey("infra", `other-${index}`));
  for (const key of others) {
    const { metadata, ...rest } = gateway();
    bench.client.put({ ...rest, metadata: { ...metadata, name: key.slice("infra/".length) } });
    bench.outputs.set(key, accepted);
  }
  bench.client.failWrites.push(...Array.from({ length: 30 }, () => forbidden));
  await bench.add();
  for (const key of others) await bench.add(key);
  assertEquals(bench.warnings.length, 1);
  await bench.clock.advance(10 * 60_000);
  // 1, 2, 4 … 60 s apart, less by chance, however many keys there are.
  assert(bench.outcomes.length < 25, `${bench.outcomes.length} tries in ten minutes`);
  bench.client.failWrites.length = 0;
  bench.outcomes.length = 0;
  await bench.clock.advance(60_000);
  // So many keys take more than one turn of the event loop.
  await bench.clock.advance(1_000);
  assertEquals(bench.outcomes.filter((outcome) => outcome === "ok").length, 1 + others.length);
});

Deno.test("StatusWriter tries what was forbidden again after a second at first", async () => {
  await using bench = await started();
  bench.client.failWrites.push({ outcome: "forbidden", message: "not yet" });
  await bench.add();
  assertEquals(bench.outcomes, ["forbidden"]);
  await bench.clock.advance(1_000);
  assertEquals(bench.outcomes, ["forbidden", "ok"]);
});

Deno.test("StatusWriter does not hammer a server that refuses the status", async () => {
  await using bench = await started();
  bench.client.failWrites.push({ outcome: "invalid", message: "status.conditions: too long" });
  await bench.add();
  await bench.clock.advance(59_999);
  assertEquals(bench.client.reads.length, 1);
  assertEquals(bench.warnings.length, 1);
});

Deno.test("StatusWriter leaves the successor of a recreated object alone", async () => {
  await using bench = await started();
  bench.outputs.set(edge, gatewayStatus([], { uid: "uid-of-an-earlier-one" }));
  await bench.add();
  assertEquals(bench.outcomes, ["dropped-stale"]);
  assertEquals(bench.clock.pending, 0);
});

Deno.test("StatusWriter reports a list that others have filled", async () => {
  await using bench = await started();
  const foreign = Array.from({ length: 8 }, (_, i) => storedCondition(`example.com/${i}`));
  bench.client.put(gateway({ conditions: foreign }));
  await bench.add();
  assertEquals(bench.limited, ["status.conditions"]);
  assertEquals(bench.outcomes, ["noop"]);
});

Deno.test("StatusWriter holds keys while another replica leads and writes them afterwards", async () => {
  await using bench = await started();
  bench.gate.leads = false;
  await bench.add();
  assertEquals(bench.client.reads, []);
  assertEquals(bench.writer.depth, 1);
  bench.gate.leads = true;
  bench.gate.listener();
  await bench.clock.settle();
  assertEquals(bench.outcomes, ["ok"]);
  assertEquals(bench.writer.depth, 0);
});

Deno.test("StatusWriter has a bounded number of writes in flight", async () => {
  await using bench = await started({ workers: 3 });
  const release = Promise.withResolvers<void>();
  bench.client.onWrite = () => release.promise;
  for (let i = 0; i < 10; i++) {
    const object = { ...gateway(), metadata: { ...gateway().metadata, name: `gw-${i}` } };
    bench.client.put(object);
    bench.outputs.set(keyOf(object), { ...accepted, key: keyOf(object) });
    await bench.add(keyOf(object));
  }
  assertEquals(bench.client.busyMax, 3);
  release.resolve();
  await bench.clock.settle();
  await bench.clock.settle();
  assertEquals(bench.client.writes.length, 10);
  assertEquals(bench.client.busyMax, 3);
});

Deno.test("StatusWriter writes the newest status there is when the read took a while", async () => {
  await using bench = await started();
  const newest = gatewayStatus([desiredCondition("Accepted", { reason: "Newest" })]);
  bench.client.failReads.push({ outcome: "failed", message: "timeout" });
  await bench.add();
  bench.outputs.set(edge, newest);
  await bench.clock.advance(250);
  const [status] = bench.client.writes as { conditions: { reason: string }[] }[];
  assertEquals(status?.conditions[0]?.reason, "Newest");
});

Deno.test("StatusWriter writes what is wanted when the read is answered, not when it was asked", async () => {
  await using bench = await started();
  const newest = gatewayStatus([desiredCondition("Accepted", { reason: "Newest" })]);
  bench.client.onRead = () => void bench.outputs.set(edge, newest);
  await bench.add();
  const [status] = bench.client.writes as { conditions: { reason: string }[] }[];
  assertEquals(status?.conditions[0]?.reason, "Newest");
});

Deno.test("StatusWriter waits for the data plane anew after each status that it has written", async () => {
  await using bench = await started();
  for (const reason of ["First", "Second"]) {
    const wanted = gatewayStatus([desiredCondition("Accepted", { reason })], { pending: true });
    bench.outputs.set(edge, wanted);
    const before = bench.client.writes.length;
    await bench.add();
    await bench.clock.advance(99);
    assertEquals(bench.client.writes.length, before, reason);
    await bench.clock.advance(1);
    assertEquals(bench.client.writes.length, before + 1, "100 ms, and no longer");
  }
});

Deno.test("StatusWriter.run() ends after the write in flight and takes no further key", async () => {
  const bench = await started();
  const release = Promise.withResolvers<void>();
  bench.client.onWrite = () => release.promise;
  await bench.add();
  const ended = bench[Symbol.asyncDispose]();
  let hasEnded = false;
  void ended.then(() => (hasEnded = true));
  await bench.clock.settle();
  assert(!hasEnded);
  release.resolve();
  await ended;
  assertEquals(bench.client.writes.length, 1);
});
