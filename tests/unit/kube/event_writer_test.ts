// What is told becomes Events: once, as series, within limits, by the leader only; nothing waits.

import { assert, assertEquals } from "@std/assert";
import type { ClusterError } from "../../../src/kube/cluster_error.ts";
import type { ClusterRequest } from "../../../src/kube/cluster_transport.ts";
import type { EventToWrite } from "../../../src/kube/event_object.ts";
import { EventWriter } from "../../../src/kube/event_writer.ts";
import { isRecord, type JsonRecord } from "../../../src/kube/json_value.ts";
import { FakeClock } from "../../fakes/fake_clock.ts";
import { RecordingLog } from "../../fakes/recording_log.ts";
import { ReplicaMachine } from "../../fakes/replica_machine.ts";
import { refusal, RestStore } from "../../fakes/rest_store.ts";

function about(name: string, more: Partial<EventToWrite> = {}): EventToWrite {
  return {
    regarding: { kind: "HTTPRoute", namespace: "shop", name, uid: `uid-${name}` },
    type: "Warning",
    reason: "NotAccepted",
    action: "UpdateStatus",
    note: "no",
    ...more,
  };
}

class Telling {
  readonly clock = new FakeClock();
  readonly store = new RestStore();
  readonly log = new RecordingLog();
  readonly outcomes = new Map<string, number>();
  readonly requests: ClusterRequest[] = [];
  isLeader = true;
  remainingMs = 10_000;
  #told: () => void = () => {};
  #drawn = 0;
  readonly writer: EventWriter;
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;

  constructor() {
    const transport = new ReplicaMachine(this.clock, this.store, 0);
    this.writer = new EventWriter({
      transport: {
        request: (request) => {
          this.requests.push(request);
          return transport.request(request);
        },
      },
      gate: {
        isLeader: () => this.isLeader,
        remainingMs: () => this.isLeader ? this.remainingMs : 0,
        onChange: (listener) => {
          this.#told = listener;
          return () => {};
        },
      },
      origin: { controllerName: "weir.dev/gateway-controller", identity: "weir-0_id" },
      onOutcome: (outcome) => this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1),
      clock: this.clock,
      random: () => ++this.#drawn / 1_000,
      log: this.log,
    });
    this.#ended = this.writer.run(this.#stop.signal);
  }

  tell(...events: readonly EventToWrite[]): void {
    for (const event of events) this.writer.record(event);
  }

  lead(isLeader: boolean): void {
    this.isLeader = isLeader;
    this.#told();
  }

  refuse(error: ClusterError | undefined): void {
    this.store.intercept = () => error;
  }

  get events(): readonly JsonRecord[] {
    return [...this.store.objects.values()];
  }

  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.outcomes].sort());
  }

  async end(): Promise<void> {
    this.#stop.abort();
    await this.#ended;
    assertEquals(this.clock.pending, 0);
  }
}

function seriesCount(event: JsonRecord | undefined): unknown {
  return isRecord(event?.series) ? event.series.count : undefined;
}

Deno.test("what is told is written, soon and once", async () => {
  const telling = new Telling();
  telling.tell(about("a"), about("b"));
  assertEquals(telling.requests.length, 0);
  await telling.clock.advance(100);
  assertEquals(telling.events.map(({ reason }) => reason), ["NotAccepted", "NotAccepted"]);
  assertEquals(telling.counts, { created: 2 });
  await telling.clock.advance(3_600_000);
  assertEquals(telling.requests.length, 2);
  await telling.end();
});

Deno.test("the same again is a series whose count is written now and then", async () => {
  const telling = new Telling();
  for (let second = 0; second < 100; second++) {
    telling.tell(about("a"));
    await telling.clock.advance(1_000);
  }
  assertEquals(telling.events.length, 1);
  // After 10 s, then each minute.
  assertEquals(telling.counts, { created: 1, series: 2 });
  await telling.clock.advance(60_000);
  assertEquals(seriesCount(telling.events[0]), 100);
  assertEquals(telling.counts, { created: 1, series: 3 });
  // Much later it is news again.
  await telling.clock.advance(600_000);
  telling.tell(about("a"));
  await telling.clock.advance(100);
  assertEquals(telling.counts, { created: 2, series: 3 });
  await telling.end();
});

Deno.test("another note, reason or object of that name is another Event", async () => {
  const telling = new Telling();
  telling.tell(about("a"), about("a", { note: "other" }), about("a", { reason: "Shadowed" }));
  telling.tell(about("a", { regarding: { kind: "HTTPRoute", name: "a", uid: "recreated" } }));
  await telling.clock.advance(1_000);
  assertEquals(telling.counts, { created: 4 });
  await telling.end();
});

Deno.test("an object that flaps is held back, and others are not", async () => {
  const telling = new Telling();
  for (let turn = 0; turn < 40; turn++) telling.tell(about("a", { note: `${turn}` }));
  telling.tell(about("b"));
  await telling.clock.advance(1_000);
  assertEquals(telling.counts, { created: 26, "object-rate": 15 });
  await telling.clock.advance(300_000);
  telling.tell(about("a", { note: "later" }));
  await telling.clock.advance(100);
  assertEquals(telling.counts, { created: 27, "object-rate": 15 });
  await telling.end();
});

Deno.test("ten thousand good news leave room for bad ones", async () => {
  const telling = new Telling();
  for (let turn = 0; turn < 10_000; turn++) telling.tell(about(`r${turn}`, { type: "Normal" }));
  for (let turn = 0; turn < 100; turn++) telling.tell(about(`bad${turn}`));
  await telling.clock.advance(1_000);
  assertEquals(telling.counts, { created: 100, "process-rate": 10_000 });
  const warnings = telling.events.filter(({ type }) => type === "Warning");
  assertEquals(warnings.length, 25);
  await telling.end();
});

Deno.test("who does not lead writes nothing, and keeps what it was told for a while", async () => {
  const telling = new Telling();
  telling.lead(false);
  telling.tell(about("a"));
  await telling.clock.advance(15_000);
  assertEquals(telling.requests.length, 0);
  telling.lead(true);
  await telling.clock.advance(100);
  assertEquals(telling.counts, { created: 1 });
  telling.lead(false);
  telling.tell(about("b"));
  await telling.clock.advance(600_000);
  telling.lead(true);
  await telling.clock.advance(100);
  assertEquals(telling.counts, { created: 1, "not-leader": 1 });
  await telling.end();
});

Deno.test("a request ends before the lease does", async () => {
  const telling = new Telling();
  telling.remainingMs = 1_200;
  telling.tell(about("a"));
  await telling.clock.advance(100);
  assertEquals(telling.requests.map(({ timeoutMs }) => timeoutMs), [1_200]);
  await telling.end();
});

const refusals: readonly (readonly [outcome: string, error: ClusterError])[] = [
  ["forbidden", refusal(403, "Forbidden")],
  ["gone", refusal(404, "NotFound", `namespaces "shop" not found`)],
  ["invalid", refusal(422, "Invalid")],
  ["failed", refusal(503, "ServiceUnavailable")],
];
for (const [outcome, error] of refusals) {
  Deno.test(`an Event that meets "${outcome}" is dropped, and that is told once`, async () => {
    const telling = new Telling();
    telling.refuse(error);
    telling.tell(about("a"), about("b"));
    await telling.clock.advance(200_000);
    assertEquals(telling.counts, { [outcome]: 2 });
    assertEquals(telling.log.records.length, 1);
    telling.refuse(undefined);
    telling.tell(about("a"));
    await telling.clock.advance(60_000);
    assertEquals(telling.counts, { created: 1, [outcome]: 2 });
    await telling.end();
  });
}

Deno.test("a server that is away for a moment loses no Event", async () => {
  const telling = new Telling();
  telling.refuse(refusal(503, "ServiceUnavailable"));
  telling.tell(about("a"));
  await telling.clock.advance(500);
  telling.refuse(undefined);
  await telling.clock.advance(1_000);
  assertEquals(telling.counts, { created: 1 });
  await telling.end();
});

Deno.test("a series whose Event the server has forgotten begins anew", async () => {
  const telling = new Telling();
  telling.tell(about("a"));
  await telling.clock.advance(1_000);
  telling.store.objects.clear();
  telling.tell(about("a"));
  await telling.clock.advance(20_000);
  telling.tell(about("a"));
  await telling.clock.advance(1_000);
  assertEquals(telling.events.length, 1);
  assertEquals(telling.counts, { created: 2 });
  await telling.end();
});

Deno.test("what waits has a limit", async () => {
  const telling = new Telling();
  telling.lead(false);
  for (let minute = 0; minute < 9; minute++) {
    for (let turn = 0; turn < 100; turn++) telling.tell(about(`${minute}-${turn}`));
    await telling.clock.advance(60_000);
  }
  assertEquals(telling.counts, { "queue-full": 400 });
  telling.lead(true);
  await telling.clock.advance(10_000);
  assert((telling.counts.created ?? 0) >= 400, JSON.stringify(telling.counts));
  await telling.end();
});
