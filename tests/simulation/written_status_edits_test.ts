/**
 * What stands in the cluster after random edits: the whole way from an edit through the engine to the
 * stored status. A user reads nothing else; a status that was not written, or not taken back, is a
 * lie that a deployment tool believes.
 */

import fc from "fast-check";
import { assert, assertEquals } from "@std/assert";
import { AssumedDataPlane } from "../../src/app/assumed_data_plane.ts";
import { mountGateway } from "../../src/app/gateway_mount.ts";
import { localClusterWorld } from "../../src/app/manifests_world.ts";
import { noLog } from "../../src/base/log.ts";
import { MetricsRegistry } from "../../src/base/metrics.ts";
import { decodeSettings } from "../../src/config/decode_settings.ts";
import { type Config, flags } from "../../src/config/flags.ts";
import { type StatusKind, statusKinds } from "../../src/gateway/outputs.ts";
import { routeKinds } from "../../src/gateway/route_kinds.ts";
import type { State } from "../../src/gateway/state.ts";
import { ancestorList, type EntryList, parentList } from "../../src/kube/entry_list.ts";
import { asList, isRecord } from "../../src/kube/json_value.ts";
import { keyOf, type KubeObject } from "../../src/kube/object.ts";
import { restoreMaxMs } from "../../src/kube/restore_pace.ts";
import { renderStatus } from "../../src/kube/render_status.ts";
import { SchemaAdmission } from "../../src/localkube/admission/schema_admission.ts";
import { MemoryCluster } from "../../src/localkube/store.ts";
import { FakeClock } from "../fakes/fake_clock.ts";
import { makeCertificate } from "../fakes/gateway_certificates.ts";
import { controllerName } from "../fakes/gateway_objects.ts";
import { kindOf } from "../fakes/gateway_world.ts";
import { type Edit, edits, initialWorld } from "../fakes/random_gateway_world.ts";

/** More with an argument, as in `deno test FILE -- 2000`. */
const numRuns = Number(Deno.args[0] ?? 60);

const { settings } = decodeSettings(flags, []);
/** With statuses of every kind; nothing is served, so that no Envoy is needed. */
const envoy: typeof settings = { ...settings, dataPlane: "envoy" };
const certificates = [await makeCertificate(["a.example.com"])];
const admission = new SchemaAdmission();

/** Kinds whose status is a list with entries of several controllers. */
const entryLists: ReadonlyMap<StatusKind, EntryList> = new Map([
  ...routeKinds.map((kind) => [kind, parentList] as const),
  ["BackendTLSPolicy", ancestorList] as const,
]);
/** Kinds whose status is one controller's. */
const ownedKinds = statusKinds.filter((kind) => !entryLists.has(kind));

/** A cluster, the engine on it, and another controller that shares routes and policies. */
class World {
  readonly clock = new FakeClock();
  readonly cluster: MemoryCluster;
  readonly state: State;
  /** ListenerSets that have named a parent that may be in the hands of another controller. */
  readonly strayed = new Set<string>();
  /** Whether Gateways may have been in the hands of another controller. */
  hadForeignClass = false;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  /** The only ones that are served; none: all. */
  readonly gateways: readonly string[];

  constructor(config: Config) {
    this.gateways = config.gateways;
    let count = 0;
    this.cluster = new MemoryCluster({
      admission,
      clock: this.clock,
      newUid: () => `uid-${++count}`,
    });
    for (const object of initialWorld(certificates)) this.edit({ object, action: "put" });
    const { subsystem, engine } = mountGateway({
      config,
      world: localClusterWorld(this.cluster, this.clock),
      dataPlane: new AssumedDataPlane("none"),
      registry: new MetricsRegistry(),
      clock: this.clock,
      log: noLog,
      random: () => 0.5,
    });
    this.state = engine.state;
    this.#running = subsystem.run(this.#stop.signal);
  }

  /** What admission refuses is no edit. */
  edit({ object, action }: Edit): void {
    const kind = kindOf(object);
    this.hadForeignClass ||= JSON.stringify(object.spec ?? {}).includes("other.example/");
    if (kind === "ListenerSet" && isElsewhere(object, this.gateways)) {
      this.strayed.add(keyOf(object));
    }
    if (action !== "put") this.cluster.delete(kind, keyOf(object));
    if (action === "delete") return;
    const { name, namespace, labels, annotations, creationTimestamp } = object.metadata;
    const metadata = Object.entries({ name, namespace, labels, annotations, creationTimestamp })
      .filter(([, value]) => value !== undefined);
    this.cluster.apply(kind, { ...object, metadata: Object.fromEntries(metadata) });
  }

  /** Another controller claims a parent of every route and policy, as its first entry. */
  writeForeignEntries(): void {
    for (const [kind, list] of entryLists) {
      for (const live of this.cluster.list(kind).items) {
        const entries = storedEntries(live, list);
        const foreign = foreignEntry(list);
        if (entries.some((entry) => entry.controllerName === foreign.controllerName)) continue;
        const status = { [list.field]: [foreign, ...entries] };
        const metadata = { ...live.metadata };
        const result = this.cluster.updateStatus(kind, { ...live, metadata, status });
        assert(result.ok, result.ok ? "" : result.error.message);
      }
    }
  }

  /** Somebody restores a backup without statuses, or takes whole statuses for their own. */
  wipeStatuses(): void {
    for (const kind of statusKinds) {
      const list = entryLists.get(kind);
      for (const live of this.cluster.list(kind).items) {
        const status = list ? { [list.field]: [] } : {};
        const metadata = { ...live.metadata };
        assert(this.cluster.updateStatus(kind, { ...live, metadata, status }).ok);
      }
    }
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }
}

const foreignEntry = (list: EntryList) => ({
  controllerName: "example.com/other",
  [list.reference]: { group: "gateway.networking.k8s.io", kind: "Gateway", name: "theirs" },
  conditions: [{
    type: "Accepted",
    status: "True",
    reason: "Accepted",
    message: "",
    observedGeneration: 1,
    lastTransitionTime: "2025-01-01T00:00:00Z",
  }],
});

function storedEntries(
  { status }: KubeObject,
  { field }: EntryList,
): readonly Readonly<Record<string, unknown>>[] {
  return asList(isRecord(status) ? status[field] : undefined).filter(isRecord);
}

/** Without the times, which no computation knows. */
function timeless(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(
      value,
      (key, part) => key === "lastTransitionTime" || part === undefined ? undefined : part,
    ),
  );
}

/** Whether `set` names a parent that is no Gateway, or one that another instance serves. */
function isElsewhere({ spec, metadata }: KubeObject, gateways: readonly string[]): boolean {
  const parentRef = isRecord(spec) ? spec.parentRef : undefined;
  if (!isRecord(parentRef)) return false;
  if ((parentRef.kind ?? "Gateway") !== "Gateway") return true;
  const gateway = `${parentRef.namespace ?? metadata.namespace}/${parentRef.name}`;
  return gateways.length > 0 && !gateways.includes(gateway);
}

/** Whether `entry` of `route` is about a ListenerSet that others have had in their hands too. */
function isAboutStrayed(
  { strayed }: World,
  { metadata }: KubeObject,
  { parentRef }: Readonly<Record<string, unknown>>,
): boolean {
  if (!isRecord(parentRef) || parentRef.kind !== "ListenerSet") return false;
  return strayed.has(`${parentRef.namespace ?? metadata.namespace}/${parentRef.name}`);
}

function assertEntries(world: World): void {
  const { cluster, state } = world;
  for (const [kind, list] of entryLists) {
    for (const live of cluster.list(kind).items) {
      const key = keyOf(live);
      const desired = state.outputs.statuses[kind].get(key);
      const wanted = desired ? asList(renderStatus(desired)[list.field]).filter(isRecord) : [];
      const isOwn = (entry: Readonly<Record<string, unknown>>): boolean =>
        entry.controllerName === controllerName &&
        !(world.gateways.length > 0 && isAboutStrayed(world, live, entry));
      const stored = storedEntries(live, list);
      assertEquals(
        timeless(stored.filter(isOwn)),
        timeless(wanted.filter(isOwn)),
        `${kind} ${key}`,
      );
      const others = stored.filter((entry) => entry.controllerName !== controllerName);
      const foreign = others.length === 0 ? [] : [foreignEntry(list)];
      assertEquals(others, foreign, `${kind} ${key}: the entry of another`);
    }
  }
}

function assertOwned(world: World): void {
  const { cluster, state, hadForeignClass } = world;
  for (const kind of ownedKinds) {
    for (const live of cluster.list(kind).items) {
      const key = keyOf(live);
      const desired = state.outputs.statuses[kind].get(key);
      if (desired) {
        assertEquals(timeless(live.status), timeless(renderStatus(desired)), `${kind} ${key}`);
      } else if (!hadForeignClass && !world.strayed.has(key)) {
        // What another controller has had in its hands is its to correct.
        assert(!JSON.stringify(live.status ?? {}).includes(`"True"`), `${key} has no controller`);
      }
    }
  }
}

const variants: readonly (readonly [string, Config])[] = [
  ["a data plane that can do little", settings],
  ["one that can do everything", envoy],
  ["an instance of few Gateways", { ...envoy, gateways: ["default/gw", "apps/gw2"] }],
];

for (const [name, config] of variants) {
  Deno.test(`Stored statuses are those that the engine wants, whatever was edited: ${name}`, async () => {
    const step = fc.oneof(
      { weight: 5, arbitrary: edits(certificates) },
      {
        weight: 1,
        arbitrary: fc.constantFrom("rest" as const, "foreign" as const, "wipe" as const),
      },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 20, size: "max" }),
        async (steps) => {
          const world = new World(config);
          await world.clock.advance(1000);
          for (const step of steps) {
            if (step === "foreign") world.writeForeignEntries();
            else if (step === "wipe") world.wipeStatuses();
            else if (step !== "rest") world.edit(step);
            // Sometimes in the middle of a coalescing time, sometimes at rest.
            await world.clock.advance(step === "rest" ? 1000 : 1);
          }
          // What was lost several times is restored after a while only.
          await world.clock.advance(restoreMaxMs);
          assertEntries(world);
          assertOwned(world);
          const { resourceVersion } = world.cluster.list("Gateway");
          await world.clock.advance(120_000);
          assertEquals(world.cluster.list("Gateway").resourceVersion, resourceVersion, "at rest");
          await world.stop();
        },
      ),
      { numRuns },
    );
  });
}
