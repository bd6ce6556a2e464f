/** Without these the house rules would fade: a rule that finds nothing looks like tidy code. */

import { assertEquals } from "@std/assert";
import type { ModuleGraph } from "../../../scripts/module_graph.ts";
import { checkSource, fileLinesMax, findUnused } from "../../../scripts/tidy_code.ts";

const header = "/**\n * What this is for.\n */\n\n";

function findings(file: string, body: string): string[] {
  return checkSource(file, header + body).map(({ line, message }) => `${line}: ${message}`);
}

Deno.test("checkSource() accepts a short file with a header", () => {
  assertEquals(findings("src/flow/registry.ts", "const now = clock.now();\n"), []);
});

Deno.test("checkSource() bans the machine's time and luck, and names the replacement", () => {
  const calls: readonly (readonly [string, string])[] = [
    ["Date.now();", "Date.now() is banned here, use clock.now()"],
    ["new Date();", "new Date() is banned here, use clock.now()"],
    ["performance.now();", "performance.now() is banned here, use clock.monotonicMs()"],
    ["setTimeout(f, 1);", "setTimeout() is banned here, use clock.after() or clock.sleep()"],
    ["setInterval(f, 1);", "setInterval() is banned here, use a loop over clock.sleep()"],
    ["Math.random();", "Math.random() is banned here, use a random source as a parameter"],
    [
      "crypto.randomUUID();",
      "crypto.randomUUID() is banned here, use an id source as a parameter",
    ],
  ];
  for (const [call, message] of calls) {
    assertEquals(findings("src/flow/registry.ts", call), [`5: ${message}`]);
    assertEquals(findings("tests/unit/flow/registry_test.ts", call).length, 1, call);
    for (const file of ["src/base/clock.ts", "src/std/async.ts", "src/app/compose.ts"]) {
      assertEquals(findings(file, call), [], file);
    }
    assertEquals(findings("tests/integration/proxy_test.ts", call), [], call);
    assertEquals(findings("scripts/build.ts", call), [], call);
  }
});

Deno.test("checkSource() does not find calls in comments, strings or other names", () => {
  const body = [
    "// Date.now() would be wrong.",
    'const a = "Math.random()";',
    "new Date(epochMs);",
    "socket.setTimeout(5);",
    "const b = new Map([[1, clock.sleep]]);",
  ].join("\n");
  assertEquals(findings("src/flow/registry.ts", body), []);
});

Deno.test("checkSource() wants tests to ask the API through the client that checks answers", () => {
  const call = "await fetch(`${api}/livez`);";
  assertEquals(findings("tests/integration/changes_test.ts", call), [
    "5: fetch() is banned here, use ApiClient, which holds answers to /openapi.json",
  ]);
  const free = ["tests/fakes/api_client.ts", "tests/bench/a_bench.ts", "src/app/ask.ts"];
  for (const file of [...free, "tests/integration/kube_api_test.ts"]) {
    assertEquals(findings(file, call), [], file);
  }
  assertEquals(findings("tests/unit/http/app_test.ts", "app.fetch(request);"), []);
});

Deno.test("checkSource() wants a header that is its own and not an essay", () => {
  const messages = (file: string, source: string): string[] =>
    checkSource(file, source).map(({ message }) => message);
  const missing = "no header comment: say what the file is responsible for";
  assertEquals(messages("src/base/a.ts", "export const a = 1;\n"), [missing]);
  assertEquals(messages("scripts/a.ts", "// A.\n"), [missing]);
  assertEquals(messages("tests/unit/a_test.ts", "const a = 1;\n"), []);
  assertEquals(messages("src/base/a.ts", "/**\n * A.\n */\nexport const a = 1;\n"), [
    "no empty line after the header comment",
  ]);
  assertEquals(messages("src/base/a.ts", `/**\n${" * A.\n".repeat(19)} */\n\n`), [
    "header has 19 lines, at most 18 are wanted",
  ]);
});

Deno.test("checkSource() limits the length of files", () => {
  assertEquals(findings("src/base/a.ts", "f();\n".repeat(fileLinesMax - 4)), []);
  assertEquals(findings("src/base/a.ts", "f();\n".repeat(fileLinesMax - 3)), [
    "301: file has 301 lines, at most 300 are wanted",
  ]);
});

Deno.test("checkSource() refuses names that say nothing or are not snake_case", () => {
  for (const name of ["index.ts", "mod.ts", "utils.ts", "types.ts", "helpers.ts", "common.ts"]) {
    assertEquals(findings(`src/base/${name}`, ""), [
      `1: name "${name}" says nothing, use the main export's name`,
    ]);
  }
  assertEquals(findings("src/base/workQueue.ts", ""), [
    '1: name "workQueue.ts" is not in snake_case',
  ]);
});

Deno.test("checkSource() wants to-dos that somebody tracks, and no leftovers", () => {
  const todo = "TO" + "DO";
  const fixme = "FIX" + "ME";
  assertEquals(findings("src/base/a.ts", `// ${todo}(#12): later\n`), []);
  assertEquals(findings("src/base/a.ts", `// ${todo}: later\n// ${fixme}\n`), [
    `6: leftover "${fixme}"`,
    `5: a to-do names who tracks it: "${todo}(#123)"`,
  ]);
});

Deno.test("findUnused() finds files of the product that nothing reaches, also in circles", () => {
  const node = (path: string, ...targets: string[]): ModuleGraph[number] => ({
    path,
    imports: targets.map((target) => ({ specifier: target, target, line: 1, isTypeOnly: false })),
    denoLines: [],
  });
  const graph = [
    node("main.ts", "src/a.ts", "node:fs"),
    node("src/a.ts", "src/b.ts"),
    node("src/b.ts"),
    node("src/c.ts", "src/d.ts"),
    node("src/d.ts", "src/c.ts"),
    node("src/e.ts"),
    node("tests/unit/e_test.ts", "src/e.ts"),
  ];
  assertEquals(findUnused(graph).map(({ file }) => file), ["src/c.ts", "src/d.ts"]);
});
