/**
 * A file system in memory for the loader of manifests: files, folders, links, failures and watchers.
 *
 * Every change gets a new version and is told to the watchers, unless `tellsWatchers` is off, as on
 * file systems that have none. `reads` counts what a test may want to be small.
 */

import type {
  FileFailure,
  FileResult,
  FileStat,
  FileSystem,
  FolderEntry,
  WatchListener,
} from "../../src/localkube/manifests/file_system.ts";

type Node =
  | { readonly type: "file"; readonly id: number; readonly text: string; readonly version: number }
  | { readonly type: "folder"; readonly id: number }
  | { readonly type: "link"; readonly target: string };

const linksMax = 10;

/** See the file's header. */
export class FakeFileSystem implements FileSystem {
  readonly reads: string[] = [];
  tellsWatchers = true;
  /** Watching fails with it while it is set. */
  watchError: Error | undefined;
  readonly #nodes = new Map<string, Node>();
  readonly #failures = new Map<string, FileFailure>();
  /** What each listener watches. Like the kernel's, a watch is on a folder, not on its path. */
  readonly #watchers = new Map<WatchListener, { readonly path: string; readonly id: number }>();
  #count = 0;

  get watcherCount(): number {
    return this.#watchers.size;
  }

  write(path: string, text: string): void {
    const before = this.#nodes.get(path);
    const id = before?.type === "file" ? before.id : ++this.#count;
    this.#nodes.set(path, { type: "file", id, text, version: ++this.#count });
    this.#tell([path]);
  }

  /** Changes a file within the granularity of its times: only a watcher can tell. */
  writeSameVersion(path: string, text: string): void {
    const before = this.#nodes.get(path);
    if (before?.type !== "file") throw new Error(`${path} is not a file`);
    this.#nodes.set(path, { ...before, text });
    this.#tell([path]);
  }

  folder(path: string): void {
    this.#nodes.set(path, { type: "folder", id: ++this.#count });
    this.#tell([path]);
  }

  link(path: string, target: string): void {
    this.#nodes.set(path, { type: "link", target });
    this.#tell([path]);
  }

  /** Removes a path and all below it; one event, as when a folder is moved away. */
  remove(path: string): void {
    for (const at of [...this.#nodes.keys()]) {
      if (at === path || at.startsWith(`${path}/`)) this.#nodes.delete(at);
    }
    this.#tell([path]);
  }

  rename(from: string, to: string): void {
    for (const [at, node] of [...this.#nodes]) {
      if (at !== from && !at.startsWith(`${from}/`)) continue;
      this.#nodes.delete(at);
      this.#nodes.set(`${to}${at.slice(from.length)}`, node);
    }
    this.#tell([from, to]);
  }

  /** Makes everything that asks for `path` fail; undefined makes it work again. */
  fail(path: string, failure: FileFailure | undefined): void {
    if (failure === undefined) this.#failures.delete(path);
    else this.#failures.set(path, failure);
  }

  stat(path: string): Promise<FileResult<FileStat>> {
    const node = this.#resolve(path);
    if (!node.ok) return Promise.resolve(node);
    const found = node.value.node;
    if (found.type === "link") throw new Error("links are resolved");
    const version = found.type === "file" ? `${found.id}:${found.version}` : `${found.id}`;
    const bytes = found.type === "file" ? found.text.length : 0;
    const value = { type: found.type, bytes, identity: `${found.id}`, version };
    return Promise.resolve({ ok: true, value });
  }

  readFolder(path: string): Promise<FileResult<readonly FolderEntry[]>> {
    const node = this.#resolve(path);
    if (!node.ok) return Promise.resolve(node);
    const prefix = `${node.value.path}/`;
    const value: FolderEntry[] = [];
    for (const [at, { type }] of this.#nodes) {
      const name = at.slice(prefix.length);
      if (at.startsWith(prefix) && !name.includes("/")) value.unshift({ name, type });
    }
    return Promise.resolve({ ok: true, value });
  }

  readText(path: string, bytesMax: number): Promise<FileResult<string>> {
    const node = this.#resolve(path);
    if (!node.ok) return Promise.resolve(node);
    if (node.value.node.type !== "file") {
      return Promise.resolve({ ok: false, failure: "missing", detail: "it is not a file" });
    }
    this.reads.push(path);
    const { text } = node.value.node;
    if (text.length <= bytesMax) return Promise.resolve({ ok: true, value: text });
    return Promise.resolve({ ok: false, failure: "too large", detail: "it is too large" });
  }

  realPath(path: string): Promise<FileResult<string>> {
    const node = this.#resolve(path);
    return Promise.resolve(node.ok ? { ok: true, value: node.value.path } : node);
  }

  async watch(path: string, listener: WatchListener, signal: AbortSignal): Promise<void> {
    if (this.watchError) throw this.watchError;
    const watched = this.#resolve(path);
    if (!watched.ok || watched.value.node.type === "link") throw new Error("no such path");
    if (signal.aborted) return;
    this.#watchers.set(listener, { path, id: watched.value.node.id });
    listener.onOpen();
    await new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
    this.#watchers.delete(listener);
  }

  #resolve(path: string): FileResult<{ readonly node: Node; readonly path: string }> {
    let real = "";
    let rest = path.split("/").filter((part) => part !== "");
    for (let links = 0; rest.length > 0;) {
      const [name = "", ...later] = rest;
      const next = real === "" && !path.startsWith("/") ? name : `${real}/${name}`;
      const failure = this.#failures.get(next);
      if (failure) return { ok: false, failure, detail: `it is ${failure}` };
      const node = this.#nodes.get(next);
      if (!node) return { ok: false, failure: "missing", detail: "it does not exist" };
      if (node.type !== "link") {
        real = next;
        rest = later;
        continue;
      }
      if (++links > linksMax) {
        return { ok: false, failure: "failed", detail: "its links lead round in a circle" };
      }
      const target = node.target.startsWith("/") ? node.target : `${real}/${node.target}`;
      rest = [...target.split("/").filter((part) => part !== ""), ...later];
      real = "";
    }
    const node = this.#nodes.get(real);
    return node
      ? { ok: true, value: { node, path: real } }
      : { ok: false, failure: "missing", detail: "it does not exist" };
  }

  #tell(paths: readonly string[]): void {
    if (!this.tellsWatchers) return;
    for (const [listener, { path: root, id }] of this.#watchers) {
      const now = this.#resolve(root);
      const isThere = now.ok && now.value.node.type !== "link" && now.value.node.id === id;
      if (!isThere && !paths.includes(root)) continue;
      const concerned = paths.filter((path) => path === root || path.startsWith(`${root}/`));
      if (concerned.length > 0) listener.onChange(concerned);
    }
  }
}
