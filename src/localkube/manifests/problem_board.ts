/**
 * The problems of now, by who found them; tells which came and which went since the last report.
 *
 * A problem is told when it comes and when it goes, never in between. That its line moved, because
 * something above it was edited, is no news.
 */

import { compareStrings } from "../../kube/json_value.ts";
import type { Problem } from "../store_contract.ts";

/** More are counted but not listed. */
const listedProblemsMax = 1000;

/** What changed between two reports. */
export interface ProblemNews {
  readonly appeared: readonly Problem[];
  readonly resolved: readonly Problem[];
}

/** See the file's header. */
export class ProblemBoard {
  readonly #byOwner = new Map<string, readonly Problem[]>();
  #reported: ReadonlyMap<string, Problem> = new Map();
  #sorted: readonly Problem[] | undefined;
  #hasNews = false;

  /** Replaces the problems that `owner` found. */
  set(owner: string, problems: readonly Problem[]): void {
    if (problems.length === 0 && !this.#byOwner.has(owner)) return;
    this.#sorted = undefined;
    this.#hasNews = true;
    if (problems.length === 0) this.#byOwner.delete(owner);
    else this.#byOwner.set(owner, problems);
  }

  /** How many there are, listed or not. */
  get count(): number {
    return this.#all().length;
  }

  /** Sorted by file and line; at most {@linkcode listedProblemsMax}, then one that counts the rest. */
  list(): readonly Problem[] {
    return shorten(this.#all());
  }

  #all(): readonly Problem[] {
    this.#sorted ??= [...this.#byOwner.values()].flat().sort(compareProblems);
    return this.#sorted;
  }

  /** What came and went since the last call. */
  report(): ProblemNews {
    if (!this.#hasNews) return { appeared: [], resolved: [] };
    this.#hasNews = false;
    // All of them: one that only leaves the list, because others come before it, is not resolved.
    const now = new Map(this.#all().map((problem) => [identityOf(problem), problem]));
    const before = this.#reported;
    this.#reported = now;
    return {
      appeared: [...now].filter(([id]) => !before.has(id)).map(([, problem]) => problem),
      resolved: [...before].filter(([id]) => !now.has(id)).map(([, problem]) => problem),
    };
  }
}

function identityOf({ source, object, field, message }: Problem): string {
  return JSON.stringify([splitSource(source).file, object, field, message.replace(/:\d+/g, "")]);
}

function shorten(problems: readonly Problem[]): readonly Problem[] {
  const more = problems.length - listedProblemsMax;
  if (more <= 0) return problems;
  const message = `${more} more problems are not listed`;
  return [
    ...problems.slice(0, listedProblemsMax),
    { source: "", object: "", field: "", message },
  ];
}

function compareProblems(a: Problem, b: Problem): number {
  const left = splitSource(a.source);
  const right = splitSource(b.source);
  return compareStrings(left.file, right.file) || left.line - right.line ||
    compareStrings(a.field, b.field) || compareStrings(a.message, b.message);
}

function splitSource(source: string): { file: string; line: number } {
  const colon = source.lastIndexOf(":");
  const line = Number(source.slice(colon + 1));
  return colon < 0 || !Number.isInteger(line)
    ? { file: source, line: 0 }
    : { file: source.slice(0, colon), line };
}
