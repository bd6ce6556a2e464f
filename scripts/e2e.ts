/**
 * Runs the end-to-end tests, each file against a new cluster of its own: `deno task e2e [NAME…]`.
 *
 * The cluster is a real API server in a network namespace (tests/e2e/testbed); the tests run in that
 * namespace too and reach nothing else. Its programs are built once and kept in the user's cache
 * folder. Whatever happens, the cluster and what runs in it are gone afterwards.
 *
 *     deno task e2e                      every file
 *     deno task e2e traffic storm        tests/e2e/traffic_test.ts and storm_test.ts
 *     deno task e2e traffic --filter X   options go to `deno test`
 *
 * Files whose name begins with `envoy_` need no cluster and get none.
 */

// deno-lint-ignore-file no-console -- A script talks to the terminal.

import {
  addTotals,
  failureText,
  formatTotals,
  noTests,
  readReport,
  type Totals,
} from "./test_suites.ts";

const tests = "tests/e2e";
const testbed = `${tests}/testbed/testbed`;
/** A file that hangs is stopped and counts as failed. */
const fileTimeoutMs = 15 * 60_000;
/** A cold build takes ten minutes of a processor. */
const buildTimeoutMs = 40 * 60_000;

/** One file of tests and how `deno test` is asked to run it. */
interface Run {
  readonly name: string;
  readonly passedOn: readonly string[];
  /** The cluster's state and the report go there. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

async function fileNames(): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of Deno.readDir(tests)) {
    if (name.endsWith("_test.ts")) names.push(name.slice(0, -"_test.ts".length));
  }
  return names.sort();
}

/** Runs the testbed's script to its end; its words go to the terminal. */
async function runTestbed(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<boolean> {
  const child = new Deno.Command(testbed, {
    args: [...args],
    env,
    stdin: "null",
    stdout: "null",
    stderr: "inherit",
    ...signal ? { signal } : {},
  }).spawn();
  return (await child.status).success;
}

async function runFile({ name, passedOn, folder, signal }: Run): Promise<Totals> {
  const startedAt = performance.now();
  const state = `${folder}/state`;
  const env = {
    WEIR_TESTBED_STATE: state,
    WEIR_TESTBED_APISERVER_FLAGS: `--audit-policy-file=${Deno.cwd()}/${tests}/audit_policy.yaml ` +
      `--audit-log-path=${state}/audit.log`,
    // Pods of this image run the program that runs us; what it runs is in their command.
    WEIR_TESTBED_NODE_FLAGS: `--image 'weir.test/weir=${Deno.execPath()}'`,
    NO_COLOR: "1",
  };
  let totals: Totals = { ...noTests, failed: 1 };
  if (needsNoCluster(name)) {
    totals = await testIn([], { name, passedOn, folder, signal }, { NO_COLOR: "1" });
    return tellTotals(name, totals, startedAt);
  }
  try {
    if (await runTestbed(["up"], env, signal)) {
      totals = await testIn([testbed, "run"], { name, passedOn, folder, signal }, env);
    }
  } finally {
    await runTestbed(["down", "--purge"], env);
  }
  return tellTotals(name, totals, startedAt);
}

function needsNoCluster(name: string): boolean {
  return name.startsWith("envoy_");
}

function tellTotals(name: string, totals: Totals, startedAt: number): Totals {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${name.padEnd(16)} ${formatTotals(totals)} (${seconds} s)`);
  return totals;
}

/** Runs the file's tests; `prefix` is what enters the cluster's network first. */
async function testIn(
  prefix: readonly string[],
  { name, passedOn, folder, signal }: Run,
  env: Readonly<Record<string, string>>,
): Promise<Totals> {
  const report = `${folder}/report.xml`;
  const stop = AbortSignal.any([signal, AbortSignal.timeout(fileTimeoutMs)]);
  const [program = Deno.execPath(), ...args] = [...prefix, Deno.execPath()];
  const output = await new Deno.Command(program, {
    args: [
      ...[...args, "test", "--no-prompt", "--frozen", `--junit-path=${report}`],
      ...["--allow-read", "--allow-write", "--allow-net", "--allow-run", "--allow-env"],
      ...["--allow-sys", ...passedOn, `${tests}/${name}_test.ts`],
    ],
    env,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    signal: stop,
  }).output();
  const xml = await Deno.readTextFile(report).catch(() => undefined);
  const totals = readReport(xml, output.success);
  const decoder = new TextDecoder();
  const stdout = decoder.decode(output.stdout);
  // What was measured is told also when all went well.
  for (const [line] of stdout.matchAll(/^figure: .*$/gm)) console.log(`  ${line}`);
  if (totals.failed > 0) console.log(failureText(stdout, decoder.decode(output.stderr)));
  if (stop.aborted) console.error(`File "${name}" was stopped`);
  return totals;
}

if (import.meta.main) {
  const interrupted = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    Deno.addSignalListener(signal, () => interrupted.abort());
  }
  const firstOption = Deno.args.findIndex((arg) => arg.startsWith("-"));
  const asked = firstOption < 0 ? Deno.args : Deno.args.slice(0, firstOption);
  const passedOn = firstOption < 0 ? [] : Deno.args.slice(firstOption);
  const known = await fileNames();
  const unknown = asked.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    console.error(`Cannot run "${unknown.join(" ")}": there are ${known.join(", ")}`);
    Deno.exit(2);
  }
  const names = asked.length > 0 ? asked : known;
  const limit = AbortSignal.any([interrupted.signal, AbortSignal.timeout(buildTimeoutMs)]);
  if (!names.every(needsNoCluster) && !await runTestbed(["build"], {}, limit)) Deno.exit(1);
  const folder = await Deno.makeTempDir({ prefix: "weir-e2e-" });
  let totals = noTests;
  try {
    for (const name of names) {
      if (interrupted.signal.aborted) break;
      totals = addTotals(
        totals,
        await runFile({ name, passedOn, folder, signal: interrupted.signal }),
      );
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  console.log(`\n${formatTotals(totals)}`);
  if (totals.failed > 0 || totals.passed === 0 || interrupted.signal.aborted) Deno.exit(1);
}
