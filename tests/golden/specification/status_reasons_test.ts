// Every reason that the API has is said where the API wants it. A reason that nobody ever saw in a
// status is one that users will meet for the first time in production, where it is wrong.

import { assert, assertEquals } from "@std/assert";
import { caseFolder, caseNames } from "../translate/cases.ts";
import { provenElsewhere, statusReasons } from "./status_reasons.ts";
import { hasTest } from "./test_names.ts";

/** `object type status reason` of all that the golden cases expect, with one case that does. */
function rowsOfCases(): ReadonlyMap<string, string> {
  const rows = new Map<string, string>();
  for (const name of caseNames) {
    const text = Deno.readTextFileSync(new URL(`${name}/expected.txt`, caseFolder));
    for (const row of rowsOf(text)) if (!rows.has(row)) rows.set(row, name);
  }
  return rows;
}

function* rowsOf(expectation: string): Generator<string> {
  let owner = "";
  for (const line of expectation.split("\n")) {
    const object = /^([A-Z]\w+) \S/.exec(line)?.[1];
    const isListener = line.startsWith("  listener ");
    if (object !== undefined) owner = object;
    if (object === undefined && !isListener) continue;
    const place = !isListener ? owner : owner === "ListenerSet" ? "Entry" : "Listener";
    const conditions = line.slice(line.indexOf(": ") + 2);
    // What an expectation leaves open (`=*`, `/*`) shows nothing.
    for (
      const [, type, status, reason] of conditions.matchAll(
        /(\w+)=(True|False|Unknown)(?:\/([\w*]+))?/g,
      )
    ) {
      if (reason !== "*") yield `${place} ${type} ${status} ${reason ?? type}`;
    }
  }
}

Deno.test("every condition and reason of the API is expected by a golden case or a named test", () => {
  const rows = rowsOfCases();
  const missing = statusReasons.filter((row) => !rows.has(row) && !provenElsewhere.has(row));
  assertEquals(missing, []);
});

Deno.test("golden cases expect no condition and reason that the API does not have", () => {
  const known = new Set(statusReasons);
  const unknown = [...rowsOfCases()].filter(([row]) => !known.has(row));
  assertEquals(unknown, []);
});

Deno.test("what no golden case reaches is proven by a test that exists", () => {
  const rows = rowsOfCases();
  for (const [row, [path, name]] of provenElsewhere) {
    assert(statusReasons.includes(row), `${row} is no row of the table`);
    assertEquals(rows.get(row), undefined, `${row} is reached by a case and needs no other proof`);
    assert(hasTest(path, name), `${row} is said to be proven by a test that is not there: ${name}`);
  }
});

Deno.test("hasTest() knows a test by its file and its whole name only", () => {
  const path = "golden/specification/status_reasons_test.ts";
  assert(hasTest(path, "hasTest() knows a test by its file and its whole name only"));
  assert(!hasTest(path, "hasTest() knows a test"));
  assert(!hasTest("unit/gateway/api_bundle_test.ts", "hasTest() knows a test by its file"));
  // Put together of parts: `translate ${name}`.
  assert(hasTest("golden/translate/translate_test.ts", "translate 05-gateway-basic"));
});
