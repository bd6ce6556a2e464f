/** Without these a broken suite could be counted as green. */

import { assertEquals, assertThrows } from "@std/assert";
import {
  addTotals,
  failureText,
  formatTotals,
  parseRequest,
  readReport,
  suites,
} from "../../../scripts/test_suites.ts";

const report = `<?xml version="1.0"?>
<testsuites name="deno test" tests="7" failures="2" errors="1" time="0.1">
  <testsuite name="./a_test.ts" tests="7" failures="9" errors="9">
    <testcase name="x"><skipped/></testcase>
  </testsuite>
</testsuites>`;

Deno.test("readReport() reads the totals of all files, not those of the first", () => {
  assertEquals(readReport(report, false), { passed: 3, failed: 3, skipped: 1 });
});

Deno.test("readReport() counts a failure when the run failed without naming one", () => {
  assertEquals(readReport(undefined, false), { passed: 0, failed: 1, skipped: 0 });
  const green = report.replace('failures="2" errors="1"', 'failures="0" errors="0"');
  assertEquals(readReport(green, false), { passed: 6, failed: 1, skipped: 1 });
  assertEquals(readReport(green, true), { passed: 6, failed: 0, skipped: 1 });
});

Deno.test("formatTotals() is the closing line; skipped tests are named when there are any", () => {
  const totals = addTotals({ passed: 1, failed: 0, skipped: 0 }, {
    passed: 2,
    failed: 3,
    skipped: 0,
  });
  assertEquals(formatTotals(totals), "3 passed, 3 failed");
  assertEquals(formatTotals({ ...totals, skipped: 1 }), "3 passed, 3 failed, 1 skipped");
});

Deno.test("parseRequest() runs every suite unless some are named, and hands options on", () => {
  assertEquals(parseRequest([]), { suites, passedOn: [] });
  const request = parseRequest(["unit", "golden", "--", "--filter", "State"]);
  assertEquals(request.suites.map(({ name }) => name), ["unit", "golden"]);
  assertEquals(request.passedOn, ["--filter", "State"]);
  assertThrows(() => parseRequest(["units"]), Error, 'suite "units": it does not exist');
});

Deno.test("suites give unit tests nothing of the machine, and only integration the network", () => {
  for (const { name, permissions } of suites) {
    if (name === "integration") continue;
    const granted = name === "unit" ? [] : ["--allow-read=."];
    assertEquals(permissions, ["--allow-env=LOG_STREAM,LOG_TOKENS", ...granted], name);
  }
});

Deno.test("failureText() keeps the failures and drops what passed", () => {
  const stdout = "running 2 tests\na ... ok\nb ... FAILED\n\n ERRORS \n\nb => ./b_test.ts\n";
  const stderr = "Check b_test.ts\nerror: Test failed\n\nStack backtrace:\n   0: <unknown>\n";
  assertEquals(failureText(stdout, stderr), "ERRORS \n\nb => ./b_test.ts");
  assertEquals(
    failureText("", `Check b_test.ts\nTS2307 [ERROR]: no module\n`),
    "TS2307 [ERROR]: no module",
  );
});
