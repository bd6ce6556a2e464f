/**
 * Explanations of a realistic world under random edits. What a user would lose: the cause of a
 * condition that changed. The rules that leave reads out are held to it here: whenever a condition
 * became another one, an input that is told of it changed just then.
 *
 * The seed is printed. To run it again, or for longer:
 * `deno test tests/simulation/gateway_explain_test.ts -- --seed=N --runs=N`.
 */

import fc from "fast-check";
import { assert, assertEquals } from "@std/assert";
import type { ComputeSettings } from "../../src/gateway/compute/input_view.ts";
import { ConditionHistory } from "../../src/gateway/explain/condition_history.ts";
import { StatusExplainer } from "../../src/gateway/explain/explain_status.ts";
import type { ExplainedCondition } from "../../src/gateway/explain/explained_status.ts";
import type { PublishedOutputs } from "../../src/gateway/incremental_outputs.ts";
import { type StatusKind, statusKinds } from "../../src/gateway/outputs.ts";
import { kindNames } from "../../src/kube/kinds.ts";
import type { ObjectKey } from "../../src/kube/object.ts";
import { causeOf } from "../../src/query/explain.ts";
import { makeCertificate } from "../fakes/gateway_certificates.ts";
import { playedSettings, PlayedWorld, steps } from "../fakes/played_gateway_world.ts";
import { checkSeeded } from "../fakes/seeded_check.ts";

const certificates = [
  await makeCertificate(["a.example.com"]),
  await makeCertificate(["*.example.com"]),
];

/** What was published before, condition by condition, and what is told of it now. */
class Checker {
  readonly #history: ConditionHistory;
  #known = new Map<string, string>();
  #world: PlayedWorld | undefined;
  #revision = 0;
  #isNewer = false;
  changeCount = 0;

  constructor() {
    this.#history = new ConditionHistory((kind, key) => {
      assert(this.#world);
      return causeOf(this.#world.computed.view.statuses[kind], key);
    }, () => 0);
  }

  check({ outputs, changes }: PublishedOutputs, world: PlayedWorld): void {
    this.#world = world;
    this.#history.record(changes, outputs);
    this.#isNewer = outputs.revision > this.#revision;
    this.#revision = outputs.revision;
    const known = new Map<string, string>();
    for (const kind of statusKinds) {
      for (const key of outputs.statuses[kind].keys()) this.#checkStatus(kind, key, known, world);
    }
    this.#known = known;
  }

  #checkStatus(
    kind: StatusKind,
    key: ObjectKey,
    known: Map<string, string>,
    { computed, world: { inputs } }: PlayedWorld,
  ): void {
    const { outputs, view } = computed;
    const sources = { outputs, view, inputs, history: this.#history };
    const groups = StatusExplainer.open(sources, kind, key)?.step();
    assert(groups, `${kind} ${key} is explained`);
    for (const { id, conditions } of groups) {
      for (const explained of conditions) {
        const { status, reason, message, type } = explained.condition;
        const place = `${kind} ${key} ${id} ${type}`;
        const said = `${status} ${reason} ${message}`;
        known.set(place, said);
        checkCondition(place, explained);
        const before = this.#known.get(place);
        if (before !== undefined) this.#checkChange(place, explained, before !== said);
      }
    }
  }

  #checkChange(place: string, explained: ExplainedCondition, hasChanged: boolean): void {
    const { lastChange } = explained;
    if (!hasChanged) {
      return assert(!this.#isNewer || lastChange.revision < this.#revision, `${place} is older`);
    }
    this.changeCount++;
    assertEquals(lastChange.revision, this.#revision, place);
    const { input } = lastChange;
    assert(input, `${place} has a cause: ${JSON.stringify(explained, undefined, 1)}`);
    const [first] = explained.because;
    assertEquals(
      [first?.kind, first?.revision],
      [input.kind, input.revision],
      `${place} is explained by what altered it`,
    );
  }
}

const kinds: ReadonlySet<string> = new Set([...kindNames, "CustomResourceDefinition"]);

/** What holds of every condition. */
function checkCondition(place: string, { because, chain, isSuperset }: ExplainedCondition): void {
  assert(because.length > 0, `${place} follows from something`);
  assert(!isSuperset, `${place} has rules of its own`);
  for (const { kind, name } of because) {
    assert(kinds.has(kind), `${place}: ${kind} is a kind`);
    assert(name !== "" && !name.includes("/"), `${place}: ${name} is a name`);
  }
  assertEquals(chain.at(-1)?.step, "input", place);
  assert(!JSON.stringify(chain).includes("PRIVATE KEY"), place);
}

/** Whether every change of conditions is explained with this data plane. */
function checkEdits(name: string, settings: ComputeSettings): void {
  let changeCount = 0;
  const property = fc.property(
    fc.array(steps(certificates), { minLength: 20, maxLength: 60 }),
    (steps) => {
      const checker = new Checker();
      const world = new PlayedWorld(
        certificates,
        { settings },
        (published, world) => checker.check(published, world),
      );
      // To start over is to forget since when what is not there is not there.
      for (const step of steps) if (step.type !== "start over") world.play(step);
      world.recompute(3);
      changeCount += checker.changeCount;
    },
  );
  checkSeeded(property, { name, runs: 150, tally: () => `${changeCount} changes` });
}

for (const name of ["embedded", "full"] as const) {
  Deno.test(`A condition that changes is explained by an input that changed just then (${name})`, () => {
    checkEdits(`explained edits, ${name}`, playedSettings[name]);
  });
}
