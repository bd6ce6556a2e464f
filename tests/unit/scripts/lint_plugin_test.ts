/** Without these a house rule could stop to bite and nobody would notice. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import plugin from "../../../scripts/lint_plugin.ts";

interface Case {
  readonly rule: string;
  readonly allowed: readonly string[];
  readonly refused: readonly string[];
}

const cases: readonly Case[] = [
  {
    rule: "building-is-not-starting",
    allowed: [
      "class A { #x; constructor(x) { this.#x = x; } run() { setTimeout(this.#x, 1); } }",
      "class A { constructor() { this.stop = () => setTimeout(f, 1); } }",
      "function f() { return Promise.resolve(1); }",
      "class A { readonly #go = async () => { await fetch('x'); }; }",
    ],
    refused: [
      "class A { constructor() { setTimeout(f, 1); } }",
      "class A { constructor() { if (x) this.done = new Promise(f); } }",
      "class A { constructor() { this.file = Deno.openSync('x'); } }",
      "class A { constructor(p) { p.then(f); } }",
      "class A { #timer = setInterval(f, 1); }",
      "const ready = Promise.resolve();",
    ],
  },
  {
    rule: "no-silent-catch",
    allowed: [
      "async function f() { await g().catch(() => { /* The peer is gone already. */ }); }",
      "async function f() { await g().catch((e) => { log(e); }); }",
    ],
    refused: ["async function f() { await g().catch(() => {}); }"],
  },
  {
    rule: "no-cast",
    allowed: ["const a = [1] as const;", "const k = `${a}/${b}` as ObjectKey;"],
    refused: ["const a = b as Foo;", "const a = b as unknown as string;"],
  },
  {
    rule: "no-floating-promise",
    allowed: [
      "async function f() { await g().then(h); }",
      "function f() { g().then(h).catch(log); }",
      "const p = g().then(h);",
    ],
    refused: [
      "function f() { g().then(h); }",
      "function f() { void g().then(h); }",
      "function f() { g().catch(h).finally(i); }",
      "function f() { (async () => { await g(); })(); }",
    ],
  },
  {
    rule: "no-reexport",
    allowed: ["/** A. */ export const a = 1;", "const a = 1; export { a };"],
    refused: ["export * from './a.ts';", "export { a } from './a.ts';"],
  },
  {
    rule: "documented-export",
    allowed: [
      "/** A. */\nexport const a = 1;",
      "/** A. */\nexport function f(a: 1): void;\nexport function f(a: 2): void;",
      "/** A. */\n// deno-lint-ignore no-explicit-any -- why\nexport const a = 1;",
      "const a = 1;",
    ],
    refused: [
      "export const a = 1;",
      "// A.\nexport function f() {}",
      "/** A. */\nexport const a = 1;\nexport const b = 1;",
      "/** The file's header. */\n\nexport const a = 1;",
      "export class A {}",
      "export interface A { b: 1 }",
      "export type A = 1;",
    ],
  },
  {
    rule: "function-length",
    allowed: [`function f() {\n${"g();\n".repeat(68)}}`],
    refused: [
      `function f() {\n${"g();\n".repeat(69)}}`,
      `const f = () => {\n${"g();\n".repeat(69)}};`,
      `class A { m() {\n${"g();\n".repeat(69)}} }`,
    ],
  },
];

function findings(rule: string, source: string, file = "src/base/a.ts"): number {
  return Deno.lint.runPlugin(plugin, file, source)
    .filter(({ id }) => id === `weir/${rule}`).length;
}

for (const { rule, allowed, refused } of cases) {
  Deno.test(`weir/${rule} refuses what it is for and nothing else`, () => {
    for (const source of allowed) assertEquals(findings(rule, source), 0, source);
    for (const source of refused) assertEquals(findings(rule, source), 1, source);
  });
}

Deno.test("weir/* covers each rule of the plugin with a case", () => {
  assertEquals(Object.keys(plugin.rules).sort(), cases.map(({ rule }) => rule).sort());
});

Deno.test("weir/* leaves tests alone, and casts in decoders", () => {
  const cast = "const a = b as Foo;";
  assertEquals(findings("no-cast", cast, "/project/tests/unit/a_test.ts"), 0);
  assertEquals(findings("no-cast", cast, "/project/src/kube/decode.ts"), 0);
  assertEquals(findings("no-cast", cast, "/project/src/kube/encode.ts"), 1);
  const long = cases.at(-1)?.refused[0] ?? "";
  assertEquals(findings("function-length", long, "/project/scripts/a.ts"), 1);
});

Deno.test("weir/* says in each finding what to do instead", () => {
  const [finding] = Deno.lint.runPlugin(plugin, "src/a.ts", "class A { #t = setTimeout(f, 1); }");
  assertStringIncludes(finding?.hint ?? "", "run(signal)");
});
