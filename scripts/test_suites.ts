/**
 * The suites of tests, what each may do, and how their reports are added up. Pure.
 *
 * A suite gets the least that it needs: a unit test that reads a file or opens a socket fails.
 */

import { permissionFlags, yamlSwitches } from "./permissions.ts";

/**
 * Stands in permissions for the path of a unix socket: a right to one names it whole, and the folder is
 * made for each run. Tests find the path in the variable `SOCKET_FOR_TESTS`.
 */
export const socketPlace = "{socket}";

/** One folder of tests that runs in one process with one set of permissions. */
export interface Suite {
  readonly name: string;
  readonly folder: string;
  readonly permissions: readonly string[];
}

/** Nothing of the machine: a library's two debugging switches, which are never set. */
const pure = permissionFlags({ env: yamlSwitches });

/** Every suite of `deno task test`, cheapest first. */
export const suites: readonly Suite[] = [
  { name: "unit", folder: "tests/unit", permissions: pure },
  { name: "contract", folder: "tests/contract", permissions: [...pure, "--allow-read=."] },
  { name: "golden", folder: "tests/golden", permissions: [...pure, "--allow-read=."] },
  { name: "simulation", folder: "tests/simulation", permissions: [...pure, "--allow-read=."] },
  {
    name: "integration",
    folder: "tests/integration",
    // Real sockets on loopback, one in a folder, real folders, and processes of our own. The last
    // address is one of those that no machine has (RFC 5737): listening there must fail.
    permissions: [
      "--allow-read",
      "--allow-write",
      `--allow-net=127.0.0.0/8,[::1],localhost,unix:${socketPlace},192.0.2.99`,
      "--allow-run",
      "--allow-env",
      "--allow-sys",
    ],
  },
];

/** How many tests ended how. */
export interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Nothing ran. */
export const noTests: Totals = { passed: 0, failed: 0, skipped: 0 };

/** The sum of both. */
export function addTotals(a: Totals, b: Totals): Totals {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
  };
}

/**
 * The totals of a JUnit report. A run that failed counts at least one failure, also when the report
 * is missing or names none: a file that does not load has no test case to blame.
 */
export function readReport(xml: string | undefined, success: boolean): Totals {
  const head = /<testsuites [^>]*>/.exec(xml ?? "")?.[0] ?? "";
  const attribute = (name: string): number =>
    Number(new RegExp(` ${name}="(\\d+)"`).exec(head)?.[1] ?? 0);
  const skipped = (xml ?? "").match(/<skipped\b/g)?.length ?? 0;
  const failed = attribute("failures") + attribute("errors");
  const passed = Math.max(0, attribute("tests") - failed - skipped);
  return { passed, failed: success ? failed : Math.max(1, failed), skipped };
}

/** The closing line that people and CI look for: `12 passed, 0 failed`. */
export function formatTotals({ passed, failed, skipped }: Totals): string {
  const line = `${passed} passed, ${failed} failed`;
  return skipped > 0 ? `${line}, ${skipped} skipped` : line;
}

/**
 * What a person needs of the output of a failed run: the failures, not the thousand tests that
 * passed. Without a list of failures (a file that does not load) everything is kept.
 */
export function failureText(stdout: string, stderr: string): string {
  const start = stdout.indexOf("\n ERRORS \n");
  const noise = /^(?:Check |error: Test failed$|Stack backtrace:$| +\d+: <unknown>$)/;
  const rest = stderr.split("\n").filter((line) => !noise.test(line)).join("\n").trim();
  return [start < 0 ? stdout.trim() : stdout.slice(start).trim(), rest]
    .filter((text) => text !== "").join("\n\n");
}

/** What the command line asks for. */
export interface Request {
  readonly suites: readonly Suite[];
  /** Handed on to `deno test`. */
  readonly passedOn: readonly string[];
}

/**
 * Reads `[SUITE…] [deno test options]`; no suite means all.
 *
 * @throws Error when a suite does not exist
 */
export function parseRequest(args: readonly string[]): Request {
  const firstOption = args.findIndex((arg) => arg.startsWith("-"));
  const names = firstOption < 0 ? args : args.slice(0, firstOption);
  const chosen = names.map((name) => {
    const suite = suites.find((candidate) => candidate.name === name);
    if (suite) return suite;
    const known = suites.map((candidate) => candidate.name).join(", ");
    throw new Error(`Cannot run suite "${name}": it does not exist, the suites are ${known}`);
  });
  return {
    suites: chosen.length > 0 ? chosen : suites,
    passedOn: firstOption < 0 ? [] : args.slice(firstOption).filter((arg) => arg !== "--"),
  };
}
