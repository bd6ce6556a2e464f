/**
 * The project's real import graph, type-only imports included, as `deno info` sees it.
 *
 * Paths are relative to the project's folder and use slashes. Modules outside of it (npm, node:)
 * appear only as targets.
 */

import { maskSource } from "./mask_source.ts";

/** One import statement or import expression. */
export interface ImportEdge {
  /** As written in the source. */
  readonly specifier: string;
  /** A project path, or a `npm:`, `node:` or other URL. */
  readonly target: string;
  /** 1-based. */
  readonly line: number;
  readonly isTypeOnly: boolean;
}

/** One file of the project. */
export interface ModuleNode {
  readonly path: string;
  readonly imports: readonly ImportEdge[];
  /** Lines where the code names the `Deno` namespace. */
  readonly denoLines: readonly number[];
}

/** All files of the project that take part in imports, sorted by path. */
export type ModuleGraph = readonly ModuleNode[];

interface InfoResolution {
  readonly specifier?: string;
  readonly span: { readonly start: { readonly line: number } };
  readonly error?: string;
}

interface InfoDependency {
  readonly specifier: string;
  readonly code?: InfoResolution;
  readonly type?: InfoResolution;
}

interface InfoModule {
  readonly specifier: string;
  readonly error?: string;
  readonly dependencies?: readonly InfoDependency[];
}

/** What `deno info --json` prints, as far as it is used here. */
export interface Info {
  readonly modules: readonly InfoModule[];
}

/**
 * Turns what `deno info --json` printed into the graph.
 *
 * @param rootUrl the project's folder as a `file:` URL that ends in a slash
 * @param sources the text of each project file, by path
 * @throws Error when a file cannot be resolved or parsed
 */
export function parseInfo(
  info: Info,
  rootUrl: string,
  sources: ReadonlyMap<string, string>,
): ModuleGraph {
  const nodes: ModuleNode[] = [];
  for (const module of info.modules) {
    if (!module.specifier.startsWith(rootUrl)) continue;
    const path = module.specifier.slice(rootUrl.length);
    // The file that imports it is told; see the check of directions.
    if (module.error?.startsWith("Module not found")) continue;
    if (module.error) throw new Error(`Cannot read module "${path}": ${module.error}`);
    nodes.push({
      path,
      imports: (module.dependencies ?? []).map((dependency) => toEdge(dependency, path, rootUrl)),
      denoLines: findDenoLines(sources.get(path) ?? ""),
    });
  }
  return nodes.sort((a, b) => a.path < b.path ? -1 : 1);
}

function toEdge(dependency: InfoDependency, path: string, rootUrl: string): ImportEdge {
  const resolution = dependency.code ?? dependency.type;
  if (resolution?.specifier === undefined) {
    throw new Error(
      `Cannot resolve import "${dependency.specifier}" of "${path}": ${resolution?.error ?? ""}`,
    );
  }
  const target = resolution.specifier;
  return {
    specifier: dependency.specifier,
    target: target.startsWith(rootUrl) ? target.slice(rootUrl.length) : target,
    line: resolution.span.start.line + 1,
    isTypeOnly: dependency.code === undefined,
  };
}

function findDenoLines(source: string): number[] {
  return maskSource(source).split("\n").flatMap((text, index) =>
    /(?<![\w$.])(?:globalThis\s*\.\s*)?Deno\b(?!\s*:)/.test(text) ? [index + 1] : []
  );
}

/** Every TypeScript file below the folders that hold code, and `main.ts`; sorted paths. */
export async function listSourceFiles(root: string): Promise<string[]> {
  const files: string[] = [];
  const visit = async (folder: string): Promise<void> => {
    for await (const entry of Deno.readDir(`${root}/${folder}`)) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory) await visit(path);
      else if (entry.name.endsWith(".ts")) files.push(path);
    }
  };
  for (const folder of ["src", "tests", "scripts"]) {
    await visit(folder);
  }
  if (await isFile(`${root}/main.ts`)) files.push("main.ts");
  return files.sort();
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** Reads the text of `paths`, by path. */
export async function readSources(
  root: string,
  paths: readonly string[],
): Promise<Map<string, string>> {
  const texts = await Promise.all(paths.map((path) => Deno.readTextFile(`${root}/${path}`)));
  return new Map(paths.map((path, index) => [path, texts[index] ?? ""]));
}

/**
 * Asks `deno info` about every file at once, through an entry that imports them all.
 *
 * @param root absolute path of the project's folder, without a final slash
 */
export async function loadModuleGraph(
  root: string,
  sources: ReadonlyMap<string, string>,
): Promise<ModuleGraph> {
  const folder = await Deno.makeTempDir({ prefix: "weir-layers-" });
  try {
    const entry = `${folder}/entry.ts`;
    const rootUrl = `file://${root}/`;
    const lines = [...sources.keys()].map((path) => `import "${rootUrl}${path}";`);
    await Deno.writeTextFile(entry, lines.join("\n"));
    const output = await new Deno.Command(Deno.execPath(), {
      args: ["info", "--json", "--frozen", "--config", `${root}/deno.json`, entry],
      cwd: root,
      stdout: "piped",
      stderr: "piped",
    }).output();
    if (!output.success) {
      throw new Error(
        `Cannot read the import graph: ${new TextDecoder().decode(output.stderr).trim()}`,
      );
    }
    // The shape is that of the Deno version that the project is pinned to.
    const info = JSON.parse(new TextDecoder().decode(output.stdout)) as Info;
    return parseInfo(info, rootUrl, sources);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
