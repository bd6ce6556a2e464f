/**
 * Which entries of a listener match the same requests, so that only the first of them ever serves.
 *
 * Exact as far as it goes: entries that are called alike match alike. Two that match alike in another
 * way (expressions that mean the same) are not found.
 */

import { significantPrefix } from "./match.ts";
import type { HttpRouteEntry, RouteEntry, ValueMatch } from "./model.ts";

/** Equal where paths match alike, and often only there; empty for what every path meets. */
export function pathKey(entry: RouteEntry): string {
  if (!isHttp(entry)) return "";
  const { type, value } = entry.match.path;
  if (isEverything(type, value)) return "";
  return type === "PathPrefix" ? significantPrefix(value) : value;
}

/** Equal for entries that match the same requests, as far as that can be seen. */
export function matchKey(entry: RouteEntry): string {
  const { hostname = "" } = entry;
  if (!isHttp(entry)) return hostname;
  const { path, method = "", headers, queryParams } = entry.match;
  const isAll = isEverything(path.type, path.value);
  const value = path.type === "PathPrefix" ? significantPrefix(path.value) : path.value;
  return `${hostname} ${method} ${isAll ? "" : path.type} ${isAll ? "" : quote(value)}` +
    `${sortedValues(headers)} ${sortedValues(queryParams)}`;
}

function isHttp(entry: RouteEntry): entry is HttpRouteEntry {
  return "match" in entry;
}

/** With its length in front, no text can run into the next one. */
function quote(text: string): string {
  return `${text.length}:${text}`;
}

/** A path match that every path meets. */
function isEverything(type: string, value: string): boolean {
  return type === "PathPrefix"
    ? significantPrefix(value) === ""
    : type === "RegularExpression" && (value === ".*" || value === "/.*");
}

function sortedValues(matches: readonly ValueMatch[]): string {
  if (matches.length === 0) return "";
  return matches.map(({ name, type, value }) => `${type} ${quote(name)} ${quote(value)}`).sort()
    .join(",");
}
