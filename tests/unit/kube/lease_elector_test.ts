// One or two electors on a server in memory: what they write, what they tell, how they end.

import { assert, assertEquals, assertMatch } from "@std/assert";
import type { ClusterError } from "../../../src/kube/cluster_error.ts";
import { asString, isRecord, type JsonRecord } from "../../../src/kube/json_value.ts";
import { Election, type ElectionReplica, leasePath } from "../../fakes/election.ts";
import { refusal } from "../../fakes/rest_store.ts";

function specOf({ store }: Election): JsonRecord {
  const spec = store.objects.get(leasePath)?.spec;
  return isRecord(spec) ? spec : {};
}

function messagesOf({ log }: ElectionReplica): readonly string[] {
  return log.records.map(({ level, message }) => `${level}: ${message}`);
}

async function led(): Promise<{ election: Election; first: ElectionReplica }> {
  const election = new Election(() => 0.5);
  const first = election.start();
  await election.untilLed(1_000);
  assertEquals(election.leader?.name, first.name);
  return { election, first };
}

Deno.test("the first replica leads at once, and renews each retry period", async () => {
  const { election, first } = await led();
  const { acquireTime, renewTime, ...spec } = specOf(election);
  assertEquals(spec, {
    holderIdentity: "replica-0",
    leaseDurationSeconds: 15,
    leaseTransitions: 0,
  });
  assertMatch(asString(renewTime) ?? "", /^2026-01-01T00:00:00\.\d{6}Z$/);
  await election.clock.advance(20_000);
  const later = specOf(election);
  assertEquals(later.acquireTime, acquireTime);
  assert(later.renewTime !== renewTime);
  assertEquals(election.store.writes.length, 11);
  assertEquals(first.elector.reason, `leads by Lease "weir/weir"`);
  await election.end();
});

Deno.test("SIGTERM frees the Lease after writers have stopped; the other one takes it soon", async () => {
  const { election, first } = await led();
  const second = election.start();
  await election.clock.advance(3_000);
  assertEquals(second.elector.reason, `does not lead, "replica-0" holds Lease "weir/weir"`);
  first.leave();
  const leftMs = Math.max(0, first.writesUntilMs - election.clock.monotonicMs());
  await election.clock.advance(leftMs + 10);
  assertEquals([specOf(election).holderIdentity, specOf(election).leaseDurationSeconds], ["", 1]);
  assert(await election.untilLed(5_000) <= 1_500);
  const { holderIdentity, leaseTransitions, leaseDurationSeconds } = specOf(election);
  assertEquals([holderIdentity, leaseTransitions, leaseDurationSeconds], ["replica-1", 1, 15]);
  assertEquals(messagesOf(first), [
    "info: Leads now: this replica writes statuses",
    "info: Gave the Lease back",
  ]);
  await election.end();
});

Deno.test("a write whose answer was lost is given back as well", async () => {
  const election = new Election(() => 0.5);
  const replica = election.start();
  replica.machine.fate = () => ({ requestMs: 1, answerMs: 1 });
  await election.clock.advance(2);
  replica.machine.fate = () => ({ requestMs: 1, answerMs: Infinity });
  await election.clock.advance(100);
  replica.machine.fate = () => ({ requestMs: 1, answerMs: 1 });
  replica.leave();
  await election.clock.advance(100);
  assertEquals(specOf(election).holderIdentity, "");
  await election.end();
});

const problems: readonly (readonly [name: string, error: ClusterError, told: RegExp])[] = [
  ["forbidden", refusal(403, "Forbidden", `cannot get resource "leases"`), /^does not lead \(forb/],
  ["no API", refusal(404, "NotFound", "could not find the requested resource"), /\(no-lease-api\)/],
  ["no namespace", refusal(404, "NotFound", `namespaces "weir" not found`), /\(no-namespace\)/],
  ["overload", refusal(429, "TooManyRequests"), /\(overloaded\)/],
  ["invalid", refusal(422, "Invalid", "spec"), /\(refused\)/],
];
for (const [name, error, told] of problems) {
  Deno.test(`${name}: nobody leads, and it is said why, once`, async () => {
    const election = new Election(() => 0.5);
    election.store.intercept = () => error;
    const [first, second] = [election.start(), election.start()];
    await election.clock.advance(60_000);
    assertEquals(election.leader, undefined);
    for (const replica of [first, second]) {
      assertMatch(replica.elector.reason, told);
      assertEquals(messagesOf(replica), [
        "warn: Leader election is hindered; trying again, further failures are only counted",
      ]);
    }
    election.store.intercept = () => undefined;
    assert(await election.untilLed(5_000) <= 2_500);
    await election.end();
  });
}

Deno.test("a leader whose server is away stops before its lease ends, and leads again", async () => {
  const { election, first } = await led();
  await election.clock.advance(5_000);
  election.store.intercept = () => refusal(503, "ServiceUnavailable");
  let openMs = 0;
  while (first.elector.gate.isLeader()) {
    openMs += 50;
    await election.clock.advance(50);
  }
  assert(openMs <= 10_000, `${openMs} ms`);
  await election.clock.advance(100_000);
  election.store.intercept = () => undefined;
  assert(await election.untilLed(5_000) <= 2_500);
  assertEquals(specOf(election).leaseTransitions, 0);
  assertEquals(messagesOf(first).slice(1), [
    "warn: Leader election is hindered; trying again, further failures are only counted",
    "warn: Leads no more: this replica writes nothing and goes on serving",
    "info: Leads now: this replica writes statuses",
  ]);
  await election.end();
});

Deno.test("what others put on the Lease stays, and costs no leadership", async () => {
  const { election, first } = await led();
  const { store, clock } = election;
  const lease = store.objects.get(leasePath) ?? {};
  const labels = { team: "edge" };
  const metadata = isRecord(lease.metadata) ? { ...lease.metadata, labels } : {};
  store.handle({
    method: "PUT",
    path: leasePath,
    body: { ...lease, metadata },
    signal: new AbortController().signal,
  });
  await clock.advance(10_000);
  const after = store.objects.get(leasePath)?.metadata;
  assertEquals(isRecord(after) ? after.labels : undefined, labels);
  assertEquals(messagesOf(first), ["info: Leads now: this replica writes statuses"]);
  await election.end();
});

Deno.test("a server that cannot be reached at the end is given 2 s", async () => {
  const { election, first } = await led();
  first.machine.fate = () => ({ requestMs: Infinity, answerMs: Infinity });
  const ended = first.end();
  await election.clock.advance(2_000);
  await ended;
  assertEquals(
    messagesOf(first).at(-1),
    "warn: Cannot give the Lease back, others have to wait until it expires",
  );
  assertEquals(first.elector.gate.isLeader(), false);
});
