/**
 * How `weir serve` starts: from the start of the process to the ready line, and the resident memory
 * two seconds later, with the quickstart's manifests and the embedded data plane.
 *
 * Packages are cached. Both listeners have to be bound before a figure counts. Targets: at most 1.0 s
 * and 120 MB. Memory is measured on Linux only.
 *
 *     deno task bench --filter start
 *     deno run --allow-read --allow-write --allow-run --allow-net=127.0.0.1 --allow-env \
 *       tests/bench/start_bench.ts [RUNS]
 */

import { assertEquals } from "@std/assert";
import { describeSamples, projectFolder, readProcFile } from "./weir_process.ts";
import { freePort, startWeir } from "./weir_server.ts";

/** Ports of the example's listeners; the copy has free ones in their place. */
const examplePorts = [8080, 8443];
const settleMs = 2000;
const isSmoke = Deno.env.has("WEIR_BENCH_SMOKE");

interface Start {
  readonly readyMs: number;
  readonly residentMb: number | undefined;
}

/** The quickstart's manifests with listeners on free ports. */
async function copyQuickstart(folder: string): Promise<void> {
  const from = new URL("examples/quickstart/", projectFolder);
  for await (const { name } of Deno.readDir(from)) {
    let text = await Deno.readTextFile(new URL(name, from));
    for (const port of examplePorts) {
      text = text.replaceAll(`      port: ${port}\n`, () => `      port: ${freePort()}\n`);
    }
    await Deno.writeTextFile(`${folder}/${name}`, text);
  }
}

async function start(folder: string, waitMs: number): Promise<Start> {
  const startMs = performance.now();
  await using server = await startWeir(["--manifests", folder, "--dev-certificates"]);
  const readyMs = performance.now() - startMs;
  await assertServes(server.apiUrl);
  await new Promise((resolve) => setTimeout(resolve, waitMs));
  return { readyMs, residentMb: await residentMb(server.pid) };
}

async function assertServes(apiUrl: string): Promise<void> {
  const response = await fetch(new URL("/api/v1/proxy", apiUrl));
  const { gateways } = await response.json();
  assertEquals(gateways.length, 1);
  const bound = gateways[0].listeners.map((listener: { bound: unknown[] }) =>
    listener.bound.length
  );
  assertEquals(bound, examplePorts.map(() => 1));
}

/** `VmRSS` of proc_pid_status(5), which is in KiB there; here in units of 1,000,000 bytes. */
async function residentMb(pid: number): Promise<number | undefined> {
  const status = await readProcFile(pid, "status");
  const [, kib] = /^VmRSS:\s*(\d+) kB$/m.exec(status ?? "") ?? [];
  return kib === undefined ? undefined : Number(kib) * 1024 / 1e6;
}

async function inFolder<T>(action: (folder: string) => Promise<T>): Promise<T> {
  const folder = await Deno.makeTempDir({ prefix: "weir-bench-" });
  try {
    await copyQuickstart(folder);
    return await action(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.bench({
  name: "process: start of weir serve to its ready line",
  ...isSmoke ? { n: 1, warmup: 0 } : { n: 10, warmup: 1 },
}, async (bench) => {
  await inFolder(async (folder) => {
    bench.start();
    await using server = await startWeir(["--manifests", folder, "--dev-certificates"]);
    bench.end();
    await assertServes(server.apiUrl);
  });
});

async function report(runCount: number): Promise<string[]> {
  const starts = await inFolder(async (folder) => {
    const runs: Start[] = [];
    for (let run = 0; run < runCount; run++) runs.push(await start(folder, settleMs));
    return runs;
  });
  const memory = starts.flatMap(({ residentMb }) => residentMb ?? []);
  return [
    `start to ready line: ${describeSamples(starts.map(({ readyMs }) => readyMs), "ms")}` +
    " (target: at most 1000 ms)",
    ...memory.length === 0 ? [] : [
      `resident after ${settleMs} ms: ${describeSamples(memory, "MB")} (target: at most 120 MB)`,
    ],
  ];
}

if (import.meta.main) {
  const runCount = Math.min(100, Math.max(1, Number(Deno.args[0] ?? 10)));
  // deno-lint-ignore no-console -- this is the benchmark's report
  console.log((await report(runCount)).join("\n"));
}
