/**
 * What the leader election and Events rely on, as a suite that runs on any API server: the store in
 * memory, the local cluster's API, a real kube-apiserver.
 *
 * The simulation of the election would be worth nothing if its server told conflicts in another way.
 */

import { assert, assertEquals } from "@std/assert";
import type { Clock } from "../../src/base/clock.ts";
import { ClusterError } from "../../src/kube/cluster_error.ts";
import type { ClusterTransport } from "../../src/kube/cluster_transport.ts";
import { EventWriter } from "../../src/kube/event_writer.ts";
import { eventsPath } from "../../src/kube/event_object.ts";
import { asList, asString, isRecord, type JsonRecord } from "../../src/kube/json_value.ts";
import { alwaysLeader } from "../../src/kube/leader_gate.ts";
import { LeaseClient } from "../../src/kube/lease_client.ts";
import { noLog } from "../../src/base/log.ts";

/** A server with a namespace that there is. */
export interface ElectionTarget {
  readonly transport: ClusterTransport;
  readonly clock: Clock;
  readonly namespace: string;
  /** Whether Events can be listed. */
  readonly hasLists: boolean;
  /** Lets the server and its clients work for a short time. */
  pass(): Promise<void>;
  close(): Promise<void>;
}

const { signal } = new AbortController();
const claim = { holder: "a", durationMs: 15_000, nowMs: Date.UTC(2026, 0, 1) };

/** Registers the suite for one server. */
export function testElectionServer(name: string, open: () => Promise<ElectionTarget>): void {
  const test = (promise: string, check: (target: ElectionTarget) => Promise<void>): void =>
    Deno.test(`${name}: ${promise}`, async () => {
      const target = await open();
      try {
        await check(target);
      } finally {
        await target.close();
      }
    });

  test("a Lease is made once, renewed, freed and taken", async ({ transport, namespace }) => {
    const client = clientOf(transport, namespace, "suite-life");
    assertEquals((await client.read(signal)).outcome, "absent");
    const made = await client.write(undefined, claim, signal);
    assert(made.outcome === "ok", JSON.stringify(made));
    assertEquals((await client.write(undefined, claim, signal)).outcome, "conflict");
    const renewed = await client.write(made.record, { ...claim, nowMs: claim.nowMs + 1 }, signal);
    assert(renewed.outcome === "ok");
    assert(renewed.record.renewTime !== made.record.renewTime);
    assertEquals(renewed.record.acquireTime, made.record.acquireTime);
    const freed = await client.write(
      renewed.record,
      { ...claim, holder: "", durationMs: 1 },
      signal,
    );
    assert(freed.outcome === "ok", JSON.stringify(freed));
    const taken = await client.write(freed.record, { ...claim, holder: "b" }, signal);
    assert(taken.outcome === "ok");
    assertEquals([taken.record.holder, taken.record.transitions], ["b", 1]);
    const read = await client.read(signal);
    assert(read.outcome === "ok");
    assertEquals(read.record.resourceVersion, taken.record.resourceVersion);
    await remove(transport, namespace, "suite-life");
  });

  test("of two that write at one version one succeeds", async ({ transport, namespace }) => {
    const client = clientOf(transport, namespace, "suite-race");
    const made = await client.write(undefined, claim, signal);
    assert(made.outcome === "ok");
    const both = await Promise.all(
      ["b", "c"].map((holder) => client.write(made.record, { ...claim, holder }, signal)),
    );
    assertEquals(both.map(({ outcome }) => outcome).sort(), ["conflict", "ok"]);
    await remove(transport, namespace, "suite-race");
  });

  test("a Lease that is gone or made anew is a conflict", async ({ transport, namespace }) => {
    const client = clientOf(transport, namespace, "suite-anew");
    const made = await client.write(undefined, claim, signal);
    assert(made.outcome === "ok");
    await remove(transport, namespace, "suite-anew");
    assertEquals((await client.write(made.record, claim, signal)).outcome, "conflict");
    assertEquals((await client.write(undefined, claim, signal)).outcome, "ok");
    assertEquals((await client.write(made.record, claim, signal)).outcome, "conflict");
    await remove(transport, namespace, "suite-anew");
  });

  test("an Event is taken, and its series counted", async ({ transport, clock, ...target }) => {
    const outcomes: string[] = [];
    // In the future as far as the writer knows: no test waits for its pauses.
    let aheadMs = 0;
    const writer = new EventWriter({
      transport,
      gate: alwaysLeader,
      origin: { controllerName: "weir.dev/gateway-controller", identity: "suite_id" },
      onOutcome: (outcome) => void outcomes.push(outcome),
      clock: {
        now: () => clock.now() + aheadMs,
        monotonicMs: () => clock.monotonicMs() + aheadMs,
        sleep: (ms, each) => clock.sleep(ms, each),
        after: (ms, callback) => clock.after(ms, callback),
      },
      random: () => 0.25,
      log: noLog,
    });
    const name = "suite-events";
    const event = {
      regarding: { kind: "Gateway" as const, namespace: target.namespace, name, uid: "u1" },
      type: "Warning" as const,
      reason: "NotAccepted",
      action: "UpdateStatus",
      note: "ö".repeat(2_000),
    };
    const stop = new AbortController();
    const running = writer.run(stop.signal);
    writer.record(event);
    for (let round = 0; round < 200 && outcomes.length < 1; round++) await target.pass();
    assertEquals(outcomes, ["created"]);
    aheadMs = 11_000;
    writer.record(event);
    for (let round = 0; round < 200 && outcomes.length < 2; round++) await target.pass();
    assertEquals(outcomes, ["created", "series"]);
    stop.abort();
    await running;
    if (!target.hasLists) return;
    const list = await transport.request({ path: eventsPath(target.namespace), signal });
    const found = asList(isRecord(list) ? list.items : undefined).filter(isRecord)
      .filter(({ regarding }) => isRecord(regarding) && regarding.name === name);
    assertEquals(found.map(seriesOf), [2]);
    assert(new TextEncoder().encode(asString(found[0]?.note)).length <= 1024);
  });
}

function seriesOf({ series }: JsonRecord): unknown {
  return isRecord(series) ? series.count : undefined;
}

function clientOf(transport: ClusterTransport, namespace: string, name: string): LeaseClient {
  return new LeaseClient({
    transport,
    place: { namespace, name },
    answerMs: 5_000,
    durationMs: 15_000,
  });
}

async function remove(transport: ClusterTransport, namespace: string, name: string): Promise<void> {
  const path = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases/${name}`;
  try {
    await transport.request({ method: "DELETE", path, signal });
  } catch (error) {
    if (!(error instanceof ClusterError) || error.kind !== "not-found") throw error;
  }
}
