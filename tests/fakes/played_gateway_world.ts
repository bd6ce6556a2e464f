/**
 * A realistic world under random steps: edits, answers of a data plane, moved addresses, recomputes in
 * small steps. Who plays it looks at what each recompute published.
 */

import fc from "fast-check";
import type { Acknowledgement, Refusal } from "../../src/dataplane/data_plane.ts";
import type { GatewayConfig, GatewayKey } from "../../src/dataplane/model.ts";
import { RegexCache } from "../../src/dataplane/regex.ts";
import { claimsOf } from "../../src/gateway/address_claims.ts";
import type { ComputeSettings } from "../../src/gateway/compute/input_view.ts";
import {
  IncrementalOutputs,
  type PublishedOutputs,
} from "../../src/gateway/incremental_outputs.ts";
import type { InputFilter } from "../../src/gateway/input_door.ts";
import { isKind, type Kind } from "../../src/kube/kinds.ts";
import { keyOf, type KubeObject, type ObjectKey } from "../../src/kube/object.ts";
import { embeddedCapabilities, fullCapabilities } from "./data_planes.ts";
import type { TestCertificate } from "./gateway_certificates.ts";
import { controllerName } from "./gateway_objects.ts";
import { GatewayWorld, kindOf, toKey } from "./gateway_world.ts";
import { addressesByName, type Edit, edits, initialWorld } from "./random_gateway_world.ts";

/** What a world is computed with: a data plane that can do little, and one that can do everything. */
export const playedSettings: Readonly<Record<"embedded" | "full", ComputeSettings>> = {
  embedded: { controllerName, dataPlane: embeddedCapabilities, regexes: new RegexCache() },
  full: { controllerName, dataPlane: fullCapabilities, regexes: new RegexCache() },
};

/** How a world is played. */
export interface PlayedWorldOptions {
  readonly settings: ComputeSettings;
  /** Limits the instance to these Gateways; all of our classes when left out. */
  readonly gateways?: InputFilter["gateways"];
  /** The only kinds that there are; all when left out. */
  readonly kinds?: ReadonlySet<Kind>;
}

/** What a data plane does with a Gateway that it was asked to serve. */
interface Answer {
  readonly gateway: number;
  readonly refuses: "nothing" | "route" | "listener" | "gateway";
  /** Which of the routes or listeners. */
  readonly which: number;
  /** How far from the ports that were asked for it listens. */
  readonly shiftBy: number;
  /** It answers for what it was asked before. */
  readonly isLate: boolean;
}

/** What happens next. */
export type Step =
  | { readonly type: "edit"; readonly edit: Edit }
  | { readonly type: "answer"; readonly answer: Answer }
  /** Several changes may come between two recomputes. */
  | { readonly type: "recompute"; readonly budget: number }
  | { readonly type: "move"; readonly gateway: number; readonly addresses: readonly string[] }
  | { readonly type: "start over" };

/** Draws steps. */
export function steps(certificates: readonly TestCertificate[]): fc.Arbitrary<Step> {
  return fc.oneof(
    { weight: 8, arbitrary: fc.record({ type: fc.constant("edit"), edit: edits(certificates) }) },
    {
      weight: 4,
      arbitrary: fc.record({
        type: fc.constant("answer"),
        answer: fc.record({
          gateway: fc.nat({ max: 5 }),
          refuses: fc.constantFrom(
            "nothing",
            "nothing",
            "nothing",
            "nothing",
            "route",
            "route",
            "listener",
            "gateway",
          ),
          which: fc.nat({ max: 20 }),
          shiftBy: fc.constantFrom(0, 0, 0, 10_000),
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
}

/** See the file's header. */
export class PlayedWorld {
  readonly world: GatewayWorld;
  readonly computed: IncrementalOutputs;
  /** Whether the memos were forgotten once, and with them what the parts of the outputs were. */
  hasStartedOver = false;
  readonly #onPublished: (published: PublishedOutputs) => void;
  readonly #kinds: ReadonlySet<Kind> | undefined;
  readonly #present = new Map<string, KubeObject>();
  /** Addresses of Gateways that were given others than at first. */
  readonly #moved = new Map<ObjectKey, readonly string[]>();
  readonly #asked = new Map<GatewayKey, GatewayConfig>();
  #recreated = 0;

  /** @param onPublished called at the end of each recompute */
  constructor(
    certificates: readonly TestCertificate[],
    { settings, gateways, kinds }: PlayedWorldOptions,
    onPublished: (published: PublishedOutputs, world: PlayedWorld) => void,
  ) {
    this.#kinds = kinds;
    this.world = new GatewayWorld(gateways && { gateways });
    this.computed = new IncrementalOutputs(this.world.inputs, settings);
    this.#onPublished = (published) => onPublished(published, this);
    for (const object of initialWorld(certificates)) this.#put(object);
    this.recompute(1);
  }

  /** Everything that is in the cluster, ours or not. */
  get objects(): Iterable<KubeObject> {
    return this.#present.values();
  }

  /** Lets `step` happen. */
  play(step: Step): void {
    if (step.type === "edit") this.#edit(step.edit);
    else if (step.type === "answer") this.#answer(step.answer);
    else if (step.type === "recompute") this.recompute(step.budget);
    else if (step.type === "move") this.#move(step.gateway, step.addresses);
    else {
      this.computed.startOver();
      this.hasStartedOver = true;
    }
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
    if (this.#kinds?.has(kindOf(object)) === false) return;
    this.#present.set(`${object.kind} ${keyOf(object)}`, object);
    this.world.put(object);
  }

  #answer({ gateway, isLate, shiftBy, ...answer }: Answer): void {
    const served = [...this.computed.outputs.dataPlane.gateways.values()];
    const wanted = served[gateway % served.length];
    if (!wanted) return;
    const config = isLate ? this.#asked.get(wanted.key) ?? wanted : wanted;
    this.#asked.set(wanted.key, wanted);
    const acknowledgement: Acknowledgement = {
      gateway: wanted.key,
      config,
      listeners: config.listeners.map(({ name, origin, port }) => {
        const [address = ""] = config.addresses;
        return { name, origin, address, port, boundPort: port + shiftBy };
      }),
      refusals: refusalsOf(config, answer),
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
    this.#onPublished(published);
  }

  /** Takes everything away and recomputes. */
  end(): void {
    for (const { kind, ...object } of this.#present.values()) {
      if (isKind(kind)) this.world.delete(kind, keyOf(object));
    }
    this.#present.clear();
    this.recompute(100);
  }
}

/** What an answer for `config` refuses of it. */
function refusalsOf(
  { key, listeners }: GatewayConfig,
  { refuses, which }: Pick<Answer, "refuses" | "which">,
): readonly Refusal[] {
  const said = { reason: "R", message: "m" };
  if (refuses === "nothing") return [];
  if (refuses === "route") {
    const entries = listeners.flatMap(({ routes, streams }) => [...routes, ...streams]);
    const entry = entries[which % entries.length];
    return entry ? [{ origin: entry.origin, ...said }] : [];
  }
  if (refuses === "listener") {
    const listener = listeners[which % listeners.length];
    return listener ? [{ origin: listener.origin, listener: listener.name, ...said }] : [];
  }
  const [namespace = "", name = ""] = key.split("/");
  return [{ origin: { kind: "Gateway", namespace, name }, ...said }];
}
