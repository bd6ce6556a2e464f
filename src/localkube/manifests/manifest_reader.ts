/**
 * Reads from disk what a look at the manifests needs, and no more.
 *
 * It only collects: what it returns is the state of each file at some time during the look. A file is
 * read when its version is another than the one that was read before, or when it is asked for.
 */

import {
  type FileScan,
  isManifestName,
  type Root,
  scanFiles,
  type ScanLimits,
} from "./file_scan.ts";
import { baseName, type FileResult, type FileSystem } from "./file_system.ts";

/** A look at one file. */
export interface FileRead {
  readonly path: string;
  /** How problems name it, and its place among the given paths; known for files that a scan found. */
  readonly place?: { readonly file: string; readonly rootIndex: number };
  /** Before it was read; undefined when that is not known. */
  readonly version: string | undefined;
  readonly result: FileResult<string>;
}

/** What was read, and what was found when folders were walked. */
export interface DiskLook {
  readonly reads: readonly FileRead[];
  readonly scan?: FileScan;
}

/** The versions of the files that were read before, by path. */
export type KnownVersions = ReadonlyMap<string, { readonly version: string | undefined }>;

/** The name of standard input among paths. It is read once, by who owns it. */
export const standardInput = "-";

/** Files that are read at the same time. */
const readsAtOnce = 32;
/** More changed paths than this are not looked at one by one. */
const changedPathsMax = 100;

/** See the file's header. */
export class ManifestReader {
  readonly #fileSystem: FileSystem;
  readonly #roots: readonly Root[];
  readonly #limits: ScanLimits;

  constructor(fileSystem: FileSystem, roots: readonly Root[], limits: ScanLimits) {
    this.#fileSystem = fileSystem;
    this.#roots = roots;
    this.#limits = limits;
  }

  /**
   * Looks at `changed` paths: known files are read, anything that may hold or have held others makes
   * it a look at everything.
   */
  async readChanged(changed: ReadonlySet<string>, known: KnownVersions): Promise<DiskLook> {
    const files = [...changed].filter((path) => known.has(path));
    const others = [...changed].filter((path) => !known.has(path));
    const needsScan = others.length > changedPathsMax ||
      (await inGroups(others, (path) => this.#concernsOthers(path, known))).includes(true);
    return needsScan ? this.readAll(new Set(files), known) : { reads: await this.#readEach(files) };
  }

  /** Walks all folders and reads files of new versions; those in `forced` whatever their version. */
  async readAll(forced: ReadonlySet<string>, known: KnownVersions): Promise<DiskLook> {
    const scan = await scanFiles(this.#fileSystem, this.#roots, this.#limits);
    const wanted = scan.files.filter(({ path, stat }) =>
      forced.has(path) || known.get(path)?.version !== stat.version
    );
    const reads = await inGroups(wanted, async ({ path, file, rootIndex, stat }) => ({
      path,
      place: { file, rootIndex },
      version: stat.version,
      result: await this.#read(path, stat.bytes),
    }));
    const found = new Set(scan.files.map(({ path }) => path));
    const lost = [...known.keys()].filter((path) =>
      path !== standardInput && !found.has(path) && !isBelow(path, scan.unknownPaths)
    );
    const gone = scan.isComplete ? lost : await this.#missingOf(lost);
    return { scan, reads: [...reads, ...gone.map(toGone)] };
  }

  /** Those of `paths` at which nothing is; what lies beyond a limit must not be taken for gone. */
  async #missingOf(paths: readonly string[]): Promise<readonly string[]> {
    const stats = await inGroups(paths, (path) => this.#fileSystem.stat(path));
    return paths.filter((_, index) => {
      const stat = stats[index];
      return stat?.ok === false && stat.failure === "missing";
    });
  }

  #readEach(paths: readonly string[]): Promise<readonly FileRead[]> {
    return inGroups(paths, async (path) => {
      const stat = await this.#fileSystem.stat(path);
      if (!stat.ok) return { path, version: undefined, result: stat };
      const result = await this.#read(path, stat.value.bytes);
      return { path, version: stat.value.version, result };
    });
  }

  #read(path: string, bytes: number): Promise<FileResult<string>> {
    const { fileBytesMax } = this.#limits;
    if (bytes <= fileBytesMax) return this.#fileSystem.readText(path, fileBytesMax);
    const detail = `it is larger than ${fileBytesMax} bytes`;
    return Promise.resolve({ ok: false, failure: "too large", detail });
  }

  /** Whether a change of an unknown path may add or remove manifests. */
  async #concernsOthers(path: string, known: KnownVersions): Promise<boolean> {
    const root = this.#roots.find((root) => isBelow(path, [root.path]));
    const below = path.slice(root?.path.length ?? path.lastIndexOf("/")).split("/");
    // Hidden folders, such as those of git, change a lot and mean nothing; but the volumes of
    // Kubernetes change by a link `..data` that is renamed.
    if (below.some((name) => /^\.[^.]/.test(name))) return false;
    const stat = await this.#fileSystem.stat(path);
    if (!stat.ok) return path === root?.path || [...known.keys()].some((at) => isBelow(at, [path]));
    return stat.value.type === "folder" || isManifestName(baseName(path));
  }
}

function toGone(path: string): FileRead {
  const detail = "it does not exist";
  return { path, version: undefined, result: { ok: false, failure: "missing", detail } };
}

function isBelow(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) =>
    path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`)
  );
}

async function inGroups<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += readsAtOnce) {
    results.push(...await Promise.all(items.slice(start, start + readsAtOnce).map(work)));
  }
  return results;
}
