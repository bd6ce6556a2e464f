/**
 * The routes of one listener, compiled so that a request finds its entry without looking at all.
 *
 * The result is always the entry that a scan in the order of `compareHttpRouteEntries` finds first.
 * Hostnames are a map, exact paths a map, prefixes a map with one probe for each distinct length;
 * only regular expressions, and entries that share hostname and path, are tried one by one. A table
 * is immutable; a lookup allocates a bounded number of short strings.
 */

import { HostIndex } from "./host.ts";
import {
  type CompiledEntry,
  compileEntry,
  matchesPath,
  matchesRest,
  type MatchRequest,
  significantPrefix,
} from "./match.ts";
import type { HttpRouteEntry } from "./model.ts";
import { compareHttpRouteEntries } from "./precedence.ts";
import { RegexCache } from "./regex.ts";

/** Finds the entry that serves a request. */
export class RouteTable {
  readonly #hosts = new HostIndex<PathIndex>();

  /** @param entries in any order */
  constructor(entries: readonly HttpRouteEntry[], regexes: RegexCache) {
    for (const entry of inPrecedence(entries)) {
      let paths = this.#hosts.get(entry.hostname);
      if (paths === undefined) {
        paths = new PathIndex();
        this.#hosts.set(entry.hostname, paths);
      }
      paths.add(compileEntry(entry, regexes));
    }
  }

  /** The entry with the highest precedence that matches; undefined: none does. */
  find(request: MatchRequest): HttpRouteEntry | undefined {
    return this.#hosts.first(request.host, request, findInPaths);
  }
}

/** Compiles tables, and hands out the one that it has for a list of entries that it has seen. */
export class RouteTableCompiler {
  readonly #regexes: RegexCache;
  readonly #tables = new WeakMap<readonly HttpRouteEntry[], RouteTable>();

  constructor(regexes: RegexCache = new RegexCache()) {
    this.#regexes = regexes;
  }

  /** The table of `entries`, compiled once for each identity of the list. */
  compile(entries: readonly HttpRouteEntry[]): RouteTable {
    let table = this.#tables.get(entries);
    if (table === undefined) {
      table = new RouteTable(entries, this.#regexes);
      this.#tables.set(entries, table);
    }
    return table;
  }
}

/** The entries of one hostname by path. Entries are added in the order of precedence. */
class PathIndex {
  /** Made when there is something to keep: most hostnames have one kind of path only. */
  #exact: Map<string, CompiledEntry[]> | undefined;
  /** Without trailing slash; the one for everything is empty and not in the lengths. */
  #prefixes: Map<string, CompiledEntry[]> | undefined;
  /** Distinct lengths of the prefixes, longest first: the order of precedence. */
  readonly #lengths: number[] = [];
  readonly #expressions: CompiledEntry[] = [];

  add(compiled: CompiledEntry): void {
    const { type, value } = compiled.entry.match.path;
    switch (type) {
      case "Exact":
        return append(this.#exact ??= new Map(), value, compiled);
      case "PathPrefix": {
        const prefix = significantPrefix(value);
        if (prefix !== "" && this.#lengths.at(-1) !== prefix.length) {
          this.#lengths.push(prefix.length);
        }
        return append(this.#prefixes ??= new Map(), prefix, compiled);
      }
      case "RegularExpression":
        this.#expressions.push(compiled);
    }
  }

  find(request: MatchRequest): HttpRouteEntry | undefined {
    const { path } = request;
    return firstMatch(this.#exact?.get(path), request) ?? this.#findPrefix(request) ??
      this.#findExpression(request) ?? firstMatch(this.#prefixes?.get(""), request);
  }

  #findPrefix(request: MatchRequest): HttpRouteEntry | undefined {
    const { path } = request;
    for (const length of this.#lengths) {
      if (length > path.length) continue;
      if (length < path.length && path.charCodeAt(length) !== SLASH) continue;
      const found = firstMatch(this.#prefixes?.get(path.slice(0, length)), request);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #findExpression(request: MatchRequest): HttpRouteEntry | undefined {
    for (const compiled of this.#expressions) {
      if (matchesRest(compiled, request) && matchesPath(compiled.path, request.path)) {
        return compiled.entry;
      }
    }
    return undefined;
  }
}

const SLASH = 0x2f;

function findInPaths(paths: PathIndex, request: MatchRequest): HttpRouteEntry | undefined {
  return paths.find(request);
}

function firstMatch(
  candidates: readonly CompiledEntry[] | undefined,
  request: MatchRequest,
): HttpRouteEntry | undefined {
  if (candidates === undefined) return undefined;
  for (const compiled of candidates) {
    if (matchesRest(compiled, request)) return compiled.entry;
  }
  return undefined;
}

function append(map: Map<string, CompiledEntry[]>, key: string, compiled: CompiledEntry): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [compiled]);
  else list.push(compiled);
}

/** The list itself when it is in order already, which it is when it comes from the engine. */
function inPrecedence(entries: readonly HttpRouteEntry[]): readonly HttpRouteEntry[] {
  let previous: HttpRouteEntry | undefined;
  for (const entry of entries) {
    if (previous !== undefined && compareHttpRouteEntries(previous, entry) > 0) {
      return entries.toSorted(compareHttpRouteEntries);
    }
    previous = entry;
  }
  return entries;
}
