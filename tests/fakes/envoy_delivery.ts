/**
 * An ADS server and a model of Envoy with a network between them that takes its time, on a world of
 * few names that refer to each other; for simulations of what becomes of changes and faults.
 */

import { assert, assertEquals } from "@std/assert";
import { noLog } from "../../src/base/log.ts";
import { SortedMap } from "../../src/base/sorted_map.ts";
import { AdsServer, type StreamInput } from "../../src/envoy/ads/ads_server.ts";
import { askingMs, defaultStreamLimits } from "../../src/envoy/ads/ads_stream.ts";
import type { DeltaRequest, DeltaResponse } from "../../src/envoy/ads/delta_messages.ts";
import { contentVersion } from "../../src/envoy/content_version.ts";
import {
  type EnvoyKind,
  envoyKinds,
  type EnvoyResource,
  type EnvoyWorld,
  makeResource,
} from "../../src/envoy/resources.ts";
import { FakeClock } from "./fake_clock.ts";
import { encodeContent, type ModelContent, ModelEnvoy, modelSalt } from "./model_envoy.ts";

/** How many names there are of each kind; endpoints have those of the clusters. */
export const nameCounts: Readonly<Record<EnvoyKind, number>> = {
  secret: 2,
  cluster: 5,
  endpoints: 5,
  extension: 2,
  listener: 3,
  route: 3,
  scope: 6,
};
/** Contents of one name; the last is refused. */
export const variantCount = 4;
const worldName = "all";

/** See the file's header. */
export class EnvoyDelivery {
  readonly clock = new FakeClock();
  readonly #lingerMs: number;
  /** Names of which a content was refused, or may have been. */
  readonly #excused = new Set<string>();
  readonly #variants = new Map<string, number>();
  readonly #cache = new Map<string, EnvoyResource>();
  #revision = 0;
  #server: AdsServer;
  #input: StreamInput | undefined;
  #up: { readonly request: DeltaRequest; readonly atMs: number }[] = [];
  #down: DeltaResponse[] = [];
  envoy = this.#newEnvoy();
  /** Resources that were sent since the start, removals included. */
  sentCount = 0;
  nackCount = 0;
  readonly #faults: string[] = [];

  /** @param lingerMs how long a cluster stays that nothing points to */
  constructor(lingerMs: number) {
    this.#lingerMs = lingerMs;
    this.#server = this.#newServer();
  }

  #newServer(): AdsServer {
    return new AdsServer({
      worldNameOf: () => worldName,
      limits: { ...defaultStreamLimits, batchMax: 4, clusterLingerMs: this.#lingerMs },
      salt: modelSalt,
      clock: this.clock,
      log: noLog,
    });
  }

  #newEnvoy(): ModelEnvoy {
    return new ModelEnvoy((request) => {
      if (request.error !== undefined) this.nackCount++;
      this.#up.push({ request, atMs: this.clock.monotonicMs() });
    }, this.#excused);
  }

  /** Gives a name a content, or none, and the server the world that follows. */
  edit(kind: EnvoyKind, index: number, variant: number | undefined): void {
    const key = `${kind} ${index % nameCounts[kind]}`;
    if (variant === undefined) this.#variants.delete(key);
    else this.#variants.set(key, variant);
    if (variant === variantCount - 1) this.#excuse(kind, nameOf(kind, index % nameCounts[kind]));
    this.#revision++;
    this.#server.setWorld(worldName, this.world());
  }

  /** What an earlier version that serves on refers to may go. */
  #excuse(kind: EnvoyKind, name: string): void {
    this.#excused.add(name);
    const routes = this.envoy.live(kind).get(name)?.refers.route ?? [];
    for (const route of routes) this.#excused.add(route);
  }

  /** The world as edited; what a name refers to exists in it. */
  world(): EnvoyWorld {
    const mapOf = (kind: EnvoyKind): SortedMap<string, EnvoyResource> =>
      new SortedMap<string, EnvoyResource>().edit(
        this.#present(kind).map((index) => [nameOf(kind, index), this.#resource(kind, index)]),
      );
    return {
      revision: this.#revision,
      resources: {
        secret: mapOf("secret"),
        cluster: mapOf("cluster"),
        endpoints: mapOf("endpoints"),
        extension: mapOf("extension"),
        listener: mapOf("listener"),
        route: mapOf("route"),
        scope: mapOf("scope"),
      },
    };
  }

  #present(kind: EnvoyKind): number[] {
    const presence = kind === "endpoints" ? "cluster" : kind;
    return [...Array(nameCounts[kind]).keys()].filter((index) =>
      this.#variants.has(`${presence} ${index}`)
    );
  }

  #resource(kind: EnvoyKind, index: number): EnvoyResource {
    const variant = this.#variants.get(`${kind} ${index}`) ?? 0;
    const name = nameOf(kind, index);
    const some = (of: EnvoyKind): string[] =>
      this.#present(of).filter((each) => (each + variant + index) % 2 === 0)
        .map((each) => nameOf(of, each));
    const content: ModelContent = {
      id: `${name}/${variant}`,
      ...variant === variantCount - 1 ? { isBad: true } : {},
      refers: kind === "listener"
        ? { route: some("route"), extension: some("extension"), secret: some("secret") }
        : kind === "route" || kind === "scope"
        ? { cluster: some("cluster") }
        : {},
    };
    const key = JSON.stringify([kind, content]);
    const resource = this.#cache.get(key) ?? makeResource(kind, name, encodeContent(content), []);
    this.#cache.set(key, resource);
    return resource;
  }

  /** A message gets to the server. */
  deliverUp(): void {
    const waiting = this.#up.shift();
    if (!waiting) return;
    if (!this.#input) return;
    this.#input.receive(waiting.request);
  }

  /**
   * Time passes. A request is on its way for less than the server waits for it: what it does with an
   * Envoy that does not ask for that long is another promise.
   */
  async passTime(ms: number): Promise<void> {
    const endMs = this.clock.monotonicMs() + ms;
    for (let nowMs = this.clock.monotonicMs(); nowMs < endMs; nowMs = this.clock.monotonicMs()) {
      const [oldest] = this.#up;
      const dueMs = oldest === undefined ? endMs : oldest.atMs + askingMs - 1;
      await this.clock.advance(Math.max(0, Math.min(endMs, dueMs) - nowMs));
      if (dueMs <= this.clock.monotonicMs()) this.deliverUp();
    }
  }

  /** A message gets to Envoy. */
  deliverDown(): void {
    const response = this.#down.shift();
    if (!response) return;
    this.sentCount += response.resources.length + response.removed.length;
    this.envoy.receive(response);
  }

  /** The connection breaks; what was under way is lost. */
  disconnect(): void {
    this.#input?.close();
    this.#input = undefined;
    this.#up = [];
    this.#down = [];
  }

  /** Envoy opens a stream, unless it has one. */
  connect(): void {
    if (this.#input) return;
    const down: DeltaResponse[] = [];
    this.#down = down;
    this.#input = this.#server.connect({
      send: (response) => down.push(response),
      end: (code, message) => this.#faults.push(`stream ended: ${code} ${message}`),
    }, "local");
    this.envoy.open();
  }

  /** A new process of Envoy, which has nothing. */
  restartEnvoy(): void {
    this.disconnect();
    this.#faults.push(...this.envoy.faults);
    this.envoy = this.#newEnvoy();
    this.connect();
  }

  /** A new process of the server, which knows nothing but the world. */
  restartServer(): void {
    this.disconnect();
    this.#server.stop();
    this.#server = this.#newServer();
    this.connect();
    // Requests come before there is a world: nothing may be answered then.
    for (let index = 0; index < 3; index++) this.deliverUp();
    assertEquals(this.#down, []);
    this.#server.setWorld(worldName, this.world());
  }

  /** Everything is delivered, and time passes, until nothing happens any more. */
  async rest(): Promise<void> {
    this.connect();
    for (let round = 0; round < 4; round++) {
      for (let step = 0; this.#up.length + this.#down.length > 0; step++) {
        this.deliverUp();
        this.deliverDown();
        assert(step < 5_000, "the two never come to rest");
      }
      await this.clock.advance(60_000);
    }
    assertEquals(this.#up.length + this.#down.length, 0);
  }

  /** Envoy has the world, but for what it refuses; its books and the server's agree with that. */
  check(): void {
    assertEquals([...this.#faults, ...this.envoy.faults], []);
    const { resources } = this.world();
    for (const kind of envoyKinds) this.#checkKind(kind, resources[kind]);
    const view = this.#server.view("envoy");
    assert(view);
    assertEquals(view.settledRevision, this.#revision);
    for (const { held, kind, lacking, leaving, pending } of view.kinds) {
      assertEquals({ lacking, leaving, pending }, { lacking: 0, leaving: 0, pending: 0 }, kind);
      assertEquals(held, this.envoy.recorded(kind).size, kind);
    }
    for (const { kind, name } of view.refused) {
      assert(resources[kind].get(name) !== undefined, `${kind} ${name} is refused and gone`);
    }
  }

  #checkKind(kind: EnvoyKind, wanted: ReadonlyMap<string, EnvoyResource>): void {
    const isWhole = kind === "cluster" || kind === "listener" || kind === "scope";
    const live = this.envoy.live(kind);
    const names = isWhole ? wanted.keys() : this.envoy.subscribed(kind);
    for (const name of new Set([...names, ...live.keys()])) {
      const resource = wanted.get(name);
      const content = live.get(name);
      const version = content && contentVersion(encodeContent(content));
      const isRefused = resource && new TextDecoder().decode(resource.bytes).includes("isBad");
      // Of an earlier version that serves on, all that is known may be that there is one.
      if (isRefused) continue;
      assertEquals(this.envoy.recorded(kind).get(name), version, `books of ${kind} ${name}`);
      assertEquals(version, resource?.version, `${kind} ${name}`);
    }
  }

  /** Ends what runs. */
  stop(): void {
    this.disconnect();
    this.#server.stop();
  }
}

function nameOf(kind: EnvoyKind, index: number): string {
  // Of a cluster and its endpoints it is one name.
  return kind === "endpoints" ? `cluster-${index}` : `${kind}-${index}`;
}
