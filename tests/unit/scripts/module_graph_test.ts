/** Without these the layer check could look at an incomplete graph and pass. */

import { assertEquals, assertThrows } from "@std/assert";
import { type Info, parseInfo } from "../../../scripts/module_graph.ts";

const root = "file:///project/";

function at(specifier: string, line: number): { specifier: string; span: Span } {
  return { specifier, span: { start: { line } } };
}
interface Span {
  readonly start: { readonly line: number };
}

Deno.test("parseInfo() keeps value and type-only imports, with lines and project paths", () => {
  const info: Info = {
    modules: [
      {
        specifier: `${root}src/b.ts`,
        dependencies: [
          { specifier: "./a.ts", code: at(`${root}src/a.ts`, 6) },
          { specifier: "./t.ts", type: at(`${root}src/t.ts`, 8) },
          { specifier: "yaml", code: at("npm:yaml@2.9.1", 9) },
        ],
      },
      { specifier: `${root}src/a.ts` },
      { specifier: "file:///elsewhere/entry.ts" },
      { specifier: `${root}src/gone.ts`, error: 'Module not found "file:///project/src/gone.ts".' },
    ],
  };
  assertEquals(parseInfo(info, root, new Map([["src/a.ts", "const x = 1;\nDeno.exit(x);\n"]])), [
    { path: "src/a.ts", imports: [], denoLines: [2] },
    {
      path: "src/b.ts",
      imports: [
        { specifier: "./a.ts", target: "src/a.ts", line: 7, isTypeOnly: false },
        { specifier: "./t.ts", target: "src/t.ts", line: 9, isTypeOnly: true },
        { specifier: "yaml", target: "npm:yaml@2.9.1", line: 10, isTypeOnly: false },
      ],
      denoLines: [],
    },
  ]);
});

Deno.test("parseInfo() finds Deno in code only, not in comments, strings or property names", () => {
  const source = [
    "// Deno.exit",
    'const a = "Deno.exit";',
    "const b = { Deno: 1 }; x.Deno;",
    "const c = globalThis.Deno.pid;",
    "const d = `pid ${Deno.pid}`;",
  ].join("\n");
  const graph = parseInfo(
    { modules: [{ specifier: `${root}a.ts` }] },
    root,
    new Map([["a.ts", source]]),
  );
  assertEquals(graph[0]?.denoLines, [4, 5]);
});

Deno.test("parseInfo() throws on what it cannot read or resolve", () => {
  assertThrows(
    () =>
      parseInfo(
        { modules: [{ specifier: `${root}a.ts`, error: "Unexpected `;`" }] },
        root,
        new Map(),
      ),
    Error,
    'Cannot read module "a.ts"',
  );
  const unresolved: Info = {
    modules: [{ specifier: `${root}a.ts`, dependencies: [{ specifier: "nowhere" }] }],
  };
  assertThrows(() => parseInfo(unresolved, root, new Map()), Error, '"nowhere" of "a.ts"');
});
