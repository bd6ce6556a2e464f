/**
 * House rules about source files that need no syntax tree. Pure; run by `tidy.ts`.
 *
 * What needs one (length of functions, casts, work in constructors) is in `lint_plugin.ts`; what
 * needs the import graph is in `check_layers.ts`.
 */

import { lineAt, maskSource } from "./mask_source.ts";
import type { ModuleGraph } from "./module_graph.ts";

/** One broken rule at one place. */
export interface Finding {
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  readonly message: string;
}

/** Longest file of the product and of scripts, in lines. */
export const fileLinesMax = 300;
/** Longest test file: cases are tables, large expectations are golden files. */
const testFileLinesMax = 450;
/** Longest header comment, in lines. */
const headerLinesMax = 18;

interface BannedCall {
  readonly pattern: RegExp;
  readonly name: string;
  readonly instead: string;
  /** A file that may, and why. */
  readonly exception?: { readonly file: string; readonly because: string };
}

/** What makes code depend on the machine's time and luck, and what to use instead. */
const bannedCalls: readonly BannedCall[] = [
  { name: "Date.now()", pattern: /\bDate\.now\b/g, instead: "clock.now()" },
  { name: "new Date()", pattern: /\bnew Date\(\s*\)/g, instead: "clock.now()" },
  { name: "performance.now()", pattern: /\bperformance\.now\b/g, instead: "clock.monotonicMs()" },
  {
    name: "setTimeout()",
    pattern: /(?<![\w$.#])setTimeout\b/g,
    instead: "clock.after() or clock.sleep()",
  },
  {
    name: "setInterval()",
    pattern: /(?<![\w$.#])setInterval\b/g,
    instead: "a loop over clock.sleep()",
  },
  { name: "setImmediate()", pattern: /(?<![\w$.#])setImmediate\b/g, instead: "clock.after(0)" },
  { name: "AbortSignal.timeout()", pattern: /\bAbortSignal\.timeout\b/g, instead: "clock.after()" },
  {
    name: "Math.random()",
    pattern: /\bMath\.random\b/g,
    instead: "a random source as a parameter",
  },
  {
    name: "crypto.randomUUID()",
    pattern: /\brandomUUID\b/g,
    instead: "an id source as a parameter",
  },
  {
    name: "crypto.getRandomValues()",
    pattern: /\bgetRandomValues\b/g,
    instead: "a random source as a parameter",
    exception: {
      file: "src/localkube/development_ca.ts",
      because: "a serial number must be as hard to guess as the key beside it, in tests too",
    },
  },
];

/** Where the machine's time and luck enter the product. */
const timeDoors = ["src/base/clock.ts", "src/std/", "src/app/"];
/** Tests that must not wait; the last of them test what replaces or wraps the global timers. */
const sleeplessTests = ["tests/unit/", "tests/contract/", "tests/golden/", "tests/simulation/"];
const timerTests = ["tests/unit/std/", "tests/unit/scripts/", "tests/unit/base/clock_test.ts"];

/** Tests that ask an API, and the one way for them to do so. */
const clientTests = ["tests/unit/", "tests/contract/", "tests/integration/", "tests/fakes/"];
const clientFile = "tests/fakes/api_client.ts";
/** The local Kubernetes API is another one, with a document of its own. */
const otherApiTest = /\/kube_\w+\.ts$/;

const bannedFileNames = /^(?:index|mod|utils?|types|helpers?|common|misc)\.ts$/;

/** Every finding in one TypeScript file. */
export function checkSource(file: string, source: string): Finding[] {
  return [
    ...checkName(file),
    ...checkLength(file, source),
    ...checkHeader(file, source),
    ...checkCalls(file, source),
    ...checkClients(file, source),
    ...checkMarkers(file, source),
  ];
}

function startsWithAny(file: string, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => file.startsWith(prefix));
}

function checkName(file: string): Finding[] {
  const name = file.split("/").at(-1) ?? "";
  if (bannedFileNames.test(name)) {
    return [{ file, line: 1, message: `name "${name}" says nothing, use the main export's name` }];
  }
  if (!/^[a-z0-9_.]+$/.test(name)) {
    return [{ file, line: 1, message: `name "${name}" is not in snake_case` }];
  }
  return [];
}

function checkLength(file: string, source: string): Finding[] {
  const lines = source.trimEnd().split("\n").length;
  const max = file.startsWith("tests/") ? testFileLinesMax : fileLinesMax;
  if (lines <= max) return [];
  return [{ file, line: max + 1, message: `file has ${lines} lines, at most ${max} are wanted` }];
}

function checkHeader(file: string, source: string): Finding[] {
  if (file.endsWith("_test.ts") || file.endsWith("_bench.ts")) return [];
  const header = /^\/\*\*[\s\S]*?\*\/\n/.exec(source)?.[0];
  if (header === undefined) {
    return [{ file, line: 1, message: "no header comment: say what the file is responsible for" }];
  }
  // A doc comment right above a declaration belongs to that declaration.
  if (!source.slice(header.length).startsWith("\n")) {
    return [{ file, line: 1, message: "no empty line after the header comment" }];
  }
  const lines = header.trimEnd().split("\n").length - 2;
  if (lines <= headerLinesMax) return [];
  return [{
    file,
    line: 1,
    message: `header has ${lines} lines, at most ${headerLinesMax} are wanted`,
  }];
}

function checkCalls(file: string, source: string): Finding[] {
  const isProduct = file === "main.ts" || file.startsWith("src/");
  const isWatched = isProduct
    ? !startsWithAny(file, timeDoors)
    : startsWithAny(file, sleeplessTests) && !startsWithAny(file, timerTests);
  if (!isWatched) return [];
  const code = maskSource(source);
  return bannedCalls.filter(({ exception }) => exception?.file !== file).flatMap((
    { name, pattern, instead },
  ) =>
    [...code.matchAll(pattern)].map((match) => ({
      file,
      line: lineAt(code, match.index),
      message: `${name} is banned here, use ${instead}`,
    }))
  );
}

function checkClients(file: string, source: string): Finding[] {
  if (file === clientFile || otherApiTest.test(file)) return [];
  if (!startsWithAny(file, clientTests)) return [];
  const code = maskSource(source);
  return [...code.matchAll(/(?<![\w$.#])fetch\(/g)].map((match) => ({
    file,
    line: lineAt(code, match.index),
    message: "fetch() is banned here, use ApiClient, which holds answers to /openapi.json",
  }));
}

function checkMarkers(file: string, source: string): Finding[] {
  // Written apart, so that this file does not find itself.
  const markers = new RegExp(`\\b(?:${["FIX" + "ME", "XX" + "X", "HA" + "CK"].join("|")})\\b`, "g");
  const todo = new RegExp(`\\b${"TO" + "DO"}\\b(?!\\(#\\d+\\))`, "g");
  return [
    ...[...source.matchAll(markers)].map((match) => ({
      file,
      line: lineAt(source, match.index),
      message: `leftover "${match[0]}"`,
    })),
    ...[...source.matchAll(todo)].map((match) => ({
      file,
      line: lineAt(source, match.index),
      message: `a to-do names who tracks it: "${match[0]}(#123)"`,
    })),
  ];
}

/**
 * Files of the product that nothing uses: neither `main.ts`, nor a script, nor a test reaches them.
 * A file that only tests reach is fine while what it belongs to is being built.
 */
export function findUnused(graph: ModuleGraph): Finding[] {
  const imports = new Map(graph.map((node) => [node.path, node.imports]));
  const reached = new Set<string>();
  const queue = graph.map(({ path }) => path).filter((path) => !path.startsWith("src/"));
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    for (const { target } of imports.get(path) ?? []) if (imports.has(target)) queue.push(target);
  }
  return graph.filter(({ path }) => !reached.has(path)).map(({ path }) => ({
    file: path,
    line: 1,
    message: "nothing imports this file: neither main.ts, nor a script, nor a test",
  }));
}
