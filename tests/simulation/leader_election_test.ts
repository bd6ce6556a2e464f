// Replicas that are killed, paused, cut off, slowed down and given wrong clocks, in any order: at no
// moment may two of them write, and when the faults end one of them does. A seed that fails is printed.

import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { asString, isRecord } from "../../src/kube/json_value.ts";
import { Election, type ElectionReplica, leasePath, quick } from "../fakes/election.ts";
import type { Fate } from "../fakes/replica_machine.ts";

const networks = ["good", "slow", "lossy", "late", "deaf", "cut"] as const;

/** One step of a run; `which` chooses among the replicas that are there. */
type Step =
  | { readonly type: "time"; readonly ms: number }
  | { readonly type: "start" | "relabel" | "delete" | "save" | "restore" }
  | { readonly type: "kill" | "stop" | "resume" | "leave"; readonly which: number }
  | { readonly type: "skew"; readonly which: number; readonly ms: number }
  | { readonly type: "network"; readonly which: number; readonly name: typeof networks[number] };

const which = fc.nat({ max: 9 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: fc.record({ type: fc.constant("time"), ms: fc.nat({ max: 12_000 }) }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("start") }) },
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constantFrom("kill", "stop", "stop", "resume", "resume", "leave"),
      which,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constantFrom("relabel", "delete", "save", "restore") }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant("skew"),
      which,
      ms: fc.integer({ min: -100_000, max: 100_000 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant("network"),
      which,
      name: fc.constantFrom(...networks),
    }),
  },
);

function fateOf(name: typeof networks[number], random: () => number): () => Fate {
  switch (name) {
    case "good":
      return quick;
    case "slow":
      return () => ({ requestMs: 4_000 * random(), answerMs: 4_000 * random() });
    case "lossy":
      return () => ({
        requestMs: random() < 0.3 ? Infinity : 20,
        answerMs: random() < 0.4 ? Infinity : 20,
      });
    case "late":
      return () => ({ requestMs: random() < 0.5 ? 40_000 * random() : 5, answerMs: 5 });
    case "deaf":
      return () => ({ requestMs: 5, answerMs: Infinity });
    case "cut":
      return () => ({ requestMs: Infinity, answerMs: Infinity });
  }
}

/** Plays steps, with what they may not do together: see `knowsAll`. */
class Run {
  readonly election: Election;
  #restore: (() => void) | undefined;
  #mayStartAtMs = 0;

  constructor(random: () => number) {
    this.election = new Election(random);
    this.election.start();
    this.election.start();
  }

  async play(step: Step): Promise<void> {
    const { election } = this;
    switch (step.type) {
      case "time":
        await election.clock.advance(step.ms);
        break;
      case "start":
        if (election.clock.monotonicMs() < this.#mayStartAtMs) return;
        if (election.present.length < 4) election.start();
        break;
      case "relabel":
        this.#relabel();
        break;
      case "delete":
        if (election.store.objects.has(leasePath) && this.#forgets("any")) {
          election.store.remove(leasePath);
        }
        break;
      case "save":
        this.#restore = election.store.save();
        break;
      case "restore":
        if (this.#restore !== undefined && this.#forgets("this")) this.#restore();
        break;
      default:
        this.#strike(step);
    }
    await election.clock.advance(1);
    void election.leader;
  }

  #strike(step: Extract<Step, { readonly which: number }>): void {
    const { present, random } = this.election;
    const replica = present[step.which % Math.max(1, present.length)];
    if (replica === undefined) return;
    const { machine } = replica;
    switch (step.type) {
      case "kill":
        return machine.kill();
      case "stop":
        return machine.stop();
      case "resume":
        return machine.resume();
      case "leave":
        return replica.leave();
      case "skew":
        machine.skewMs = step.ms;
        return;
      case "network":
        machine.fate = fateOf(step.name, random);
    }
  }

  /**
   * The server is about to forget who leads. Everybody there has to have seen a leader, or that one
   * where the Lease goes back to an older leader's; nobody may come before those who lead unseen have
   * stopped.
   */
  #forgets(seen: "any" | "this"): boolean {
    const { present, clock, timing, store } = this.election;
    const spec = store.objects.get(leasePath)?.spec;
    const holder = isRecord(spec) ? asString(spec.holderIdentity) : undefined;
    const wanted = seen === "this" ? `"${holder}"` : `"replica-`;
    const knows = ({ name, elector }: ElectionReplica): boolean =>
      name === holder || elector.reason.includes(wanted);
    if (holder === undefined || !present.every(knows)) return false;
    this.#mayStartAtMs = clock.monotonicMs() + timing.leaseMs;
    return true;
  }

  /** Somebody writes the Lease who has nothing to do with it. */
  #relabel(): void {
    const { store } = this.election;
    const lease = store.objects.get(leasePath);
    const metadata = isRecord(lease?.metadata) ? lease.metadata : undefined;
    if (metadata === undefined) return;
    const labels = { note: String(store.writes.length) };
    store.handle({
      method: "PUT",
      path: leasePath,
      body: { ...lease, metadata: { ...metadata, labels } },
      signal: new AbortController().signal,
    });
  }
}

/** mulberry32 */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const runs = Number(Deno.args.find((text) => text.startsWith("--runs="))?.slice(7) ?? 40);
const seedArgument = Deno.args.find((text) => text.startsWith("--seed="))?.slice(7);

Deno.test("no two replicas write at one moment, and after the faults one writes", async () => {
  let writes = 0;
  let leaders = 0;
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 10, maxLength: 60 }),
    fc.integer(),
    async (steps, seed) => {
      const run = new Run(randomOf(seed));
      const { election } = run;
      for (const each of steps) await run.play(each);
      await heal(election);
      writes += election.writeCount;
      leaders += election.replicas.filter(({ writeCount }) => writeCount > 0).length;
      await election.end();
    },
  );
  const seed = seedArgument === undefined ? {} : { seed: Number(seedArgument) };
  const details = await fc.check(property, { numRuns: runs, ...seed });
  // deno-lint-ignore no-console -- the seed is how a failure elsewhere is played again
  console.log(`leader election: --seed=${details.seed}, ${leaders} leaders, ${writes} writes`);
  const { errorInstance } = details;
  const cause = errorInstance instanceof Error ? `\n${errorInstance.stack}` : "";
  assert(!details.failed, `${fc.defaultReportMessage(details)}${cause}`);
  assert(leaders > runs, "hardly anybody led");
});

async function heal(election: Election): Promise<void> {
  for (const { machine } of election.replicas) {
    machine.fate = quick;
    machine.resume();
  }
  // Somebody who left may still have the Lease when its own release was lost.
  await election.clock.advance(40_000);
  if (election.present.length === 0) election.start();
  await election.untilLed(17_000);
  const leader = election.leader;
  assert(leader !== undefined, "nobody leads after the faults");
  const before = leader.writeCount;
  await election.clock.advance(5_000);
  assertEquals(election.leader?.name, leader.name);
  assert(leader.writeCount > before, "the leader does not write");
}

Deno.test("the leader is followed within a lease and 2 s, however it ends", async () => {
  const random = randomOf(7);
  let longestMs = 0;
  for (let round = 0; round < 30; round++) {
    const election = new Election(random);
    const [first] = [election.start(), election.start(), election.start()];
    await election.untilLed(1_000);
    await election.clock.advance(20_000 + 5_000 * random());
    const { leader } = election;
    assert(leader !== undefined);
    const faults: readonly ((leader: ElectionReplica) => void)[] = [
      ({ machine }) => machine.kill(),
      ({ machine }) => machine.stop(),
      ({ machine }) => {
        machine.fate = fateOf("cut", random);
      },
    ];
    faults[round % faults.length]?.(leader);
    // While it is cut off it goes on to write until its deadline.
    while (election.leader === leader) await election.clock.advance(50);
    const startMs = election.clock.monotonicMs();
    await election.untilLed(30_000);
    longestMs = Math.max(longestMs, election.clock.monotonicMs() - startMs);
    assert(election.leader !== undefined && election.leader !== leader);
    assert(longestMs <= 17_000, `took ${longestMs} ms`);
    await election.end();
    void first;
  }
});
