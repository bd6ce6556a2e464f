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
import type { KubeObject } from "../../src/kube/object.ts";
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
import { GatewayWorld, testCapabilities, toKey } from "../fakes/gateway_world.ts";

/** How many objects there are. */
export interface Shape {
  readonly gateways: number;
  readonly routesEach: number;
}

/** One change that was computed. */
export interface Change {
  readonly published: PublishedOutputs;
  /** Queries that ran. */
  readonly runs: number;
  /** From the input that is in place to the keys. */
  readonly milliseconds: number;
}

/** See the file's header. */
export class IncrementalWorld {
  readonly world = new GatewayWorld();
  readonly computed: IncrementalOutputs;
  readonly #shape: Shape;
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
      for (let r = 0; r < shape.routesEach; r++) this.world.put(makeRoute(g, r, `/v${r}`));
    }
  }

  /** A plain Gateway with an address of its own. */
  putGateway(g: number): void {
    const namespace = namespaceOf(g);
    this.world.put(gateway(`gw-${g}`, [listener("http")], {}, { namespace }));
    this.world.address(`${namespace}/gw-${g}`, [addressOf(g)]);
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

  /** Computes in slices of `sliceMs`; returns how long the longest one took. */
  computeInSlices(sliceMs: number): number {
    let longestMs = 0;
    for (let isDone = false; !isDone;) {
      const start = performance.now();
      isDone = this.computed.step(() => performance.now() - start >= sliceMs) !== undefined;
      longestMs = Math.max(longestMs, performance.now() - start);
    }
    return longestMs;
  }

  /** Makes a change and computes what follows from it. */
  change(edit: () => void): Change {
    edit();
    const { database } = this.world.inputs;
    const runCount = database.runCount;
    const start = performance.now();
    const published = this.computed.step();
    const milliseconds = performance.now() - start;
    if (!published) throw new Error("a run without a budget ends at once");
    return { published, runs: database.runCount - runCount, milliseconds };
  }

  /** Gives the next route another path. Returns the route's key and the edit. */
  nextEdit(): { readonly key: string; readonly edit: () => void } {
    const n = this.#edits++;
    const g = (n * 7919) % this.#shape.gateways;
    const r = (n * 104_729) % this.#shape.routesEach;
    const object = makeRoute(g, r, `/edit-${n}`);
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
    return makeRoute(g, 1000 + n, `/churn-${n}`);
  }

  assertSizes(): void {
    const { gateways, routesEach } = this.#shape;
    const { statuses, dataPlane } = this.computed.outputs;
    assertEquals(statuses.Gateway.size, gateways);
    assertEquals(statuses.HTTPRoute.size, gateways * routesEach);
    assertEquals(dataPlane.clusters.size, gateways);
    let entries = 0;
    for (const { listeners } of dataPlane.gateways.values()) {
      for (const { routes } of listeners) entries += routes.length;
    }
    assertEquals(entries, gateways * routesEach);
    for (const { body, pending } of statuses.HTTPRoute.values()) {
      assertEquals(pending, false);
      assertEquals(body.shape === "parents" && body.parents.length, 1);
    }
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

function makeRoute(g: number, r: number, path: string): KubeObject {
  const namespace = namespaceOf(g);
  return httpRoute(`route-${g}-${r}`, {
    parentRefs: [{ name: `gw-${g}`, namespace }],
    rules: [{
      matches: [{ path: { type: "PathPrefix", value: path } }],
      backendRefs: [backend(`svc-${g}`)],
    }],
  }, { namespace });
}
