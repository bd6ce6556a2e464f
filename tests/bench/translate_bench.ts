/**
 * `weir translate` end to end: a process that reads 100 Gateways and 1,000 HTTPRoutes and prints
 * everything as JSON, beside `weir version`, which is the cost of starting at all.
 *
 * What was printed is checked, so that a figure cannot come from a run that computed less. Target:
 * the difference is at most 1.2 s. CPU time says more than wall time on a machine that is busy.
 *
 *     deno run --allow-read --allow-write --allow-run --allow-env \
 *       tests/bench/translate_bench.ts [RUNS]
 */

import { assertEquals } from "@std/assert";
import { publishedSize, worldManifests } from "./translate_world.ts";
import { describeSamples, type FinishedProcess, medianOf, runWeir } from "./weir_process.ts";

/** One address for each Gateway: with fewer, most would lose their port and serve nothing. */
const addresses = "127.0.1.1-127.0.1.100";

async function inFolder(action: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "weir-bench-" });
  try {
    await Deno.writeTextFile(`${folder}/world.yaml`, worldManifests(publishedSize));
    await action(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function translate(folder: string): Promise<FinishedProcess> {
  return runWeir(["translate", "-f", folder, "-o", "json", `--gateway-addresses=${addresses}`]);
}

interface PrintedGateway {
  readonly listeners: readonly { readonly routes: readonly unknown[] }[];
}

function assertSizes({ stdout }: FinishedProcess): void {
  const { statuses, gateways, proxy, problems } = JSON.parse(stdout);
  const { gateways: gatewayCount, routesEach } = publishedSize;
  const kinds: readonly string[] = statuses.map(({ kind }: { kind: string }) => kind);
  const served: readonly PrintedGateway[] = proxy.gateways;
  assertEquals(problems, []);
  assertEquals(kinds.length, 1 + gatewayCount + gatewayCount * routesEach);
  assertEquals(kinds.filter((kind) => kind === "HTTPRoute").length, gatewayCount * routesEach);
  assertEquals(gateways.length, gatewayCount);
  assertEquals(proxy.clusters.length, gatewayCount);
  assertEquals(
    served.map(({ listeners }) => listeners.map(({ routes }) => routes.length)),
    Array.from({ length: gatewayCount }, () => [routesEach]),
  );
}

const repeats = Deno.env.has("WEIR_BENCH_SMOKE") ? { n: 1, warmup: 0 } : { n: 10, warmup: 1 };

Deno.bench({ name: "process: weir version", ...repeats }, async () => {
  await runWeir(["version"]);
});

Deno.bench({
  name: "process: weir translate, 100 Gateways, 1,000 HTTPRoutes",
  ...repeats,
}, async (bench) => {
  await inFolder(async (folder) => {
    bench.start();
    const finished = await translate(folder);
    bench.end();
    assertSizes(finished);
  });
});

/** Alternately, so that what disturbs the machine disturbs both. */
async function report(runCount: number): Promise<string[]> {
  const versions: FinishedProcess[] = [];
  const translations: FinishedProcess[] = [];
  await inFolder(async (folder) => {
    for (let run = 0; run < runCount; run++) {
      versions.push(await runWeir(["version"]));
      const translation = await translate(folder);
      assertSizes(translation);
      translations.push(translation);
    }
  });
  const difference = medianOf(translations.map(wallOf)) - medianOf(versions.map(wallOf));
  return [
    ...describe("weir version", versions),
    ...describe("weir translate", translations),
    `difference of the medians: ${difference.toFixed(0)} ms (target: at most 1200 ms)`,
  ];
}

function describe(name: string, runs: readonly FinishedProcess[]): string[] {
  const cpu = runs.flatMap(({ cpuMs }) => cpuMs ?? []);
  return [
    `${name}, wall: ${describeSamples(runs.map(wallOf), "ms")}`,
    ...cpu.length === 0 ? [] : [`${name}, CPU: ${describeSamples(cpu, "ms")}`],
  ];
}

function wallOf({ wallMs }: FinishedProcess): number {
  return wallMs;
}

if (import.meta.main) {
  const runCount = Math.min(100, Math.max(1, Number(Deno.args[0] ?? 10)));
  // deno-lint-ignore no-console -- this is the benchmark's report
  console.log((await report(runCount)).join("\n"));
}
