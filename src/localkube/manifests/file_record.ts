/**
 * What is known of one manifest file, and how a new look at it changes that. Pure.
 *
 * Objects are added and changed at once but removed late, because a file is rarely seen in one piece:
 * editors and scripts truncate and then write, or remove and then create. Three rules follow.
 * - An object that is gone from its file (also an empty or missing one) stays for `removalDelayMs`;
 *   then the file is read once more before the object goes.
 * - While a document of the file cannot be read, nothing that the file defined goes: it is not known
 *   which object the document was.
 * - While the file itself cannot be read, everything stays as it was.
 */

import type { Problem } from "../store_contract.ts";
import type { FileResult } from "./file_system.ts";
import {
  type IgnoredObject,
  type ManifestDocument,
  type ParsedManifests,
  parseManifests,
} from "./parse_manifests.ts";

/** An object that a file defines, or has defined until lately. */
export interface Definition {
  readonly document: ManifestDocument;
  /** The place of its file among the paths that were given. */
  readonly rootIndex: number;
  /** The place of its document in the file. */
  readonly index: number;
  /** Set when it is no longer in the file: when it goes. Infinity: not before the file is readable. */
  readonly removeAtMs?: number;
}

/** A file and what it stands for. */
export interface FileRecord {
  readonly path: string;
  /** As problems name it. */
  readonly file: string;
  readonly rootIndex: number;
  /** Of the file that was read; undefined when it is to be read at the next look. */
  readonly version: string | undefined;
  /** Undefined: never read with success, or gone. */
  readonly text: string | undefined;
  readonly parsed: ParsedManifests | undefined;
  readonly definitions: readonly Definition[];
  readonly problems: readonly Problem[];
}

/** A record of a file of which nothing is known yet. */
export function newFileRecord(path: string, file: string, rootIndex: number): FileRecord {
  return {
    path,
    file,
    rootIndex,
    version: undefined,
    text: undefined,
    parsed: undefined,
    definitions: [],
    problems: [],
  };
}

/** Objects of kinds that weir has no use for. */
export function ignoredIn(record: FileRecord): readonly IgnoredObject[] {
  return record.parsed?.ignored ?? [];
}

/** When the record should be looked at again without a cause; Infinity: never. */
export function nextRemovalMs(record: FileRecord): number {
  let next = Infinity;
  for (const { removeAtMs } of record.definitions) next = Math.min(next, removeAtMs ?? Infinity);
  return next;
}

/** Whether the record stands for nothing any more. */
export function isForgotten(record: FileRecord): boolean {
  return record.text === undefined && record.definitions.length === 0 &&
    record.problems.length === 0;
}

/** The time of a look at a file, and how long objects stay that are gone. Monotonic milliseconds. */
export interface Look {
  readonly nowMs: number;
  readonly removalDelayMs: number;
}

/**
 * The record after a look. `record` itself when nothing changed.
 *
 * @param version of the file before it was read
 */
export function lookAgain(
  record: FileRecord,
  read: FileResult<string>,
  version: string | undefined,
  look: Look,
): FileRecord {
  if (!read.ok) {
    return read.failure === "missing"
      ? toMissing(record, look)
      : toFailed(record, read.detail, look);
  }
  const isSame = read.value === record.text;
  if (isSame && nextRemovalMs(record) > look.nowMs) return { ...record, version };
  const parsed = isSame && record.parsed
    ? record.parsed
    : parseManifests(record.file, read.value, record.parsed);
  const current = parsed.documents.map((document, index): Definition => ({
    document,
    rootIndex: record.rootIndex,
    index,
  }));
  const kept = keep(record.definitions, current, parsed.hasUnknown ? Infinity : undefined, look);
  const problems = parsed.hasUnknown && kept.length > 0
    ? parsed.problems.map(sayWhatStays)
    : parsed.problems;
  const definitions = [...current, ...kept];
  return { ...record, version, text: read.value, parsed, definitions, problems };
}

function sayWhatStays(problem: Problem): Problem {
  return {
    ...problem,
    message: `${problem.message}; what the file defined before stays in service`,
  };
}

function toMissing(record: FileRecord, look: Look): FileRecord {
  const definitions = keep(record.definitions, [], undefined, look);
  const nothing = { version: undefined, text: undefined, parsed: undefined, problems: [] };
  return { ...record, ...nothing, definitions };
}

/** Without a version, so that the next scan tries again. */
function toFailed(record: FileRecord, detail: string, look: Look): FileRecord {
  const definitions = keep(record.definitions, [], Infinity, look);
  const stays = definitions.length > 0 ? "; what it defined stays in service" : "";
  const message = `Read the file: ${detail}${stays}`;
  const problem = { source: record.file, object: "", field: "", message };
  return { ...record, version: undefined, text: undefined, definitions, problems: [problem] };
}

/** The definitions of `before` that are not in `current` and do not go yet. */
function keep(
  before: readonly Definition[],
  current: readonly Definition[],
  removeAtMs: number | undefined,
  look: Look,
): readonly Definition[] {
  const now = new Set(current.map(({ document }) => `${document.kind} ${document.key}`));
  const kept: Definition[] = [];
  for (const definition of before) {
    const { kind, key } = definition.document;
    const ref = `${kind} ${key}`;
    if (now.has(ref)) continue;
    now.add(ref);
    const dueMs = removeAtMs ?? dueOf(definition, look);
    if (dueMs > look.nowMs) kept.push({ ...definition, removeAtMs: dueMs });
  }
  return kept;
}

/** A delay that has begun goes on; one that had no end begins now. */
function dueOf({ removeAtMs }: Definition, look: Look): number {
  return removeAtMs === undefined || removeAtMs === Infinity
    ? look.nowMs + look.removalDelayMs
    : removeAtMs;
}
