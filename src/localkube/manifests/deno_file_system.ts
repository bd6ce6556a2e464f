/**
 * The machine's file system, for the loader of manifests.
 *
 * All watchers of a process share one subscription in Deno, which names a folder by the path under
 * which it was added last. So a folder is watched under its real path, and events are named back; an
 * event that cannot be named is told as one of the watched path itself.
 *
 * That subscription opens every new file, and of a named pipe it waits for a writer, for ever. Then
 * no event comes any more, and to close or open a watcher would block the process with it. So a pipe
 * that appears in a watched folder leaves the watchers as they are, and no further one is opened.
 */

import {
  type FileFailure,
  type FileResult,
  type FileStat,
  type FileSystem,
  type FolderEntry,
  joinPath,
  type WatchListener,
} from "./file_system.ts";

/** See the file's header and {@linkcode FileSystem}. */
export class DenoFileSystem implements FileSystem {
  readonly #pipes = new Set<string>();
  #hasWatched = false;
  #isStuck = false;

  stat(path: string): Promise<FileResult<FileStat>> {
    return attempt(async () => toStat(await Deno.stat(path)));
  }

  readFolder(path: string): Promise<FileResult<readonly FolderEntry[]>> {
    return attempt(async () => {
      const entries: FolderEntry[] = [];
      for await (const entry of Deno.readDir(path)) {
        const type = entryType(entry);
        if (type === "other") await this.#notePipe(joinPath(path, entry.name));
        entries.push({ name: entry.name, type });
      }
      return entries;
    });
  }

  async readText(path: string, bytesMax: number): Promise<FileResult<string>> {
    const info = await attempt(() => Deno.stat(path));
    if (!info.ok) return info;
    // Opening a named pipe blocks until somebody writes to it, and nothing can interrupt that.
    if (!info.value.isFile) return { ok: false, failure: "missing", detail: "it is not a file" };
    const bytes = await attempt(() => readBytes(path, info.value.size, bytesMax));
    if (!bytes.ok) return bytes;
    if (bytes.value === undefined) {
      return { ok: false, failure: "too large", detail: `it is larger than ${bytesMax} bytes` };
    }
    try {
      return { ok: true, value: new TextDecoder("utf-8", { fatal: true }).decode(bytes.value) };
    } catch {
      // The only reason for which decoding throws.
      return { ok: false, failure: "not text", detail: "it is not UTF-8 text" };
    }
  }

  realPath(path: string): Promise<FileResult<string>> {
    return attempt(() => Deno.realPath(path));
  }

  async watch(path: string, listener: WatchListener, signal: AbortSignal): Promise<void> {
    const isFolder = (await Deno.stat(path)).isDirectory;
    const watched = isFolder ? path : parentOf(path);
    const real = await Deno.realPath(watched);
    if (signal.aborted) return;
    if (this.#isStuck) throw new Error("a named pipe appeared in a watched folder");
    this.#hasWatched = true;
    const watcher = Deno.watchFs(real, { recursive: isFolder });
    const left = Promise.withResolvers<void>();
    const leave = (): void => this.#isStuck ? left.resolve() : watcher.close();
    signal.addEventListener("abort", leave, { once: true });
    try {
      listener.onOpen();
      await Promise.race([follow(watcher, { path, real, watched }, listener), left.promise]);
    } finally {
      signal.removeEventListener("abort", leave);
      if (!signal.aborted) leave();
    }
  }

  /** Remembers a pipe; one that appears after watching began stops the watchers. */
  async #notePipe(path: string): Promise<void> {
    if (this.#pipes.has(path)) return;
    const info = await attempt(() => Deno.lstat(path));
    if (!info.ok || !info.value.isFifo) return;
    this.#pipes.add(path);
    this.#isStuck ||= this.#hasWatched;
  }
}

/** Tells `listener` of the events until `watcher` is closed. */
async function follow(
  watcher: Deno.FsWatcher,
  { path, real, watched }: Readonly<Record<"path" | "real" | "watched", string>>,
  listener: WatchListener,
): Promise<void> {
  for await (const event of watcher) {
    // Reading is an access: told, it would make every look at a file the cause of the next.
    if (event.kind === "access") continue;
    const isLost = event.flag === "rescan" || event.paths.length === 0;
    listener.onChange(isLost ? [path] : event.paths.map((at) => rename(at, real, watched)));
  }
}

/** `at` with `watched` in place of `real`; `watched` itself when it is not below `real`. */
function rename(at: string, real: string, watched: string): string {
  if (at === real || !at.startsWith(real.endsWith("/") ? real : `${real}/`)) return watched;
  const below = at.slice(real.endsWith("/") ? real.length : real.length + 1);
  return watched.endsWith("/") ? `${watched}${below}` : `${watched}/${below}`;
}

function parentOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "." : slash === 0 ? "/" : path.slice(0, slash);
}

/** The content, probably `size` bytes; undefined when there is more than `bytesMax`. */
async function readBytes(
  path: string,
  size: number,
  bytesMax: number,
): Promise<Uint8Array | undefined> {
  using file = await Deno.open(path, { read: true });
  let buffer = new Uint8Array(Math.min(size, bytesMax) + 1);
  let length = 0;
  for (;;) {
    const count = await file.read(buffer.subarray(length));
    if (count === null) return buffer.subarray(0, length);
    length += count;
    if (length > bytesMax) return undefined;
    if (length < buffer.length) continue;
    const larger = new Uint8Array(Math.min(buffer.length * 2, bytesMax + 1));
    larger.set(buffer);
    buffer = larger;
  }
}

function toStat(info: Deno.FileInfo): FileStat {
  const identity = `${info.dev}:${info.ino}`;
  const changed = `${info.mtime?.getTime()}:${info.ctime?.getTime()}:${info.size}`;
  return {
    type: info.isFile ? "file" : info.isDirectory ? "folder" : "other",
    bytes: info.size,
    identity,
    version: `${identity}:${changed}`,
  };
}

function entryType(entry: Deno.DirEntry): FolderEntry["type"] {
  if (entry.isSymlink) return "link";
  return entry.isFile ? "file" : entry.isDirectory ? "folder" : "other";
}

async function attempt<Value>(work: () => Promise<Value>): Promise<FileResult<Value>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    return { ok: false, ...explain(error) };
  }
}

function explain(error: unknown): { failure: FileFailure; detail: string } {
  if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
    return { failure: "missing", detail: "it does not exist" };
  }
  const isDenied = error instanceof Deno.errors.PermissionDenied ||
    error instanceof Deno.errors.NotCapable;
  if (isDenied) return { failure: "denied", detail: "the process may not read it" };
  const isLoop = error instanceof Deno.errors.FilesystemLoop;
  if (isLoop) return { failure: "failed", detail: "its links lead round in a circle" };
  return { failure: "failed", detail: error instanceof Error ? error.message : String(error) };
}
