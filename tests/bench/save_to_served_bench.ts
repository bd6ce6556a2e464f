/**
 * From a saved file to the served route: `weir serve` follows 100 files with 1,000 HTTPRoutes; one
 * file after the other gets a new path, and a client asks for it until it is answered.
 *
 * Everything is included: the file system's event, the loader's quiet time, admission, computing,
 * the swap in the proxy and the client's round trip (it asks about once a millisecond). Each save
 * replaces the file by a rename, as editors do. Target: p99 at most 50 ms.
 *
 *     deno task bench --filter saved
 *     deno run --allow-read --allow-write --allow-run --allow-net=127.0.0.1 --allow-env \
 *       tests/bench/save_to_served_bench.ts [SAVES]
 */

import http from "node:http";
import { assertEquals } from "@std/assert";
import { freePort, startWeir } from "./weir_server.ts";

const files = 100;
const routesEach = 10;
const isSmoke = Deno.env.get("WEIR_BENCH_SMOKE") !== undefined;

/** One file of routes; `version` is in the path of each. */
function routes(file: number, version: string): string {
  return Array.from({ length: routesEach }, (_, index) =>
    `apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: route-${file}-${index}, namespace: default}
spec:
  parentRefs: [{name: edge}]
  hostnames: [h${file}-${index}.example.com]
  rules:
  - matches: [{path: {type: PathPrefix, value: /${version}}}]
    filters:
    - type: RequestRedirect
      requestRedirect: {path: {type: ReplaceFullPath, replaceFullPath: /to/${version}}}
`).join("---\n");
}

function gateway(port: number): string {
  return `apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: {name: weir}
spec: {controllerName: weir.dev/gateway-controller}
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: edge, namespace: default}
spec:
  gatewayClassName: weir
  listeners: [{name: http, port: ${port}, protocol: HTTP}]
`;
}

async function save(folder: string, file: number, version: string): Promise<void> {
  const path = `${folder}/routes-${file}.yaml`;
  await Deno.writeTextFile(`${path}~`, routes(file, version));
  await Deno.rename(`${path}~`, path);
}

/** Asks until the answer is the wanted redirect. */
async function untilServed(
  agent: http.Agent,
  port: number,
  host: string,
  version: string,
): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (performance.now() < deadline) {
    const status = await ask(agent, port, host, `/${version}`);
    if (status === 302) return;
    assertEquals(status, 404, "Nothing but the old and the new state is ever seen");
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  throw new Error(`Route of ${host} was not served within 10 s`);
}

function ask(agent: http.Agent, port: number, host: string, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = http.get({ host: "127.0.0.1", port, path, agent, headers: { host } });
    request.on("response", (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? 0));
    });
    request.on("error", reject);
  });
}

/** The times of `saves` saves, milliseconds, ascending. */
async function measure(saves: number): Promise<readonly number[]> {
  const folder = await Deno.makeTempDir({ prefix: "weir-bench-" });
  const agent = new http.Agent({ keepAlive: true });
  const port = freePort();
  try {
    await Deno.writeTextFile(`${folder}/gateway.yaml`, gateway(port));
    for (let file = 0; file < files; file++) await save(folder, file, "v0");
    await using _server = await startWeir(["--manifests", folder]);
    const times: number[] = [];
    for (let count = 1; count <= saves; count++) {
      const file = count % files;
      const start = performance.now();
      await save(folder, file, `v${count}`);
      await untilServed(agent, port, `h${file}-${routesEach - 1}.example.com`, `v${count}`);
      times.push(performance.now() - start);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return times.sort((a, b) => a - b);
  } finally {
    agent.destroy();
    await Deno.remove(folder, { recursive: true });
  }
}

function describe(times: readonly number[]): string {
  const at = (share: number): string =>
    (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? NaN).toFixed(1);
  return `saved file to served route, ${files * routesEach} routes, ${times.length} saves: ` +
    `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms`;
}

Deno.bench({ name: "saved file to served route", n: 1, warmup: 0 }, async () => {
  const times = await measure(isSmoke ? 3 : 200);
  Deno.stderr.writeSync(new TextEncoder().encode(`${describe(times)}\n`));
});

if (import.meta.main) {
  const times = await measure(Number(Deno.args[0] ?? 200));
  Deno.stdout.writeSync(new TextEncoder().encode(`${describe(times)}\n`));
}
