/**
 * The little that the loader of manifests needs of a file system.
 *
 * Expected failures are values; an implementation throws only for its own faults. Paths are opaque to
 * the loader except that `/` separates them.
 */

/** Why something cannot be had. */
export type FileFailure = "missing" | "denied" | "too large" | "not text" | "failed";

/** A value, or why there is none. */
export type FileResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: FileFailure; readonly detail: string };

/** What is known of a file or folder without reading it. */
export interface FileStat {
  readonly type: "file" | "folder" | "other";
  readonly bytes: number;
  /** The same for the same file or folder, however it is named. */
  readonly identity: string;
  /** Another one after most changes; a change within the clock's granularity may keep it. */
  readonly version: string;
}

/** A name in a folder. */
export interface FolderEntry {
  readonly name: string;
  readonly type: "file" | "folder" | "link" | "other";
}

/** What a watcher tells. */
export interface WatchListener {
  /** Changes from here on are told. */
  onOpen(): void;
  /** Something happened to these paths: created, changed, renamed or removed. */
  onChange(paths: readonly string[]): void;
}

/** See the file's header. */
export interface FileSystem {
  /** Follows links. */
  stat(path: string): Promise<FileResult<FileStat>>;
  /** In no particular order; links are not followed. */
  readFolder(path: string): Promise<FileResult<readonly FolderEntry[]>>;
  /**
   * UTF-8 without its byte order mark; `too large` beyond `bytesMax`, `missing` when something else
   * than a file is there. Never waits for a writer, as a named pipe would make it.
   */
  readText(path: string, bytesMax: number): Promise<FileResult<string>>;
  /** The path without links in it. */
  realPath(path: string): Promise<FileResult<string>>;
  /**
   * Tells of changes in a folder and all below it, or in the folder of a file, until `signal`
   * aborts; then resolves. Rejects when changes cannot be told (any more).
   */
  watch(path: string, listener: WatchListener, signal: AbortSignal): Promise<void>;
}

/** `folder/name`. */
export function joinPath(folder: string, name: string): string {
  return folder.endsWith("/") ? `${folder}${name}` : `${folder}/${name}`;
}

/** The part of a path after its last `/`. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
