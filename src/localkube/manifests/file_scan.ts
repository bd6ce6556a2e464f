/**
 * Finds the manifest files in the paths that were given.
 *
 * Folders are walked in the order of names, so that limits cut the same files every time. Hidden
 * names and the leavings of editors are skipped; links are followed, each real folder and file is
 * taken once, under the first path that leads to it. That is what the volumes of Kubernetes need:
 * their files are links through a hidden `..data`. What cannot be read is told apart from what is not
 * there, because objects from it must stay in service.
 */

import { compareStrings } from "../../kube/json_value.ts";
import type { Problem } from "../store_contract.ts";
import {
  baseName,
  type FileResult,
  type FileStat,
  type FileSystem,
  joinPath,
} from "./file_system.ts";

/** Bounds of the loader; beyond each is a problem that names it. */
export interface ScanLimits {
  /** Larger files are not read. */
  readonly fileBytesMax: number;
  /** Files beyond are not read, in the order of the walk. */
  readonly filesMax: number;
  /** Names in all folders together, of whatever is there; folders beyond are not read. */
  readonly namesMax: number;
  /** Folders inside folders; deeper ones are not entered. */
  readonly depthMax: number;
}

/** A path that was given, and how its files are named in problems. */
export interface Root {
  readonly path: string;
  /** Its place among the paths that were given. */
  readonly index: number;
  /** Whether files are named with the root in front, because there are several. */
  readonly isNamed: boolean;
}

/** A manifest file that is there. */
export interface FoundFile {
  readonly path: string;
  /** As problems name it. */
  readonly file: string;
  readonly rootIndex: number;
  readonly stat: FileStat;
}

/** What was found at one time. */
export interface FileScan {
  /** Sorted by root, then by name. */
  readonly files: readonly FoundFile[];
  readonly problems: readonly Problem[];
  /** Files at or below these may exist or not: nothing is known of them. */
  readonly unknownPaths: readonly string[];
  /** False when a limit ended the walk: files that were not found may exist. */
  readonly isComplete: boolean;
  /** The identity of each root that exists, by its path. */
  readonly identities: ReadonlyMap<string, string>;
}

/** Whether a file of this name is read: `.yaml`, `.yml` or `.json`, and nothing temporary. */
export function isManifestName(name: string): boolean {
  return /\.(ya?ml|json)$/i.test(name) && !isSkippedName(name);
}

/** Hidden names, and what editors leave while they save (`4913` is vim's probe). */
function isSkippedName(name: string): boolean {
  return name.startsWith(".") || name.endsWith("~") || name.startsWith("#") || name === "4913" ||
    /\.(swp|swx|swo|tmp|bak|orig)$/i.test(name);
}

/** Looks at all of `roots` once. */
export async function scanFiles(
  fileSystem: FileSystem,
  roots: readonly Root[],
  limits: ScanLimits,
): Promise<FileScan> {
  const walk = new Walk(fileSystem, limits);
  for (const root of roots) await walk.enterRoot(root);
  return walk.finish();
}

interface Folder {
  readonly path: string;
  readonly real: string;
  readonly depth: number;
}

class Walk {
  readonly #fileSystem: FileSystem;
  readonly #limits: ScanLimits;
  readonly #candidates: Omit<FoundFile, "stat">[] = [];
  readonly #problems: Problem[] = [];
  readonly #unknownPaths: string[] = [];
  readonly #identities = new Map<string, string>();
  readonly #seen = new Set<string>();
  #nameCount = 0;
  #isFull = false;

  constructor(fileSystem: FileSystem, limits: ScanLimits) {
    this.#fileSystem = fileSystem;
    this.#limits = limits;
  }

  async enterRoot(root: Root): Promise<void> {
    const stat = await this.#fileSystem.stat(root.path);
    if (!stat.ok) {
      // A path that somebody named and that is gone is taken for an accident, not for a deletion.
      this.#tell(root.path, `Read the path: ${stat.detail}`);
      this.#unknownPaths.push(root.path);
      return;
    }
    this.#identities.set(root.path, stat.value.identity);
    const real = await this.#fileSystem.realPath(root.path);
    const realPath = real.ok ? real.value : root.path;
    if (stat.value.type === "folder") {
      await this.#enterFolder(root, { path: root.path, real: realPath, depth: 0 });
    } else this.#addFile(root, root.path, realPath);
  }

  async finish(): Promise<FileScan> {
    const files: FoundFile[] = [];
    for (let start = 0; start < this.#candidates.length; start += statsAtOnce) {
      const some = this.#candidates.slice(start, start + statsAtOnce);
      files.push(...(await Promise.all(some.map((file) => this.#examine(file)))).flat());
    }
    files.sort((a, b) => a.rootIndex - b.rootIndex || compareStrings(a.file, b.file));
    return {
      files,
      problems: this.#problems,
      unknownPaths: this.#unknownPaths,
      isComplete: !this.#isFull,
      identities: this.#identities,
    };
  }

  async #enterFolder(root: Root, folder: Folder): Promise<void> {
    if (this.#isFull || this.#isSeen(folder.real)) return;
    if (folder.depth > this.#limits.depthMax) {
      const limit = `folders are read ${this.#limits.depthMax} levels deep`;
      return this.#tell(nameOf(root, folder.path), `Read the folder: it is too deep, ${limit}`);
    }
    const entries = await this.#fileSystem.readFolder(folder.path);
    if (!entries.ok) {
      this.#unknownPaths.push(folder.path);
      // A folder that went away since its parent was read is no fault; the next look tells.
      if (entries.failure !== "missing") {
        this.#tell(nameOf(root, folder.path), `Read the folder: ${entries.detail}`);
      } else this.#tellLostName(nameOf(root, folder.path));
      return;
    }
    this.#nameCount += entries.value.length;
    if (this.#nameCount > this.#limits.namesMax) {
      this.#isFull = true;
      const limit = `${this.#limits.namesMax} names are looked at`;
      return this.#tell(
        nameOf(root, folder.path),
        `Read the folder: no more than ${limit}, the rest is not`,
      );
    }
    const sorted = [...entries.value].sort((a, b) => compareStrings(a.name, b.name));
    for (const { name, type } of sorted) {
      if (isSkippedName(name)) continue;
      const path = joinPath(folder.path, name);
      const below = { path, real: joinPath(folder.real, name), depth: folder.depth + 1 };
      if (type === "link") await this.#follow(root, below);
      else if (type === "folder") await this.#enterFolder(root, below);
      else if (isManifestName(name)) this.#addFile(root, path, below.real);
    }
  }

  async #follow(root: Root, link: Folder): Promise<void> {
    const stat = await this.#fileSystem.stat(link.path);
    const real = await this.#fileSystem.realPath(link.path);
    if (!stat.ok || !real.ok) {
      if (!isManifestName(baseName(link.path))) return;
      this.#tell(nameOf(root, link.path), `Follow the link: ${whyNotFollowed(stat)}`);
      if (!stat.ok && stat.failure !== "missing") this.#unknownPaths.push(link.path);
      return;
    }
    if (stat.value.type === "folder") {
      await this.#enterFolder(root, { ...link, real: real.value });
    } else if (isManifestName(baseName(link.path))) this.#addFile(root, link.path, real.value);
  }

  #addFile(root: Root, path: string, real: string): void {
    if (this.#isSeen(real) || this.#isFull) return;
    if (this.#candidates.length >= this.#limits.filesMax) {
      this.#isFull = true;
      const limit = `${this.#limits.filesMax} files are read`;
      return this.#tell(
        nameOf(root, path),
        `Read the file: no more than ${limit}, the rest is not`,
      );
    }
    this.#candidates.push({ path, file: nameOf(root, path), rootIndex: root.index });
  }

  async #examine(found: Omit<FoundFile, "stat">): Promise<readonly FoundFile[]> {
    const stat = await this.#fileSystem.stat(found.path);
    if (stat.ok) {
      if (stat.value.type === "file") return [{ ...found, stat: stat.value }];
      // Reading a pipe waits for a writer, perhaps for ever.
      if (stat.value.type === "other") {
        this.#tell(found.file, "Read the file: it is a pipe, a socket or a device, wanted a file");
      }
      return [];
    }
    if (stat.failure !== "missing") {
      this.#tell(found.file, `Read the file: ${stat.detail}`);
      this.#unknownPaths.push(found.path);
    } else this.#tellLostName(found.file);
    return [];
  }

  /** Names that are not UTF-8 are listed with a replacement, under which nothing can be found. */
  #tellLostName(name: string): void {
    if (name.includes("\ufffd")) this.#tell(name, "Read the name: it is not UTF-8 text");
  }

  #isSeen(real: string): boolean {
    return this.#seen.size === this.#seen.add(real).size;
  }

  #tell(source: string, message: string): void {
    this.#problems.push({ source, object: "", field: "", message });
  }
}

function whyNotFollowed(stat: FileResult<FileStat>): string {
  if (stat.ok) return "its target changed meanwhile";
  if (stat.failure === "missing") return "its target does not exist";
  return stat.failure === "denied" ? "the process may not read its target" : stat.detail;
}

/** Questions to the file system that run at the same time. */
const statsAtOnce = 32;

function nameOf(root: Root, path: string): string {
  if (root.isNamed || path === root.path) return path;
  return path.slice(root.path.length).replace(/^\/+/, "");
}
