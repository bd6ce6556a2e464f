/**
 * A world that is edited at random, step by step, compared after each step with a State that has only
 * ever seen the result, in another order. A difference means that a user's statuses and routes depend
 * on history: a restart would change them, and two replicas would fight.
 */

import fc from "fast-check";
import { assert, assertEquals } from "@std/assert";
import { DataPlanePush } from "../../src/gateway/data_plane_push.ts";
import type { DataPlaneConfig, GatewayKey } from "../../src/dataplane/model.ts";
import { gatewayKey } from "../../src/dataplane/model.ts";
import { type Outputs, type StatusKind, statusKinds } from "../../src/gateway/outputs.ts";
import type { State } from "../../src/gateway/state.ts";
import type { DesiredStatus } from "../../src/kube/desired_status.ts";
import { keyOf, type KubeObject, type ObjectKey, parseObjectKey } from "../../src/kube/object.ts";
import { makeCertificate } from "../fakes/gateway_certificates.ts";
import { GatewayEngine } from "../fakes/gateway_engine.ts";
import { kindOf } from "../fakes/gateway_world.ts";
import { SteppedDataPlane } from "../fakes/stepped_data_plane.ts";
import { addressesByName, type Edit, edits, initialWorld } from "../fakes/random_gateway_world.ts";

const certificates = [
  await makeCertificate(["a.example.com"]),
  await makeCertificate(["*.example.com"]),
];

/** More with an argument, as in `deno test FILE -- 2000`. */
const numRuns = Number(Deno.args[0] ?? 40);

/** An engine with a data plane that takes its time, and what a reader of its events knows. */
class World {
  readonly engine = new GatewayEngine({ addresses: addressesByName });
  readonly dataPlane = new SteppedDataPlane();
  readonly objects = new Map<string, KubeObject>();
  /** Statuses as a writer would have written them: only what events told of. */
  readonly written = new Map<string, DesiredStatus>();
  #recreated = 0;

  constructor(objects: readonly KubeObject[]) {
    for (const object of objects) this.#put(object);
    for (const kind of statusKinds) {
      this.engine.state.statusEvents(kind).start({ add: (key) => this.#write(kind, key) });
    }
  }

  async start(): Promise<void> {
    await this.engine.run(
      new DataPlanePush(this.engine.state, this.dataPlane, this.engine.clock, () => 0),
    );
    await this.finishAll();
  }

  /** Lets the data plane do all that it was asked. */
  async finishAll(): Promise<Outputs> {
    do {
      await this.engine.settle();
    } while (this.dataPlane.finish());
    return this.engine.state.outputs;
  }

  edit({ object, action }: Edit): void {
    const key = `${object.kind} ${keyOf(object)}`;
    if (action === "put") {
      const uid = this.objects.get(key)?.metadata.uid ?? object.metadata.uid;
      return this.#put({ ...object, metadata: { ...object.metadata, uid } });
    }
    if (!this.objects.delete(key)) return;
    this.engine.source.delete(kindOf(object), keyOf(object));
    if (action === "delete") return;
    const uid = `again-${++this.#recreated}`;
    this.#put({ ...object, metadata: { ...object.metadata, uid } });
  }

  #put(object: KubeObject): void {
    this.objects.set(`${object.kind} ${keyOf(object)}`, object);
    this.engine.source.put(object);
  }

  #write(kind: StatusKind, key: ObjectKey): void {
    const desired = this.engine.state.outputs.statuses[kind].get(key);
    if (desired) this.written.set(`${kind} ${key}`, desired);
    else this.written.delete(`${kind} ${key}`);
  }
}

/** All outputs as text, without the revisions, which count the steps that led there. */
function toText(outputs: Outputs): string {
  return JSON.stringify(outputs, (key, value: unknown) => {
    if (key === "revision") return undefined;
    return value instanceof Map ? [...value] : value;
  }, 1);
}

/** What one address and port are bound to: one protocol, and no name twice. */
function assertBindable({ dataPlane }: Outputs): void {
  const protocols = new Map<string, string>();
  const names = new Map<string, string>();
  for (const { key, addresses, listeners } of dataPlane.gateways.values()) {
    for (const { port, protocol, hostname, name } of listeners) {
      for (const address of addresses) {
        const place = `${address}:${port}`;
        const known = protocols.get(place) ?? protocol;
        assertEquals(protocol, known, `${place} is asked for with two protocols`);
        protocols.set(place, protocol);
        const owner = names.get(`${place} ${hostname}`);
        assert(owner === undefined, `${place} ${hostname}: ${key} ${name} and ${owner}`);
        names.set(`${place} ${hostname}`, `${key} ${name}`);
      }
    }
  }
}

/** A listener loses its port only to one that keeps it, never to another loser. */
function assertLossesHaveWinners({ inputs, outputs }: State): void {
  const listeners = [...outputs.statuses.Gateway].flatMap(([key, { body }]) => {
    const specs = inputs.get("Gateway", key)?.spec.listeners ?? [];
    const found = body.shape === "conditions" ? body.listeners ?? [] : [];
    return specs.map((spec) => {
      const { conditions = [] } = found.find(({ name }) => name === spec.name) ?? {};
      const accepted = conditions.find(({ type }) => type === "Accepted");
      return { key, spec, accepted, addresses: inputs.addressesOf(key)?.addresses ?? [] };
    });
  });
  for (const { key, spec, accepted, addresses } of listeners) {
    if (accepted?.reason !== "PortUnavailable") continue;
    const hasWinner = listeners.some((other) =>
      other.key !== key && other.accepted?.status === "True" && other.spec.port === spec.port &&
      (other.spec.protocol !== spec.protocol || other.spec.hostname === spec.hostname) &&
      other.addresses.some((address) => addresses.includes(address))
    );
    assert(hasWinner, `${key} ${spec.name} lost its port to nobody: ${accepted.message}`);
  }
}

async function compareWithFresh(world: World, seed: number): Promise<void> {
  const outputs = world.engine.state.outputs;
  const objects = [...world.objects.values()];
  const rotation = objects.length === 0 ? 0 : seed % objects.length;
  const turned = [...objects.slice(rotation), ...objects.slice(0, rotation)];
  const fresh = new World(seed % 2 === 0 ? turned : turned.reverse());
  await fresh.start();
  assertEquals(toText(outputs), toText(fresh.engine.state.outputs));
  await fresh.engine.stop();
}

Deno.test("Outputs after any edits equal those of a State that only saw the result", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(edits(certificates), { minLength: 1, maxLength: 15 }),
      fc.nat(),
      async (steps, seed) => {
        const world = new World(initialWorld(certificates));
        await world.start();
        try {
          for (const step of steps) {
            world.edit(step);
            const outputs = await world.finishAll();
            assertBindable(outputs);
            assertLossesHaveWinners(world.engine.state);
            const told = new Map(
              statusKinds.flatMap((kind) =>
                [...outputs.statuses[kind]].map(([key, found]) => [`${kind} ${key}`, found])
              ),
            );
            const sorted = [...world.written].sort(([a], [b]) => a < b ? -1 : 1);
            assertEquals(sorted, [...told].sort(([a], [b]) => a < b ? -1 : 1));
            for (const found of told.values()) assert(!found.pending, `${found.key} is pending`);
            await compareWithFresh(world, seed);
          }
        } finally {
          await world.engine.stop();
        }
      },
    ),
    { numRuns },
  );
});

/** Programmed is True only of what the data plane holds, address for address, name for name. */
function assertServed({ statuses, dataPlane }: Outputs, held: DataPlaneConfig | undefined): void {
  for (const { key, body } of statuses.Gateway.values()) {
    if (body.shape !== "conditions") continue;
    if (body.conditions.find(({ type }) => type === "Programmed")?.status !== "True") continue;
    const { namespace = "", name } = parseObjectKey(key);
    const gateway = gatewayKey(namespace, name);
    assertEquals(ownPart(held, gateway), ownPart(dataPlane, gateway));
    assert(held?.gateways.has(gateway), `${key} is programmed and not served`);
  }
}

/** The same for routes: entry for entry, at a listener that is where it shall be. */
function assertRoutesServed(
  { statuses, dataPlane }: Outputs,
  held: DataPlaneConfig | undefined,
): void {
  for (const { key, body } of statuses.HTTPRoute.values()) {
    const { namespace = "", name } = parseObjectKey(key);
    for (const { parentRef, conditions } of body.shape === "parents" ? body.parents : []) {
      if (conditions.find(({ type }) => type === "weir.dev/Programmed")?.status !== "True") {
        continue;
      }
      const gateway = gatewayKey(parentRef.namespace ?? namespace, parentRef.name);
      const parts = (config: DataPlaneConfig | undefined) =>
        config?.gateways.get(gateway)?.listeners.filter((listener) =>
          listener.name === (parentRef.sectionName ?? listener.name) &&
          listener.port === (parentRef.port ?? listener.port)
        ).map(({ routes, ...own }) => ({
          ...own,
          addresses: config.gateways.get(gateway)?.addresses,
          entries: routes.filter(({ origin }) =>
            origin.namespace === namespace && origin.name === name
          ),
        })).filter(({ entries }) => entries.length > 0);
      assertEquals(parts(held), parts(dataPlane), `${key} at ${gateway}`);
    }
  }
}

function ownPart(config: DataPlaneConfig | undefined, key: GatewayKey): unknown {
  const gateway = config?.gateways.get(key);
  const listeners = gateway?.listeners.map(({ routes: _, ...own }) => own);
  return { addresses: gateway?.addresses, listeners };
}

Deno.test("Gateways and routes are programmed only while a slow data plane serves what they ask", async () => {
  const step = fc.oneof(edits(certificates), fc.constant("finish" as const));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      const world = new World(initialWorld(certificates));
      await world.start();
      try {
        for (const step of steps) {
          if (step === "finish") world.dataPlane.finish();
          else world.edit(step);
          const outputs = await world.engine.settle();
          assertServed(outputs, world.dataPlane.held);
          assertRoutesServed(outputs, world.dataPlane.held);
        }
        await world.finishAll();
        await compareWithFresh(world, steps.length);
      } finally {
        await world.engine.stop();
      }
    }),
    { numRuns },
  );
});
