/**
 * Runs the suites of tests, each with its own permissions, and adds them up: `deno task test`.
 *
 * Prints one line for each suite, the failures of a suite that failed, and a closing line
 * `N passed, N failed`. Exits 1 when something failed or nothing ran.
 *
 *     deno task test                        every suite
 *     deno task test unit golden            these suites
 *     deno task test unit --filter State    options go to `deno test`
 */

// deno-lint-ignore-file no-console -- A script talks to the terminal.

import {
  addTotals,
  failureText,
  formatTotals,
  noTests,
  parseRequest,
  readReport,
  socketPlace,
  type Suite,
  type Totals,
} from "./test_suites.ts";

/** A suite that hangs is stopped and counts as failed. */
const suiteTimeoutMs = 15 * 60_000;

async function hasTests(folder: string): Promise<boolean> {
  try {
    for await (const entry of Deno.readDir(folder)) {
      if (entry.isFile && entry.name.endsWith("_test.ts")) return true;
      if (entry.isDirectory && await hasTests(`${folder}/${entry.name}`)) return true;
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return false;
}

async function readIfExists(path: string): Promise<string | undefined> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

async function runSuite(
  suite: Suite,
  passedOn: readonly string[],
  report: string,
): Promise<Totals> {
  if (!await hasTests(suite.folder)) return noTests;
  const startedAt = performance.now();
  const stop = AbortSignal.timeout(suiteTimeoutMs);
  const socket = `${report}.socket/test.sock`;
  const output = await new Deno.Command(Deno.execPath(), {
    args: [
      "test",
      "--no-prompt",
      "--frozen",
      "--permit-no-files",
      `--junit-path=${report}`,
      ...suite.permissions.map((permission) => permission.replace(socketPlace, socket)),
      ...passedOn,
      suite.folder,
    ],
    // Plain text, whatever the terminal: the failures are cut out of it.
    env: { NO_COLOR: "1", SOCKET_FOR_TESTS: socket },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    signal: stop,
  }).output();
  const totals = readReport(await readIfExists(report), output.success);
  if (totals.failed > 0) {
    const decoder = new TextDecoder();
    console.log(failureText(decoder.decode(output.stdout), decoder.decode(output.stderr)));
    if (stop.aborted) console.error(`Suite "${suite.name}" was stopped after ${suiteTimeoutMs} ms`);
  }
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${suite.name.padEnd(12)} ${formatTotals(totals)} (${seconds} s)`);
  return totals;
}

if (import.meta.main) {
  const request = parseRequest(Deno.args);
  const folder = await Deno.makeTempDir({ prefix: "weir-test-" });
  let totals = noTests;
  try {
    for (const suite of request.suites) {
      const result = await runSuite(suite, request.passedOn, `${folder}/${suite.name}.xml`);
      totals = addTotals(totals, result);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  console.log(`\n${formatTotals(totals)}`);
  if (totals.failed > 0 || totals.passed === 0) Deno.exit(1);
}
