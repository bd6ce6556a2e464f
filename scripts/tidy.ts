/**
 * House rules as a program: `deno task tidy`. Prints each finding with file and line, exits 1 when
 * there is one.
 *
 * It looks at the files that are in the project, not at what is ignored or generated.
 */

// deno-lint-ignore-file no-console -- A script talks to the terminal.

import { listSourceFiles, loadModuleGraph, readSources } from "./module_graph.ts";
import { checkSource, type Finding, findUnused } from "./tidy_code.ts";
import { checkDocument, checkWords } from "./tidy_text.ts";

/** Top-level names that hold nothing of ours, or only generated text. */
const ignored = new Set([".git", "node_modules", "dist", "coverage", "deno.lock"]);
const textFile =
  /\.(?:ts|md|json|ya?ml|html|css|txt|sh)$|^(?:\.ci\/run|\.editorconfig|tests\/e2e\/testbed\/testbed)$/;
/** Data made by programs from third parties' words. */
const generated = /^src\/(?:localkube\/schema|envoy\/descriptors\/envoy_descriptors\.json)/;

async function listFiles(folder: string, prefix = ""): Promise<string[]> {
  const files: string[] = [];
  for await (const entry of Deno.readDir(folder)) {
    const path = `${prefix}${entry.name}`;
    if (prefix === "" && ignored.has(entry.name)) continue;
    if (entry.isDirectory) {
      files.push(path, ...await listFiles(`${folder}/${entry.name}`, `${path}/`));
    } else files.push(path);
  }
  return files.sort();
}

async function readTasks(root: string): Promise<Set<string>> {
  const config: unknown = JSON.parse(await Deno.readTextFile(`${root}/deno.json`));
  const tasks = typeof config === "object" && config !== null && "tasks" in config
    ? config.tasks
    : undefined;
  return new Set(Object.keys(tasks ?? {}));
}

async function findAll(root: string): Promise<{ files: number; findings: Finding[] }> {
  const paths = await listFiles(root);
  const known = new Set(paths);
  const texts = await readSources(
    root,
    paths.filter((path) => textFile.test(path) && !generated.test(path)),
  );
  const context = {
    exists: (path: string) => known.has(path),
    textOf: (path: string) => texts.get(path),
    tasks: await readTasks(root),
  };
  const findings: Finding[] = [];
  for (const [path, text] of texts) {
    findings.push(...checkWords(path, text));
    if (path.endsWith(".md")) findings.push(...checkDocument(path, text, context));
  }
  const sources = await readSources(root, await listSourceFiles(root));
  for (const [path, text] of sources) findings.push(...checkSource(path, text));
  findings.push(...findUnused(await loadModuleGraph(root, sources)));
  return { files: texts.size, findings };
}

if (import.meta.main) {
  const { files, findings } = await findAll(Deno.cwd());
  findings.sort((a, b) => a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1);
  for (const { file, line, message } of findings) console.error(`${file}:${line}: ${message}`);
  console.log(`tidy: ${files} files, ${findings.length} findings`);
  if (findings.length > 0) Deno.exit(1);
}
