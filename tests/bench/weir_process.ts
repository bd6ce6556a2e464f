/**
 * Whole processes of weir for benchmarks: run from source with the permissions of `deno task weir`,
 * with the time that they took and the CPU time that they used.
 */

import { allPermissions, permissionFlags } from "../../scripts/permissions.ts";
import { v8Options } from "../../scripts/v8_flags.ts";

/** What a finished process printed and used. */
export interface FinishedProcess {
  readonly stdout: string;
  readonly wallMs: number;
  /** User and system time of all its threads, to 10 ms; undefined where there is no `/proc`. */
  readonly cpuMs: number | undefined;
}

/** Where the project is; processes run there. */
export const projectFolder = new URL("../../", import.meta.url);

/** A run takes about a second; a stuck one is not waited for. */
const timeoutMs = 60_000;

/** The arguments of deno for `weir ARGS`. */
export function weirArguments(args: readonly string[]): string[] {
  const flags = [...v8Options(), ...permissionFlags(allPermissions())];
  return ["run", "--frozen", "--no-prompt", ...flags, "main.ts", ...args];
}

/** This process's environment without settings of weir. To be used with `clearEnv`. */
function weirEnvironment(): Record<string, string> {
  const others = Object.entries(Deno.env.toObject()).filter(([name]) => !name.startsWith("WEIR_"));
  return { ...Object.fromEntries(others), NO_COLOR: "1" };
}

/**
 * Runs `weir ARGS` to its end.
 *
 * @throws Error when it fails, prints to stderr or takes longer than a minute
 */
export async function runWeir(args: readonly string[]): Promise<FinishedProcess> {
  const cpuBefore = await childrenCpuMs();
  const start = performance.now();
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: weirArguments(args),
    cwd: projectFolder,
    clearEnv: true,
    env: weirEnvironment(),
    stdin: "null",
    signal: AbortSignal.timeout(timeoutMs),
  }).output();
  const wallMs = performance.now() - start;
  const cpuAfter = await childrenCpuMs();
  const decoder = new TextDecoder();
  const errors = decoder.decode(stderr);
  if (code !== 0 || errors !== "") {
    throw new Error(`weir ${args.join(" ")} ended with ${code}:\n${errors}`);
  }
  const cpuMs = cpuBefore === undefined || cpuAfter === undefined
    ? undefined
    : cpuAfter - cpuBefore;
  return { stdout: decoder.decode(stdout), wallMs, cpuMs };
}

/**
 * CPU time of all children that ended so far: fields 16 and 17 of proc_pid_stat(5), in ticks of 10 ms.
 */
async function childrenCpuMs(): Promise<number | undefined> {
  const stat = await readProcFile(Deno.pid, "stat");
  if (stat === undefined) return undefined;
  // The second field is the name in parentheses, which may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

/**
 * A file of a process under `/proc`; undefined on other systems than Linux. By way of `cat`, because
 * Deno itself reads there only with every permission.
 */
export async function readProcFile(pid: number, name: string): Promise<string | undefined> {
  if (Deno.build.os !== "linux") return undefined;
  const { stdout } = await new Deno.Command("cat", { args: [`/proc/${pid}/${name}`] }).output();
  return new TextDecoder().decode(stdout);
}

/** The smallest and the median of `samples`, as text in whole numbers of `unit`. */
export function describeSamples(samples: readonly number[], unit: string): string {
  return `min ${Math.min(...samples).toFixed(0)} ${unit}, ` +
    `median ${medianOf(samples).toFixed(0)} ${unit}`;
}

/** The median of `samples`; of an even number, the upper one. */
export function medianOf(samples: readonly number[]): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}
