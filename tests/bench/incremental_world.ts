/**
 * A world of Gateways and routes for the benchmarks of changes, with what a change of each kind needs.
 *
 * The routes of a Gateway lead to one Service of their namespace. Beside the plain Gateways there may
 * be some that look at namespaces' labels, at Secrets and at grants, so that such a change has readers.
 */

import { assertEquals } from "@std/assert";
import { RegexCache } from "../../src/dataplane/regex.ts";
import {
  IncrementalOutputs,
  type PublishedOutputs,
} from "../../src/gateway/incremental_outputs.ts";
import { EventSource } from "../../src/gateway/event_source.ts";
import {
  type ByStatusKind,
  byStatusKind,
  type StatusKind,
  statusKinds,
} from "../../src/gateway/outputs.ts";
import { gatewayGroup } from "../../src/gateway/parent_keys.ts";
import type { KubeObject, ObjectKey } from "../../src/kube/object.ts";
import type { TestCertificate } from "../fakes/gateway_certificates.ts";
import {
  backend,
  controllerName,
  gateway,
  gatewayClass,
  httpRoute,
  httpsListener,
  listener,
  namespace,
  referenceGrant,
  service,
  tlsSecret,
} from "../fakes/gateway_objects.ts";
import { listenerSet } from "../fakes/gateway_kind_objects.ts";
import { GatewayWorld, testCapabilities, toKey } from "../fakes/gateway_world.ts";

/** How many objects there are, and how they hang together. */
export interface Shape {
  readonly gateways: number;
  /** Of each Gateway; with sets, of each set. */
  readonly routesEach: number;
  /** Of each Gateway, told apart by hostname; routes are taken by all of them. 1 when left out. */
  readonly listenersEach?: number;
  /** ListenerSets of each Gateway, with one listener each; none when left out. */
  readonly setsEach?: number;
  /** Of each route; none when left out, which is every hostname. */
  readonly hostnamesEach?: number;
  /** Of each route; 1 when left out. */
  readonly rulesEach?: number;
  /** All Gateways have one address, and a hostname each. */
  readonly sharesAddress?: boolean;
}

/** How many routes `shape` has. */
export function routeCount({ gateways, setsEach = 1, routesEach }: Shape): number {
  return gateways * setsEach * routesEach;
}

/** One change that was computed. */
export interface Change {
  readonly published: PublishedOutputs;
  /** Queries that ran. */
  readonly runs: number;
  /** From the input that is in place to the keys, which wait for writers. */
  readonly milliseconds: number;
  /** The keys that wait. */
  readonly keys: ByStatusKind<readonly ObjectKey[]>;
}

/** See the file's header. */
export class IncrementalWorld {
  readonly world = new GatewayWorld();
  readonly computed: IncrementalOutputs;
  readonly #shape: Shape;
  readonly #events = byStatusKind(() => new EventSource<ObjectKey>());
  #edits = 0;

  constructor(shape: Shape) {
    this.#shape = shape;
    this.computed = new IncrementalOutputs(this.world.inputs, {
      controllerName,
      dataPlane: testCapabilities,
      regexes: new RegexCache(),
    });
    this.world.put(gatewayClass());
    for (let g = 0; g < shape.gateways; g++) {
      const namespace = namespaceOf(g);
      this.putGateway(g);
      this.world.put(service(`svc-${g}`, {}, { namespace }));
      for (let n = 0; n < (shape.setsEach ?? 0); n++) {
        this.world.put(listenerSet(
          `set-${g}-${n}`,
          [listener("http", { hostname: `s${n}.example.com` })],
          { parentRef: { name: `gw-${g}`, namespace } },
          { namespace },
        ));
      }
      for (let r = 0; r < shape.routesEach * (shape.setsEach ?? 1); r++) {
        this.world.put(this.#makeRoute(g, r, `/v${r}`));
      }
    }
  }

  /** A plain Gateway with an address of its own, unless all have one. */
  putGateway(g: number, hostname = `h${g}.example.com`): void {
    const namespace = namespaceOf(g);
    const { listenersEach = 1, setsEach = 0, sharesAddress = false } = this.#shape;
    const listeners = listenersEach > 1
      ? Array.from(
        { length: listenersEach },
        (_, n) => listener(`http-${n}`, { hostname: `l${n}.example.com` }),
      )
      : [listener("http", sharesAddress || setsEach > 0 ? { hostname } : {})];
    const allowedListeners = { namespaces: { from: "All" } };
    const spec = setsEach > 0 ? { allowedListeners } : {};
    this.world.put(gateway(`gw-${g}`, listeners, spec, { namespace }));
    this.world.address(`${namespace}/gw-${g}`, [sharesAddress ? addressOf(0) : addressOf(g)]);
  }

  /** Twenty Gateways with a listener for a label, and one route each. Twenty more for a Secret. */
  putReaders(certificate: TestCertificate): void {
    this.world.put(namespace("team", { team: "a" }), service("web", {}, { namespace: "team" }));
    const selector = { matchLabels: { team: "a" } };
    const allowedRoutes = { namespaces: { from: "Selector", selector } };
    this.world.put(tlsSecret("shared", certificate, { namespace: "team" }));
    for (let n = 0; n < 20; n++) {
      this.world.put(gateway(`label-${n}`, [listener("http", { allowedRoutes })]));
      this.world.put(gateway(`tls-${n}`, [httpsListener("https", ["shared"])], {}, {
        namespace: "team",
      }));
      this.world.put(httpRoute(`label-${n}`, {
        parentRefs: [{ name: `label-${n}`, namespace: "default" }],
        rules: [{ backendRefs: [backend("web")] }],
      }, { namespace: "team" }));
      this.world.put(httpRoute(`far-${n}`, {
        parentRefs: [{ name: `label-${n}`, sectionName: "http" }],
        rules: [{ backendRefs: [backend("web", { namespace: "team" })] }],
      }, { namespace: "default" }));
    }
    this.world.put(grant);
  }

  /** Objects of another controller: `count` routes on a Gateway of its class. */
  putForeign(count: number): void {
    this.world.put(gatewayClass("foreign", { controllerName: "other.example/controller" }));
    this.world.put(gateway("foreign", undefined, { gatewayClassName: "foreign" }));
    for (let n = 0; n < count; n++) {
      this.world.put(httpRoute(`foreign-${n}`, { parentRefs: [{ name: "foreign" }] }));
    }
  }

  /** Computes, lets a data plane answer, and computes again: statuses say that all is served. */
  settle(): void {
    this.computed.step();
    for (const [key, config] of this.computed.outputs.dataPlane.gateways) {
      this.world.inputs.setAcknowledgement(toKey(key), {
        gateway: key,
        config,
        listeners: [],
        refusals: [],
      });
    }
    this.computed.step();
  }

  /** Computes in slices of `sliceMs`; returns how long each of them took by `now`. */
  computeInSlices(sliceMs: number, now: () => number): readonly number[] {
    const slices: number[] = [];
    for (let isDone = false; !isDone;) {
      const start = performance.now();
      const startHold = now();
      isDone = this.computed.step(() => performance.now() - start >= sliceMs) !== undefined;
      slices.push(now() - startHold);
    }
    return slices;
  }

  /** Makes a change and computes what follows from it. */
  change(edit: () => void): Change {
    edit();
    const { database } = this.world.inputs;
    const runCount = database.runCount;
    const start = performance.now();
    const published = this.computed.step();
    if (!published) throw new Error("a run without a budget ends at once");
    for (const kind of statusKinds) this.#events[kind].enqueue(published.changes.statuses[kind]);
    const milliseconds = performance.now() - start;
    const keys = byStatusKind((kind) => this.#takeKeys(kind));
    return { published, runs: database.runCount - runCount, milliseconds, keys };
  }

  #takeKeys(kind: StatusKind): readonly ObjectKey[] {
    const keys: ObjectKey[] = [];
    const stop = this.#events[kind].start({ add: (key) => keys.push(key) });
    stop();
    return keys;
  }

  /** Gives the next route another path. Returns the route's key and the edit. */
  nextEdit(): { readonly key: string; readonly edit: () => void } {
    const n = this.#edits++;
    const { gateways, routesEach, setsEach = 1 } = this.#shape;
    const g = (n * 7919) % gateways;
    const r = (n * 104_729) % (routesEach * setsEach);
    const object = this.#makeRoute(g, r, `/edit-${n}`);
    return {
      key: `${namespaceOf(g)}/route-${g}-${r}`,
      edit: () => {
        this.world.put(object);
      },
    };
  }

  /** A route that comes and goes. */
  makeChurn(n: number): KubeObject {
    const g = n % this.#shape.gateways;
    return this.#makeRoute(g, 1000 + n, `/churn-${n}`);
  }

  /** Everything is computed, taken and served. */
  assertSizes(): void {
    const { gateways, setsEach = 0, listenersEach = 1, hostnamesEach = 0, rulesEach = 1 } =
      this.#shape;
    const routes = routeCount(this.#shape);
    const { statuses, dataPlane } = this.computed.outputs;
    assertEquals(statuses.Gateway.size, gateways);
    assertEquals(statuses.ListenerSet.size, gateways * setsEach);
    assertEquals(statuses.HTTPRoute.size, routes);
    assertEquals(dataPlane.clusters.size, gateways);
    let entries = 0;
    for (const { listeners } of dataPlane.gateways.values()) {
      for (const { routes } of listeners) entries += routes.length;
    }
    assertEquals(entries, routes * listenersEach * Math.max(1, hostnamesEach) * rulesEach);
    for (const { body, pending } of statuses.HTTPRoute.values()) {
      assertEquals(pending, false);
      assertEquals(body.shape === "parents" && body.parents.length, 1);
    }
  }

  #makeRoute(g: number, r: number, path: string): KubeObject {
    const namespace = namespaceOf(g);
    const { setsEach, hostnamesEach = 0, rulesEach = 1, listenersEach = 1 } = this.#shape;
    const parent = setsEach === undefined
      ? { name: `gw-${g}`, namespace }
      : { group: gatewayGroup, kind: "ListenerSet", name: `set-${g}-${r % setsEach}`, namespace };
    return httpRoute(`route-${g}-${r}`, {
      parentRefs: [parent],
      ...(hostnamesEach === 0 ? {} : {
        hostnames: Array.from(
          { length: hostnamesEach },
          (_, n) => listenersEach > 1 ? `l${n}.example.com` : `n${n}.example.com`,
        ),
      }),
      rules: Array.from({ length: rulesEach }, (_, n) => ({
        matches: [{ path: { type: "PathPrefix", value: n === 0 ? path : `${path}/${n}` } }],
        backendRefs: [backend(`svc-${g}`)],
      })),
    }, { namespace });
  }
}

/** The grant that the readers of {@linkcode IncrementalWorld.putReaders} need. */
export const grant: KubeObject = referenceGrant(
  "grant",
  { kind: "HTTPRoute", namespace: "default" },
  { kind: "Service" },
  { namespace: "team" },
);

function namespaceOf(g: number): string {
  return `ns-${g % 10}`;
}

function addressOf(g: number): string {
  return `10.0.${Math.floor(g / 250)}.${1 + g % 250}`;
}
