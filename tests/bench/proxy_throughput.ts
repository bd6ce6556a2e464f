/**
 * Requests per CPU-second of the embedded data plane, compared with nginx in the same run.
 *
 *     deno run -A tests/bench/proxy_throughput.ts [rounds]
 *
 * HTTP/1.1, 64 connections that stay, a body of 64 octets, a hundred routes. The proxy under test
 * runs alone on one core; upstream (nginx) and load (wrk) share another. Rounds of both proxies
 * alternate, so that other work on the machine falls on both; the medians are compared. CPU time is
 * read from the kernel, so a busy machine costs rounds, not truth. Target: ratio >= 0.25. About half
 * a minute. Says so and succeeds where nginx, wrk or taskset is missing.
 */

import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { systemClock } from "../../src/base/clock.ts";
import { cluster, configOf, gateway, listener, loopback } from "../fakes/data_plane_config.ts";
import { backend, ProxyWorld, routeTo } from "../fakes/proxy_world.ts";

const upstreamPort = 21_480;
const ports = { nginx: 21_481, weir: 21_482 } as const;
const roundSeconds = 2;
const warmUpSeconds = 3;

type Contender = keyof typeof ports;

/** One round of one proxy. */
interface Round {
  readonly requests: number;
  readonly cpuMs: number;
}

if (import.meta.main) await main(Deno.args);

async function main(args: readonly string[]): Promise<void> {
  if (args[0] === "serve") return await serve();
  const missing = await missingTools(["nginx", "wrk", "taskset"]);
  if (missing.length > 0) return print(`Skipped: ${missing.join(", ")} not installed`);
  const folder = await Deno.makeTempDir({ prefix: "weir-bench-" });
  const children: Deno.ChildProcess[] = [];
  try {
    await compare(folder, children, Number(args[0] ?? 5));
  } finally {
    for (const child of children) {
      child.kill("SIGTERM");
      await child.status;
    }
    await Deno.remove(folder, { recursive: true });
  }
}

async function compare(
  folder: string,
  children: Deno.ChildProcess[],
  rounds: number,
): Promise<void> {
  const start = (core: number, command: string, ...args: readonly string[]): Deno.ChildProcess => {
    const child = new Deno.Command("taskset", {
      args: ["-c", String(core), command, ...args],
      stdout: "null",
      stderr: "inherit",
    }).spawn();
    children.push(child);
    return child;
  };
  start(1, "nginx", "-p", folder, "-c", await upstreamConfig(folder));
  const nginx = start(0, "nginx", "-p", folder, "-c", await proxyConfig(folder));
  const self = fileURLToPath(import.meta.url);
  const weir = start(0, Deno.execPath(), "run", "-A", self, "serve");
  for (const port of [upstreamPort, ...Object.values(ports)]) await waitForPort(port);
  const pids: Readonly<Record<Contender, number>> = {
    nginx: await workerOf(nginx.pid),
    weir: weir.pid,
  };
  const measured: Record<Contender, Round[]> = { nginx: [], weir: [] };
  for (const contender of ["nginx", "weir"] as const) await load(contender, warmUpSeconds);
  for (let round = 0; round < rounds; round++) {
    for (const contender of ["nginx", "weir"] as const) {
      measured[contender].push(await measure(contender, pids[contender]));
    }
  }
  report(measured, await residentMegabytes(weir.pid));
}

/** The role of the process under test: a hundred routes, the last of which serves. */
async function serve(): Promise<void> {
  const world = new ProxyWorld({}, { requestId: () => crypto.randomUUID() });
  const others = Array.from(
    { length: 99 },
    (_, index) => routeTo(backend, { path: `Prefix:/other/${index}` }),
  );
  const routes = [...others, routeTo(backend, { path: "Prefix:/api" })];
  await world.dataPlane.apply(configOf({
    gateways: [gateway("gw", [listener("gw", { port: ports.weir, routes })])],
    clusters: [cluster(backend, loopback(upstreamPort))],
  }));
}

async function measure(contender: Contender, pid: number): Promise<Round> {
  const before = await cpuMs(pid);
  const requests = await load(contender, roundSeconds);
  return { requests, cpuMs: await cpuMs(pid) - before };
}

/** Runs wrk; returns how many requests were answered. Anything but 2xx is an error. */
async function load(contender: Contender, seconds: number): Promise<number> {
  const url = `http://127.0.0.1:${ports[contender]}/api/items`;
  const { stdout } = await new Deno.Command("taskset", {
    args: ["-c", "1", "wrk", "-t1", "-c64", `-d${seconds}s`, url],
  }).output();
  const text = new TextDecoder().decode(stdout);
  if (/Non-2xx|Socket errors/.test(text)) throw new Error(`Cannot measure ${contender}: ${text}`);
  const requests = Number(/([0-9]+) requests in/.exec(text)?.[1]);
  if (!(requests > 0)) throw new Error(`Cannot measure ${contender}: no requests were answered`);
  return requests;
}

function report(measured: Readonly<Record<Contender, readonly Round[]>>, megabytes: number): void {
  const perRequest = (rounds: readonly Round[]): number =>
    median(rounds.map(({ requests, cpuMs }) => cpuMs * 1_000 / requests));
  const perSecond = (rounds: readonly Round[]): number =>
    median(rounds.map(({ requests }) => requests / roundSeconds));
  for (const [name, rounds] of Object.entries(measured)) {
    const [cpu, rate] = [perRequest(rounds).toFixed(1), Math.round(perSecond(rounds))];
    print(`${name.padEnd(6)} ${cpu.padStart(6)} µs CPU per request, ${rate} requests per second`);
  }
  const ratio = perRequest(measured.nginx) / perRequest(measured.weir);
  print(`ratio  ${ratio.toFixed(2)} of nginx's requests per CPU-second (target 0.25)`);
  print(`memory ${megabytes} MB resident`);
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** User and system time of a process. The kernel counts in ticks of 10 ms. */
async function cpuMs(pid: number): Promise<number> {
  const stat = await Deno.readTextFile(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  return Math.round(Number(/VmRSS:\s+([0-9]+)/.exec(status)?.[1]) / 1024);
}

/** nginx works in a child of the process that was started. */
async function workerOf(pid: number): Promise<number> {
  const children = await Deno.readTextFile(`/proc/${pid}/task/${pid}/children`);
  return Number(children.trim().split(" ")[0]);
}

async function waitForPort(port: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    try {
      (await Deno.connect({ hostname: "127.0.0.1", port })).close();
      return;
    } catch {
      await systemClock.sleep(100);
    }
  }
  throw new Error(`Cannot start: nothing listens on port ${port}`);
}

function nginxConfig(name: string, folder: string, http: string): Promise<string> {
  const path = join(folder, `${name}.conf`);
  const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((place) => `${place}_temp_path ${folder}/${name}-${place};`).join(" ");
  const text = `worker_processes 1; daemon off; pid ${folder}/${name}.pid;
error_log ${folder}/${name}.log; events { worker_connections 1024; }
http { access_log off; keepalive_requests 100000000; ${places} ${http} }`;
  return Deno.writeTextFile(path, text).then(() => path);
}

function upstreamConfig(folder: string): Promise<string> {
  const answer = `return 200 "${"0".repeat(64)}";`;
  const server = `server { listen 127.0.0.1:${upstreamPort}; location / { ${answer} } }`;
  return nginxConfig("upstream", folder, server);
}

function proxyConfig(folder: string): Promise<string> {
  const backends = `server 127.0.0.1:${upstreamPort}; keepalive 256; keepalive_requests 100000000;`;
  const pass =
    `proxy_pass http://backends; proxy_http_version 1.1; proxy_set_header Connection "";`;
  const server = `server { listen 127.0.0.1:${ports.nginx}; location / { ${pass} } }`;
  return nginxConfig("proxy", folder, `upstream backends { ${backends} } ${server}`);
}

async function missingTools(names: readonly string[]): Promise<string[]> {
  const missing: string[] = [];
  for (const name of names) {
    const found = await new Deno.Command("which", { args: [name], stdout: "null" }).output();
    if (!found.success) missing.push(name);
  }
  return missing;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
