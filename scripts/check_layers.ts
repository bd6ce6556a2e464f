/**
 * Fails when an import goes against the directions in `layer_rules.ts`; run by `deno task layers`.
 *
 * Checked on the real import graph, type-only imports included: directions between layers, no
 * cycles, `Deno.*` and `node:*` only at the edges, one door for each third party, and no import of
 * tests or scripts from the product.
 */

// deno-lint-ignore-file no-console -- A script talks to the terminal.

import { type DoorRule, doorRules, type LayerRule, layerRules } from "./layer_rules.ts";
import {
  type ImportEdge,
  listSourceFiles,
  loadModuleGraph,
  type ModuleGraph,
  type ModuleNode,
  readSources,
} from "./module_graph.ts";

/** One broken rule at one place. */
export interface Violation {
  readonly file: string;
  readonly line: number;
  /** The import as written, or `Deno`. */
  readonly subject: string;
  readonly rule: string;
}

/** The tables that a graph is checked against. */
export interface Rules {
  readonly layers: Readonly<Record<string, LayerRule>>;
  readonly doors: readonly DoorRule[];
}

/** Every violation in `graph`, sorted by file and line. Pure. */
export function checkGraph(
  graph: ModuleGraph,
  rules: Rules = { layers: layerRules, doors: doorRules },
): Violation[] {
  const paths = new Set(graph.map((node) => node.path));
  const violations = graph.flatMap((node) => [
    ...checkMachine(node, rules),
    ...node.imports.flatMap((edge) => checkEdge(node, edge, paths, rules)),
  ]);
  violations.push(...findCycles(graph));
  return violations.sort((a, b) => a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1);
}

/** The layer of a project path: a folder of `src`, or the top-level folder or file. */
function layerOf(path: string): string {
  const [top = "", second = ""] = path.split("/");
  return top === "src" ? second : top;
}

function isProduct(path: string): boolean {
  return path === "main.ts" || path.startsWith("src/");
}

function checkEdge(
  node: ModuleNode,
  edge: ImportEdge,
  paths: ReadonlySet<string>,
  rules: Rules,
): Violation[] {
  const violation = (rule: string): Violation[] => [
    { file: node.path, line: edge.line, subject: edge.specifier, rule },
  ];
  if (edge.target.startsWith("npm:")) {
    const name = packageNameOf(edge.target);
    return isProduct(node.path) ? checkDoor(node.path, name, rules, violation) : [];
  }
  if (edge.target.startsWith("node:")) {
    return isProduct(node.path) && !mayTouchMachine(node.path, rules)
      ? violation(`"node:" modules stay out of "${layerOf(node.path)}"`)
      : [];
  }
  if (/^[a-z][a-z0-9+.-]*:/.test(edge.target)) {
    return violation("code comes from this project, npm or node only");
  }
  if (!paths.has(edge.target)) return violation(`"${edge.target}" does not exist`);
  return checkDirection(node.path, edge.target, rules, violation);
}

function checkDirection(
  from: string,
  to: string,
  rules: Rules,
  violation: (rule: string) => Violation[],
): Violation[] {
  const fromLayer = layerOf(from);
  const toLayer = layerOf(to);
  if (fromLayer === "tests") return [];
  if (fromLayer === "scripts") {
    return toLayer === "tests" ? violation("scripts never import tests") : [];
  }
  if (toLayer === "tests" || toLayer === "scripts") {
    return violation(`the product never imports ${toLayer}`);
  }
  const rule = rules.layers[fromLayer];
  if (!rule) return violation(`layer "${fromLayer}" is not in the table of layers`);
  if (fromLayer === toLayer || toLayer === "std" || rule.mayImport === "everything") return [];
  if (rule.mayImport.includes(toLayer)) return [];
  const allowed = rule.mayImport.length === 0
    ? "nothing of ours"
    : `only ${rule.mayImport.join(", ")}`;
  return violation(`"${fromLayer}" imports ${allowed}: ${rule.because}`);
}

function checkDoor(
  path: string,
  packageName: string,
  rules: Rules,
  violation: (rule: string) => Violation[],
): Violation[] {
  const door = rules.doors.find((candidate) => candidate.packages.includes(packageName));
  if (!door) return violation(`package "${packageName}" is not in the table of third parties`);
  if (door.doors.some((prefix) => path.startsWith(prefix))) return [];
  const where = door.doors.length === 0 ? "tests" : door.doors.join(", ");
  return violation(`package "${packageName}" is imported only in ${where}`);
}

function checkMachine(node: ModuleNode, rules: Rules): Violation[] {
  if (!isProduct(node.path) || mayTouchMachine(node.path, rules)) return [];
  return node.denoLines.map((line) => ({
    file: node.path,
    line,
    subject: "Deno",
    rule: `"Deno.*" stays out of "${layerOf(node.path)}": pass in what it needs`,
  }));
}

function mayTouchMachine(path: string, rules: Rules): boolean {
  const may = rules.layers[layerOf(path)]?.mayTouchMachine ?? false;
  return typeof may === "boolean" ? may : may.includes(path);
}

/** `npm:/hono@4.1.0/streaming` → `hono`, `npm:@a/b@1` → `@a/b`. */
function packageNameOf(target: string): string {
  return /^npm:\/?((?:@[^/]+\/)?[^/@]+)/.exec(target)?.[1] ?? target;
}

/** One violation for each group of files that import each other in a circle (Tarjan). */
function findCycles(graph: ModuleGraph): Violation[] {
  const nodes = new Map(graph.map((node) => [node.path, node]));
  const indexes = new Map<string, number>();
  const lows = new Map<string, number>();
  const stack: string[] = [];
  const onStack = new Set<string>();
  const violations: Violation[] = [];

  const visit = (path: string): number => {
    const index = indexes.size;
    let low = index;
    indexes.set(path, index);
    stack.push(path);
    onStack.add(path);
    for (const { target } of nodes.get(path)?.imports ?? []) {
      if (!nodes.has(target)) continue;
      if (!indexes.has(target)) low = Math.min(low, visit(target));
      else if (onStack.has(target)) low = Math.min(low, indexes.get(target) ?? low);
    }
    lows.set(path, low);
    if (low === index) {
      const group = new Set(stack.splice(stack.indexOf(path)));
      for (const member of group) onStack.delete(member);
      violations.push(...describeCycle(group, nodes));
    }
    return low;
  };
  for (const node of graph) if (!indexes.has(node.path)) visit(node.path);
  return violations;
}

function describeCycle(
  group: ReadonlySet<string>,
  nodes: ReadonlyMap<string, ModuleNode>,
): Violation[] {
  const [first] = [...group].sort();
  const start = first === undefined ? undefined : nodes.get(first);
  if (!start) return [];
  // The shortest way back to the first file, breadth first.
  const ways: ImportEdge[][] = start.imports.filter((edge) => group.has(edge.target)).map(
    (edge) => [edge],
  );
  const seen = new Set<string>();
  for (let way = ways.shift(); way; way = ways.shift()) {
    const last = way.at(-1)?.target ?? "";
    if (last === start.path) {
      return [{
        file: start.path,
        line: way[0]?.line ?? 1,
        subject: way[0]?.specifier ?? "",
        rule: `no cycles: ${[start.path, ...way.map((edge) => edge.target)].join(" -> ")}`,
      }];
    }
    if (seen.has(last)) continue;
    seen.add(last);
    for (const edge of nodes.get(last)?.imports ?? []) {
      if (group.has(edge.target)) ways.push([...way, edge]);
    }
  }
  return [];
}

if (import.meta.main) {
  const root = Deno.cwd();
  const sources = await readSources(root, await listSourceFiles(root));
  const graph = await loadModuleGraph(root, sources);
  const violations = checkGraph(graph);
  for (const { file, line, subject, rule } of violations) {
    console.error(`${file}:${line}: import "${subject}": ${rule}`);
  }
  console.log(`layers: ${graph.length} files, ${violations.length} violations`);
  if (violations.length > 0) Deno.exit(1);
}
