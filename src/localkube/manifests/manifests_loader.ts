/**
 * Keeps the local cluster equal to what manifest files say, while the files change.
 *
 * Reading is asynchronous and only collects; what was read is then brought into the records, the
 * table and the cluster in one synchronous step. One task does all of that, so that looks never
 * overlap. Nothing depends on the order in which files were seen. How a single file may change what
 * is in service: file_record.ts. Which file wins: definition_table.ts.
 */

import type { Clock } from "../../base/clock.ts";
import { invariant } from "../../base/invariant.ts";
import type { Logger } from "../../base/log.ts";
import { compareStrings } from "../../kube/json_value.ts";
import type { LocalCluster, Problem } from "../store_contract.ts";
import { ChangeFeed, type FeedTimes } from "./change_feed.ts";
import { DefinitionTable, type ManifestKey } from "./definition_table.ts";
import {
  type FileRecord,
  ignoredIn,
  isForgotten,
  lookAgain,
  newFileRecord,
  nextRemovalMs,
} from "./file_record.ts";
import type { FileScan, Root, ScanLimits } from "./file_scan.ts";
import type { FileSystem } from "./file_system.ts";
import { logChanges, logFirstLook, logProblems, logWarnings } from "./loader_log.ts";
import { type AppliedChange, ManifestApplier } from "./manifest_applier.ts";
import { type DiskLook, type FileRead, ManifestReader, standardInput } from "./manifest_reader.ts";
import type { IgnoredObject } from "./parse_manifests.ts";
import { PositionFinder } from "./position_finder.ts";
import { ProblemBoard } from "./problem_board.ts";

/** What the loader waits for, in milliseconds. */
export interface LoaderTimes extends FeedTimes {
  /** An object that is gone from its file goes after this (file_record.ts says why). */
  readonly removalDelayMs: number;
}

/** The end-to-end budget from a saved file to a served route is 50 ms. */
const defaultLoaderTimes: LoaderTimes = {
  quietMs: 5,
  quietMaxMs: 50,
  rescanMs: 2000,
  removalDelayMs: 50,
};

/** Far above any real use; each has a problem that names it. */
export const defaultScanLimits: ScanLimits = {
  fileBytesMax: 16 * 1024 * 1024,
  filesMax: 20_000,
  // A link to a large tree, such as the root of the disk, would keep a rescan busy for ever.
  namesMax: 100_000,
  depthMax: 16,
};

/** What the loader is built from. */
export interface ManifestsLoaderOptions {
  /** Files and folders, in order of precedence; `-` is `standardInputText`. */
  readonly paths: readonly string[];
  readonly standardInputText?: string;
  readonly cluster: LocalCluster;
  readonly fileSystem: FileSystem;
  readonly clock: Clock;
  readonly log: Logger;
  readonly limits?: Partial<ScanLimits>;
  readonly times?: Partial<LoaderTimes>;
}

/** See the file's header. */
export class ManifestsLoader {
  readonly #options: ManifestsLoaderOptions;
  readonly #times: LoaderTimes;
  readonly #roots: readonly Root[];
  readonly #feed: ChangeFeed;
  readonly #records = new Map<string, FileRecord>();
  readonly #table = new DefinitionTable();
  readonly #applier: ManifestApplier;
  readonly #board = new ProblemBoard();
  readonly #listeners = new Set<() => void>();
  readonly #reader: ManifestReader;
  /** When objects of a file go that are gone from it, by the path of the file. */
  readonly #removals = new Map<string, number>();
  #identities: ReadonlyMap<string, string> = new Map();
  readonly #seenRoots = new Set<string>();
  #hasSynced = false;

  constructor(options: ManifestsLoaderOptions) {
    const { paths, cluster, fileSystem, clock, log } = options;
    this.#options = options;
    this.#times = { ...defaultLoaderTimes, ...options.times };
    this.#roots = paths.flatMap((path, index) =>
      path === standardInput ? [] : [{ path, index, isNamed: paths.length > 1 }]
    );
    this.#feed = new ChangeFeed(fileSystem, clock, log, this.#times);
    const limits = { ...defaultScanLimits, ...options.limits };
    this.#reader = new ManifestReader(fileSystem, this.#roots, limits);
    this.#applier = new ManifestApplier(cluster, this.#table);
  }

  /** Whether everything was read and applied once. */
  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  /** Paths that were given and have never been there since the start. */
  unseenPaths(): readonly string[] {
    return this.#roots.map(({ path }) => path).filter((path) => !this.#seenRoots.has(path));
  }

  /** The problems of now, sorted by file and line; of very many the first, and how many more. */
  problems(): readonly Problem[] {
    return this.#board.list();
  }

  /** How many problems there are, listed or not. */
  get problemCount(): number {
    return this.#board.count;
  }

  /** Objects of kinds that weir has no use for, in the order of the files. */
  ignored(): readonly IgnoredObject[] {
    return [...this.#records.values()].sort(compareRecords).flatMap(ignoredIn);
  }

  /** Calls `listener` after each look that changed objects or problems. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reads and applies everything once. Problems in manifests never make it reject. */
  async initialLoad(): Promise<void> {
    invariant(!this.#hasSynced, "Manifests are loaded for the first time once");
    const { reads, scan } = await this.#reader.readAll(new Set(), this.#records);
    this.#commit({ reads: [...this.#readStandardInput(), ...reads], ...(scan ? { scan } : {}) });
  }

  /** Follows the files until `signal` aborts. Loads first unless {@linkcode initialLoad} did. */
  async run(signal: AbortSignal): Promise<void> {
    if (!this.#hasSynced) await this.initialLoad();
    const stop = new AbortController();
    const either = AbortSignal.any([signal, stop.signal]);
    const tasks = [
      this.#feed.run(this.#roots.map(({ path }) => path), either),
      this.#follow(either),
    ];
    try {
      await Promise.all(tasks);
    } finally {
      stop.abort();
      await Promise.allSettled(tasks);
    }
  }

  async #follow(signal: AbortSignal): Promise<void> {
    for (;;) {
      const batch = await this.#feed.next(signal);
      if (!batch) return;
      const changed = new Set([...batch.paths, ...this.#duePaths()]);
      this.#commit(
        await (batch.scansAll
          ? this.#reader.readAll(changed, this.#records)
          : this.#reader.readChanged(changed, this.#records)),
      );
    }
  }

  #readStandardInput(): readonly FileRead[] {
    const { paths, standardInputText = "" } = this.#options;
    const rootIndex = paths.indexOf(standardInput);
    if (rootIndex < 0) return [];
    const place = { file: standardInput, rootIndex };
    const result = { ok: true, value: standardInputText } as const;
    return [{ path: standardInput, place, version: undefined, result }];
  }

  /** Synchronous: records, table, cluster, problems; then tells. */
  #commit({ reads, scan }: DiskLook): void {
    const nowMs = this.#options.clock.monotonicMs();
    const look = { nowMs, removalDelayMs: this.#times.removalDelayMs };
    const touched = new Set<ManifestKey>();
    for (const read of reads) {
      const before = this.#records.get(read.path) ??
        newFileRecord(read.path, read.place?.file ?? read.path, read.place?.rootIndex ?? 0);
      const after = lookAgain(before, read.result, read.version, look);
      this.#keep(after);
      if (after.definitions === before.definitions) continue;
      for (const key of this.#table.replace(before.definitions, after.definitions)) {
        touched.add(key);
      }
    }
    const finder = new PositionFinder();
    const changes = this.#reconcile(touched, finder);
    if (scan) this.#takeScan(scan);
    this.#feed.wakeAt(Math.min(Infinity, ...this.#removals.values()));
    this.#tell(changes, finder);
  }

  #keep(record: FileRecord): void {
    const { path } = record;
    if (isForgotten(record)) this.#records.delete(path);
    else this.#records.set(path, record);
    const removalMs = nextRemovalMs(record);
    if (removalMs === Infinity) this.#removals.delete(path);
    else this.#removals.set(path, removalMs);
    this.#board.set(`file ${path}`, record.problems);
  }

  #reconcile(
    touched: ReadonlySet<ManifestKey>,
    finder: PositionFinder,
  ): readonly AppliedChange[] {
    const changes: AppliedChange[] = [];
    const isUnwanted = (key: ManifestKey): boolean => this.#table.get(key).length === 0;
    // Objects come before others go, so that a namespace with new users stays.
    const wanted = [...touched].filter((key) => !isUnwanted(key));
    const unwanted = [...touched].filter(isUnwanted);
    for (const key of [...wanted, ...unwanted]) {
      const change = this.#applier.reconcile(key);
      if (change) changes.push(change);
      this.#board.set(`object ${key}`, this.#applier.problemsOf(key, finder));
    }
    return changes;
  }

  #takeScan(scan: FileScan): void {
    this.#board.set("scan", scan.problems);
    for (const root of scan.identities.keys()) this.#seenRoots.add(root);
    for (const [root, identity] of scan.identities) {
      if (this.#hasSynced && this.#identities.get(root) !== identity) this.#feed.reopen(root);
    }
    this.#identities = scan.identities;
  }

  #duePaths(): readonly string[] {
    const nowMs = this.#options.clock.monotonicMs();
    return [...this.#removals].filter(([, dueMs]) => dueMs <= nowMs).map(([path]) => path);
  }

  #tell(changes: readonly AppliedChange[], finder: PositionFinder): void {
    const { log } = this.#options;
    if (this.#hasSynced) logChanges(log, changes, finder);
    else logFirstLook(log, { changes: changes.length, ...this.#counts() });
    this.#hasSynced = true;
    logWarnings(log, changes, finder);
    const news = this.#board.report();
    logProblems(log, news);
    if (changes.length + news.appeared.length + news.resolved.length === 0) return;
    for (const listener of this.#listeners) listener();
  }

  #counts(): { readonly files: number; readonly objects: number; readonly ignored: number } {
    let ignored = 0;
    for (const { parsed } of this.#records.values()) ignored += parsed?.ignoredCount ?? 0;
    return { files: this.#records.size, objects: this.#applier.count, ignored };
  }
}

function compareRecords(a: FileRecord, b: FileRecord): number {
  return a.rootIndex - b.rootIndex || compareStrings(a.file, b.file);
}
