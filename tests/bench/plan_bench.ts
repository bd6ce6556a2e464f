/**
 * How long a plan holds the event loop of the process that is asked for it.
 *
 * A process with the HTTP API in this one, a client that posts plans one after the other, and a timer
 * that is set anew whenever it fires: what is more than its millisecond between two of its calls is
 * what held the loop, other programs on the machine included. On Linux the CPU time of the thread
 * between them is told as well, which is what this program did. The texts are those that the YAML
 * library takes longest for, and ones that people write. Target: p99 of at most 10 ms for any text.
 *
 *     deno task bench --filter plan
 *     deno run --allow-all tests/bench/plan_bench.ts [ROUTES]    # all, to read /proc
 */

import { assert } from "@std/assert";
import { compose } from "../../src/app/compose.ts";
import { createPlanThreads } from "../../src/app/plan_worker_thread.ts";
import { systemClock } from "../../src/base/clock.ts";
import { noLog } from "../../src/base/log.ts";
import { decodeSettings } from "../../src/config/decode_settings.ts";
import { flags } from "../../src/config/flags.ts";
import { readArguments } from "../../src/config/read_arguments.ts";
import { clusterName, type DataPlaneConfig } from "../../src/dataplane/model.ts";
import { compareHttpRouteEntries } from "../../src/dataplane/precedence.ts";
import { findTrafficChanges } from "../../src/gateway/plan/traffic_changes.ts";
import { defaultHttpLimits } from "../../src/http/http_limits.ts";
import { cluster, configOf, gateway, listener, loopback } from "../fakes/data_plane_config.ts";
import { routeEntry } from "../fakes/route_entries.ts";
import { worldManifests } from "./translate_world.ts";

const isSmoke = Deno.env.has("WEIR_BENCH_SMOKE");
const entry = new URL("../../main.ts", import.meta.url);
const { bodyMaxBytes } = defaultHttpLimits;

/** A process that serves `manifests`, for the time of `use`. */
async function withProcess(
  manifests: string,
  use: (apiUrl: string) => Promise<void>,
): Promise<void> {
  const args = ["--manifests=-", "--data-plane=none", "--api-address=127.0.0.1:0"];
  const { layer } = readArguments(flags, args);
  const composition = compose(decodeSettings(flags, [layer]).settings, {
    clock: systemClock,
    log: noLog,
    random: Math.random,
    newId: () => crypto.randomUUID(),
    version: "0.0.0",
    standardInputText: manifests,
    readTextFile: () => Promise.reject(new Error("no file is named")),
    mayWriteFile: () => Promise.resolve(true),
    writeSecretFile: () => Promise.resolve(),
    writeAccessLog: () => {},
    startPlanThread: createPlanThreads({ entry }),
  });
  const stop = new AbortController();
  const running = composition.runner.run(composition.subsystems, stop.signal);
  try {
    await composition.runner.untilReady(stop.signal);
    await use(composition.apiUrl() ?? "");
  } finally {
    stop.abort();
    await running;
  }
}

/** Texts of the size of a body, by name. */
function textsOf(size: number): ReadonlyMap<string, string> {
  const filled = (piece: string, head = ""): string =>
    head + piece.repeat(Math.floor((size - head.length - 1) / piece.length));
  return new Map([
    ["nothing", ""],
    ["one route", worldManifests({ gateways: 1, routesEach: 1 })],
    ["1,000 routes", worldManifests({ gateways: 100, routesEach: 10 }).slice(0, size)],
    ["a list of commas", `${filled(",", "x: [a")}]`],
    ["a list of values", `${filled("a,", "x: [")}]`],
    ["brackets", filled("[")],
    ["documents", filled("---\na\n")],
    ["a list of empty objects", filled("- {}\n", "apiVersion: v1\nkind: List\nitems:\n")],
  ]);
}

interface Held {
  readonly durationMs: number;
  readonly wallMs: readonly number[];
  /** Empty where it cannot be known. */
  readonly cpuMs: readonly number[];
}

/** CPU time of this thread so far; the first field of schedstat is in nanoseconds. */
function threadCpuMs(): number | undefined {
  try {
    return Number(Deno.readTextFileSync("/proc/thread-self/schedstat").split(" ")[0]) / 1e6;
  } catch {
    return undefined;
  }
}

/** Watches the loop while `action` runs. */
async function watchLoop(action: () => Promise<unknown>): Promise<Held> {
  const wallMs: number[] = [];
  const cpuMs: number[] = [];
  let isOver = false;
  const watching = (async () => {
    let last = performance.now();
    let lastCpu = threadCpuMs();
    while (!isOver) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      const now = performance.now();
      const cpu = threadCpuMs();
      wallMs.push(Math.max(0, now - last - 1));
      if (cpu !== undefined && lastCpu !== undefined) cpuMs.push(cpu - lastCpu);
      last = now;
      lastCpu = cpu;
    }
  })();
  const start = performance.now();
  await action();
  const durationMs = performance.now() - start;
  isOver = true;
  await watching;
  return { durationMs, wallMs, cpuMs };
}

/** The status of the answer; waits for the end of a plan before it. */
async function post(apiUrl: string, text: string): Promise<number> {
  for (;;) {
    const response = await fetch(`${apiUrl}/api/v1/plan`, {
      method: "POST",
      headers: { "content-type": "application/yaml" },
      body: text,
    });
    await response.arrayBuffer();
    if (!response.headers.has("retry-after")) return response.status;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function describe({ durationMs, wallMs, cpuMs }: Held): string {
  const at = (values: readonly number[], share: number): string =>
    (values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? NaN).toFixed(1);
  const cpu = cpuMs.length === 0 ? "" : `, CPU ${at(cpuMs, 0.99)} / ${at(cpuMs, 1)} ms`;
  return `${durationMs.toFixed(0)} ms; loop held, p99 / longest: ` +
    `${at(wallMs, 0.99)} / ${at(wallMs, 1)} ms${cpu}`;
}

function print(line: string): void {
  // deno-lint-ignore no-console -- this is the benchmark's report
  console.log(line);
}

Deno.bench({
  name: "plan: one route, asked of a running process",
  ...isSmoke ? { n: 1, warmup: 0 } : { n: 10, warmup: 1 },
}, async (bench) => {
  await withProcess(worldManifests({ gateways: 1, routesEach: 1 }), async (apiUrl) => {
    bench.start();
    const status = await post(apiUrl, worldManifests({ gateways: 2, routesEach: 1 }));
    bench.end();
    assert(status === 200);
  });
});

/** Two configurations with this many routes on one listener; the second has not the first of them. */
function configurations(routeCount: number): readonly [DataPlaneConfig, DataPlaneConfig] {
  const backend = cluster(clusterName("default", "app", 80), loopback(1));
  const action = { backends: [{ weight: 1, cluster: backend.name, filters: [] }] };
  const routes = Array.from(
    { length: routeCount },
    (_, index) => routeEntry({ name: `route-${index}`, path: `Prefix:/p${index}`, action }),
  ).sort(compareHttpRouteEntries);
  const configWith = (entries: typeof routes): DataPlaneConfig =>
    configOf({
      gateways: [gateway("gw", [listener("gw", { port: 80, routes: entries })])],
      clusters: [backend],
    });
  return [configWith(routes), configWith(routes.slice(1))];
}

const [before, after] = configurations(isSmoke ? 10 : 10_000);
Deno.bench("plan: requests that go elsewhere when one of 10,000 routes goes", () => {
  assert(findTrafficChanges(before, after).changes.length === 1);
});

async function report(routes: number): Promise<void> {
  const manifests = worldManifests({ gateways: Math.ceil(routes / 10), routesEach: 10 });
  await withProcess(manifests, async (apiUrl) => {
    const rest = await watchLoop(() => new Promise((resolve) => setTimeout(resolve, 3000)));
    print(`${routes} routes, no plan: ${describe(rest)}`);
    for (const [name, text] of textsOf(bodyMaxBytes)) {
      let status = 0;
      const held = await watchLoop(async () => status = await post(apiUrl, text));
      print(`${routes} routes, ${name}, ${text.length} B: ${status} after ${describe(held)}`);
    }
  });
}

if (import.meta.main) await report(Number(Deno.args[0] ?? 1000));
