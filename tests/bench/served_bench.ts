/**
 * From the objects to the traffic, on loopback with the embedded proxy, after the tests that others
 * are measured with (howardjohn/gateway-api-bench): attached routes, probe, route changes.
 *
 * Counted: how often the Gateway's status is written while 1,000 routes come and go; how long a new
 * route takes until it serves, one after the other, and every answer on the way that is neither 404
 * nor 200; every answer under traffic that is not 200 while a route changes. The last two must be 0.
 *
 *     deno task bench --filter served
 *     deno run -A tests/bench/served_bench.ts [RUNS]
 */

import http from "node:http";
import type { AddressInfo } from "node:net";
import { assertEquals } from "@std/assert";
import { asList, isRecord } from "../../src/kube/json_value.ts";
import type { KubeObject } from "../../src/kube/object.ts";
import { SchemaAdmission } from "../../src/localkube/admission/schema_admission.ts";
import {
  backend,
  gateway,
  gatewayClass,
  httpRoute,
  type Json,
  listener,
  service,
} from "../fakes/gateway_objects.ts";
import { toKey } from "../fakes/gateway_world.ts";
import { ProxyWorld } from "../fakes/proxy_world.ts";
import { type Figure, type FigureSet, percentile, reportFigures, sized } from "./bench_report.ts";
import { benchConfig, CountingCluster, EngineWorld, nextTurn, until } from "./engine_world.ts";
import { freePort } from "./weir_server.ts";

/** A Gateway with one listener, two backends, and the proxy in front of them. */
class ServedWorld implements AsyncDisposable {
  readonly cluster = new CountingCluster(new SchemaAdmission());
  readonly port = freePort();
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
  readonly #proxy = new ProxyWorld();
  readonly #engine: EngineWorld;
  readonly #backends: readonly http.Server[];

  private constructor(backends: readonly http.Server[]) {
    this.#backends = backends;
    this.cluster.put(gatewayClass());
    backends.forEach((server, index) => {
      const annotations = { "weir.dev/endpoints": `127.0.0.1:${portOf(server)}` };
      this.cluster.put(service(`web-${index}`, {}, { annotations }));
    });
    this.cluster.put(gateway("gw", [listener("http", { port: this.port })]));
    const config = benchConfig("--gateway-addresses=127.0.0.1");
    this.#engine = new EngineWorld(this.cluster, this.#proxy.dataPlane, config);
  }

  static async start(): Promise<ServedWorld> {
    const backends = await Promise.all([startBackend(), startBackend()]);
    const world = new ServedWorld(backends);
    await until(() => world.cluster.written.has("Gateway default/gw"), "the Gateway's status");
    return world;
  }

  /** The status code for a request; what fails to be answered at all is 0. */
  ask(host: string, path: string): Promise<number> {
    const { port } = this;
    return new Promise((resolve) => {
      const options = { host: "127.0.0.1", port, path, agent: this.#agent, headers: { host } };
      const request = http.get(options);
      request.on("response", (response) => {
        response.resume();
        response.on("end", () => resolve(response.statusCode ?? 0));
      });
      request.on("error", () => resolve(0));
    });
  }

  /** As the Gateway's status in the cluster says. */
  attachedRoutes(): number {
    const status = this.cluster.get("Gateway", toKey("default/gw"))?.status;
    const [found] = isRecord(status) ? asList(status.listeners) : [];
    return isRecord(found) ? Number(found.attachedRoutes) : NaN;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#agent.destroy();
    await this.#engine[Symbol.asyncDispose]();
    await this.#proxy[Symbol.asyncDispose]();
    for (const server of this.#backends) {
      server.closeAllConnections();
      server.close();
    }
  }
}

async function startBackend(): Promise<http.Server> {
  const server = http.createServer((_, response) => response.end("ok"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

function portOf(server: http.Server): number {
  return (server.address() as AddressInfo).port;
}

function route(name: string, host: string, rules: readonly Json[]): KubeObject {
  return httpRoute(name, { parentRefs: [{ name: "gw" }], hostnames: [host], rules });
}

function rule(path: string, service: string, rest: Json = {}): Json {
  return {
    matches: [{ path: { type: "PathPrefix", value: path } }],
    backendRefs: [backend(service)],
    ...rest,
  };
}

const attached: FigureSet = {
  name: "served: attached routes",
  async measure() {
    const count = sized(1000, 20);
    await using world = await ServedWorld.start();
    const writes = () => world.cluster.written.get("Gateway default/gw")?.count ?? 0;
    const before = writes();
    for (let n = 0; n < count; n++) {
      world.cluster.put(route(`r-${n}`, `h${n}.example.com`, [rule("/", "web-0")]));
      if (n % 10 === 9) await nextTurn();
    }
    const createdMs = performance.now();
    await until(() => world.attachedRoutes() === count, "all routes to be attached");
    const attachedMs = performance.now();
    const setupWrites = writes() - before;
    for (let n = 0; n < count; n++) {
      world.cluster.delete("HTTPRoute", toKey(`default/r-${n}`));
      if (n % 10 === 9) await nextTurn();
    }
    const deletedMs = performance.now();
    await until(() => world.attachedRoutes() === 0, "no route to be attached");
    return [
      { name: "attached routes: setup", value: attachedMs - createdMs, unit: "ms" },
      {
        name: "attached routes: teardown",
        value: performance.now() - deletedMs,
        unit: "ms",
      },
      {
        name: "attached routes: writes of the Gateway's status at setup",
        value: setupWrites,
        unit: "writes",
        target: 311,
        note: `${writes() - before - setupWrites} at teardown`,
      },
    ];
  },
};

/** One route after the other, with a filter and a rule that leads nowhere. */
const probe: FigureSet = {
  name: "served: probe",
  async measure() {
    await using world = await ServedWorld.start();
    const times: number[] = [];
    const errors: number[] = [];
    for (let n = 0; n < sized(300, 3); n++) {
      const host = `p${n}.example.com`;
      const set = [{ name: "x-probe", value: String(n) }];
      const filters = [{ type: "RequestHeaderModifier", requestHeaderModifier: { set } }];
      const rules = [rule("/ok", "web-0", { filters }), rule("/broken", "none")];
      const startMs = performance.now();
      world.cluster.put(route(`p-${n}`, host, rules));
      for (;;) {
        const code = await world.ask(host, "/ok");
        if (code === 200) break;
        if (code !== 404) errors.push(code);
        await nextTurn(1);
      }
      times.push(performance.now() - startMs);
    }
    return [
      {
        name: "probe: from a new route to its first answer, p50",
        value: percentile(times, 0.5),
        unit: "ms",
        note: `p95 ${percentile(times, 0.95).toFixed(1)}, longest ${Math.max(...times).toFixed(1)}`,
      },
      { ...errorFigure("probe", errors), note: `${times.length} routes` },
    ];
  },
};

/** Twenty changes under traffic: the backend and a header, forth and back. */
const changes: FigureSet = {
  name: "served: route changes under traffic",
  async measure() {
    await using world = await ServedWorld.start();
    const host = "app.example.com";
    const change = (n: number): void => {
      const set = [{ name: "x-version", value: String(n) }];
      const filters = [{ type: "ResponseHeaderModifier", responseHeaderModifier: { set } }];
      world.cluster.put(route("app", host, [rule("/", `web-${n % 2}`, { filters })]));
    };
    change(0);
    while (await world.ask(host, "/") !== 200) await nextTurn(1);
    const errors: number[] = [];
    let answers = 0;
    let isOn = true;
    const clients = Array.from({ length: 8 }, async () => {
      while (isOn) {
        const code = await world.ask(host, "/");
        answers++;
        if (code !== 200) errors.push(code);
      }
    });
    for (let n = 1; n <= sized(20, 2); n++) {
      change(n);
      await nextTurn(200);
    }
    isOn = false;
    await Promise.all(clients);
    return [{ ...errorFigure("route changes", errors), note: `of ${answers}` }];
  },
};

function errorFigure(name: string, errors: readonly number[]): Figure {
  assertEquals(errors, [], `${name}: answers that must not be`);
  return { name: `${name}: wrong answers`, value: errors.length, unit: "answers", target: 0 };
}

await reportFigures(import.meta.main, [attached, probe, changes]);
