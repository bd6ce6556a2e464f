/**
 * A realistic world under thousands of random edits: after every step the incremental outputs equal
 * those from scratch, exactly what changed was told, and nothing stays of what is gone. What a user
 * would lose: a route that is served although it was deleted, or a status that nobody corrects.
 *
 * The seed is printed. To run it again, or for longer:
 * `deno test tests/simulation/gateway_incremental_test.ts -- --seed=N --runs=N`.
 */

import fc from "fast-check";
import { assert, assertEquals } from "@std/assert";
import { equal } from "../../src/base/equal.ts";
import type { Acknowledgement } from "../../src/dataplane/data_plane.ts";
import type { GatewayConfig, GatewayKey } from "../../src/dataplane/model.ts";
import { RegexCache } from "../../src/dataplane/regex.ts";
import { findWrongOutput, GatewaySample } from "../../src/gateway/check_outputs.ts";
import { claimsOf } from "../../src/gateway/address_claims.ts";
import type { ComputeSettings } from "../../src/gateway/compute/input_view.ts";
import {
  IncrementalOutputs,
  type PublishedOutputs,
} from "../../src/gateway/incremental_outputs.ts";
import { type Outputs, statusKinds } from "../../src/gateway/outputs.ts";
import { isKind } from "../../src/kube/kinds.ts";
import { keyOf, type KubeObject, type ObjectKey } from "../../src/kube/object.ts";
import { makeCertificate } from "../fakes/gateway_certificates.ts";
import { controllerName } from "../fakes/gateway_objects.ts";
import { GatewayWorld, kindOf, testCapabilities, toKey } from "../fakes/gateway_world.ts";
import { addressesByName, type Edit, edits, initialWorld } from "../fakes/random_gateway_world.ts";
import { checkSeeded } from "../fakes/seeded_check.ts";

const certificates = [
  await makeCertificate(["a.example.com"]),
  await makeCertificate(["*.example.com"]),
];

const settings: ComputeSettings = {
  controllerName,
  dataPlane: testCapabilities,
  regexes: new RegexCache(),
};

/** What a data plane does with a Gateway that it was asked to serve. */
interface Answer {
  readonly gateway: number;
  readonly refuses: "nothing" | "route" | "gateway";
  /** It answers for what it was asked before. */
  readonly isLate: boolean;
}

type Step =
  | { readonly type: "edit"; readonly edit: Edit }
  | { readonly type: "answer"; readonly answer: Answer }
  /** Several changes may come between two recomputes. */
  | { readonly type: "recompute"; readonly budget: number }
  | { readonly type: "move"; readonly gateway: number; readonly addresses: readonly string[] }
  | { readonly type: "start over" };

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ type: fc.constant("edit"), edit: edits(certificates) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant("answer"),
      answer: fc.record({
        gateway: fc.nat({ max: 5 }),
        refuses: fc.constantFrom("nothing", "nothing", "nothing", "route", "gateway"),
        isLate: fc.boolean(),
      }),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant("recompute"),
      budget: fc.integer({ min: 1, max: 5 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant("move"),
      gateway: fc.nat({ max: 5 }),
      addresses: fc.subarray(["192.0.2.1", "192.0.2.2", "192.0.2.3"]),
    }),
  },
  { weight: 1, arbitrary: fc.constant<Step>({ type: "start over" }) },
);

/** Everything that a consumer of keys knows: what it read when it was told. */
class Consumer {
  readonly #known = new Map<string, unknown>();
  #dataPlane: unknown;

  take({ outputs, changes }: PublishedOutputs): void {
    for (const kind of statusKinds) {
      for (const key of changes.statuses[kind]) {
        this.#read(`${kind} ${key}`, outputs.statuses[kind].get(key));
      }
    }
    for (const key of changes.certificates) {
      this.#read(`certificate ${key}`, outputs.dataPlane.certificates.get(key));
    }
    for (const key of changes.gateways) this.#read(`gateway ${key}`, outputs.gateways.get(key));
    assertEquals(changes.dataPlane, this.#dataPlane !== outputs.dataPlane);
    this.#dataPlane = outputs.dataPlane;
  }

  #read(name: string, value: unknown): void {
    const before = this.#known.get(name);
    assert(before !== value && !isSame(before, value), `${name} was told and is the same`);
    if (value === undefined) this.#known.delete(name);
    else this.#known.set(name, value);
  }

  /** By identity: what was not told is the very same object. */
  assertComplete({ statuses, dataPlane, gateways }: Outputs): void {
    const there = new Map<string, unknown>([
      ...statusKinds.flatMap((kind) =>
        [...statuses[kind]].map(([key, value]) => [`${kind} ${key}`, value] as const)
      ),
      ...[...dataPlane.certificates].map(([key, value]) => [`certificate ${key}`, value] as const),
      ...[...gateways].map(([key, value]) => [`gateway ${key}`, value] as const),
    ]);
    assertEquals([...there.keys()].sort(), [...this.#known.keys()].sort());
    for (const [name, value] of there) {
      assert(this.#known.get(name) === value, `${name} is another object and was not told`);
    }
  }
}

function isSame(a: unknown, b: unknown): boolean {
  const withoutRevision = (value: unknown): unknown =>
    typeof value === "object" && value !== null ? { ...value, revision: 0 } : value;
  return equal(withoutRevision(a), withoutRevision(b));
}

class World {
  readonly world = new GatewayWorld();
  readonly computed = new IncrementalOutputs(this.world.inputs, settings);
  readonly consumer = new Consumer();
  readonly #present = new Map<string, KubeObject>();
  /** Addresses of Gateways that were given others than at first. */
  readonly #moved = new Map<ObjectKey, readonly string[]>();
  readonly #asked = new Map<GatewayKey, GatewayConfig>();
  #recreated = 0;

  constructor() {
    for (const object of initialWorld(certificates)) this.#put(object);
    this.recompute(1);
  }

  play(step: Step): void {
    if (step.type === "edit") this.#edit(step.edit);
    else if (step.type === "answer") this.#answer(step.answer);
    else if (step.type === "recompute") this.recompute(step.budget);
    else if (step.type === "move") this.#move(step.gateway, step.addresses);
    else this.computed.startOver();
  }

  #edit({ object, action }: Edit): void {
    const name = `${object.kind} ${keyOf(object)}`;
    if (action === "put") {
      const uid = this.#present.get(name)?.metadata.uid ?? object.metadata.uid;
      return this.#put({ ...object, metadata: { ...object.metadata, uid } });
    }
    if (!this.#present.delete(name)) return;
    this.world.delete(kindOf(object), keyOf(object));
    if (action === "delete") return;
    const uid = `again-${++this.#recreated}`;
    this.#put({ ...object, metadata: { ...object.metadata, uid } });
  }

  #put(object: KubeObject): void {
    this.#present.set(`${object.kind} ${keyOf(object)}`, object);
    this.world.put(object);
  }

  #answer({ gateway, refuses, isLate }: Answer): void {
    const served = [...this.computed.outputs.dataPlane.gateways.values()];
    const wanted = served[gateway % served.length];
    if (!wanted) return;
    const config = isLate ? this.#asked.get(wanted.key) ?? wanted : wanted;
    this.#asked.set(wanted.key, wanted);
    const [entry] = config.listeners.flatMap(({ routes }) => routes);
    const [namespace = "", name = ""] = wanted.key.split("/");
    const origin = refuses === "route" ? entry?.origin : { kind: "Gateway", namespace, name };
    const acknowledgement: Acknowledgement = {
      gateway: wanted.key,
      config,
      listeners: [],
      refusals: refuses === "nothing" || !origin ? [] : [{ origin, reason: "R", message: "m" }],
    };
    this.world.inputs.setAcknowledgement(toKey(wanted.key), acknowledgement);
  }

  #move(gateway: number, addresses: readonly string[]): void {
    const keys = this.world.inputs.keys("Gateway");
    const key = keys[gateway % keys.length];
    if (key !== undefined) this.#moved.set(key, addresses);
  }

  /** In steps of `budget` memos. */
  recompute(budget: number): void {
    const { inputs } = this.world;
    for (const [key, assignment] of addressesByName.assign(claimsOf(inputs))) {
      const addresses = this.#moved.get(key) ?? assignment.addresses;
      inputs.setAddresses(key, { addresses, unusable: [] });
    }
    let used = 0;
    let published: PublishedOutputs | undefined;
    while (!published) published = this.computed.step(() => ++used % budget === 0);
    this.consumer.take(published);
    this.consumer.assertComplete(published.outputs);
    const wrong = findWrongOutput(inputs, settings, published.outputs);
    assertEquals(wrong, undefined);
    for (const key of inputs.keys("Gateway")) this.#sample(key);
  }

  #sample(gateway: ObjectKey): void {
    const sample = new GatewaySample(this.world.inputs, this.computed, gateway);
    assertEquals(sample.step(() => false), { isDone: true });
    sample.end();
  }

  /** Takes everything away; what is left is a leak. */
  end(): void {
    for (const { kind, ...object } of this.#present.values()) {
      if (isKind(kind)) this.world.delete(kind, keyOf(object));
    }
    this.recompute(100);
    for (const [query, count] of Object.entries(this.computed.view.memoCounts())) {
      assertEquals(count, 0, `${query} is empty`);
    }
  }
}

Deno.test("Incremental outputs equal those from scratch after every one of thousands of edits", () => {
  let stepCount = 0;
  const property = fc.property(
    fc.array(steps, { minLength: 20, maxLength: 60 }),
    (steps) => {
      const world = new World();
      for (const step of steps) {
        world.play(step);
        stepCount++;
      }
      world.recompute(3);
      world.end();
    },
  );
  checkSeeded(property, { name: "gateway edits", runs: 150, tally: () => `${stepCount} steps` });
});
