/**
 * The functions that Kubernetes adds to CEL, as far as a rule on a resource can use them.
 *
 * Addresses, URLs, lists and named formats of the API server's CEL libraries.
 * An optional value is the value itself or null: `hasValue()` and `value()` read it. Quantities,
 * semantic versions, `find` and the authorizer are not here; a rule that names them fails when it is
 * evaluated.
 */

import {
  type CelFunc,
  celFunc,
  type CelInput,
  type CelList,
  celMethod,
  CelScalar,
  type CelValue,
  listType,
  mapType,
} from "@bufbuild/cel";
import { isCidr, isIpAddress } from "./ip_address.ts";
import { namedFormats } from "./named_formats.ts";

const { BOOL, DYN, INT, STRING } = CelScalar;
const list = listType(DYN);
const url = mapType(STRING, DYN);

/** All functions. */
export function celFunctions(): CelFunc[] {
  return [
    celFunc("isIP", [STRING], BOOL, (text) => isIpAddress(text)),
    celFunc("isCIDR", [STRING], BOOL, (text) => isCidr(text)),
    celFunc("isURL", [STRING], BOOL, (text) => parseUrl(text) !== undefined),
    celFunc("url", [STRING], DYN, toUrl),
    ...urlMethods,
    ...listMethods,
    ...optionalMethods,
    ...Object.keys(namedFormats).map((name) =>
      celFunc(`format.${name}`, [], DYN, () => new Map([["format", name]]))
    ),
    celMethod("validate", mapType(STRING, DYN), [STRING], DYN, function (text) {
      const format = namedFormats[String(this.get("format"))];
      if (format === undefined) throw new Error("no such overload");
      const faults = format(text);
      return faults.length === 0 ? null : faults;
    }),
  ];
}

/** `text` as Go's `url.ParseRequestURI` takes it: an absolute URL, or a path. */
function parseUrl(text: string): URL | undefined {
  const absolute = /^[a-zA-Z][a-zA-Z0-9+.-]*:/.test(text);
  if (!absolute && !text.startsWith("/")) return undefined;
  if (/[\s\p{Cc}]/u.test(text)) return undefined;
  return URL.parse(text, absolute ? undefined : "relative://") ?? undefined;
}

function toUrl(text: string): CelInput {
  const parsed = parseUrl(text);
  if (parsed === undefined) {
    throw new Error(`URL parse error during conversion from string: ${text}`);
  }
  const isRelative = parsed.protocol === "relative:";
  const query = new Map<string, CelInput>();
  for (const key of new Set(parsed.searchParams.keys())) {
    query.set(key, parsed.searchParams.getAll(key));
  }
  return new Map<string, CelInput>([
    ["getScheme", isRelative ? "" : parsed.protocol.slice(0, -1)],
    ["getHost", isRelative ? "" : parsed.host],
    ["getHostname", isRelative ? "" : parsed.hostname.replace(/^\[(.*)\]$/, "$1")],
    ["getPort", parsed.port],
    ["getEscapedPath", parsed.pathname],
    ["getQuery", query],
  ]);
}

const urlMethods = [
  "getScheme",
  "getHost",
  "getHostname",
  "getPort",
  "getEscapedPath",
  "getQuery",
].map((name) =>
  celMethod(name, url, [], DYN, function () {
    return this.get(name) ?? "";
  })
);

/** Orders two values of one type as CEL's `<` does. */
function compare(a: CelValue, b: CelValue): number {
  if (typeof a !== typeof b || a === null || b === null) throw new Error("no such overload");
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The item that comes first by `sign`; an empty list has none. */
function extreme(items: CelList, sign: 1 | -1, name: string): CelValue {
  let found: CelValue | undefined;
  for (const item of items) {
    if (found === undefined || compare(item, found) * sign < 0) found = item;
  }
  if (found === undefined) throw new Error(`${name} called on empty list`);
  return found;
}

function isSorted(items: CelList): boolean {
  for (let index = 1; index < items.size; index++) {
    const [before, after] = [items.get(index - 1), items.get(index)];
    if (before !== undefined && after !== undefined && compare(before, after) > 0) return false;
  }
  return true;
}

function sum(items: CelList): CelInput {
  let ints = 0n;
  let doubles = 0;
  for (const item of items) {
    if (typeof item === "bigint") ints += item;
    else if (typeof item === "number") doubles += item;
    else throw new Error("no such overload");
  }
  return doubles === 0 ? ints : doubles;
}

function indexOf(items: CelList, wanted: CelValue, step: 1 | -1): bigint {
  for (let index = step > 0 ? 0 : items.size - 1; index >= 0 && index < items.size; index += step) {
    if (items.get(index) === wanted) return BigInt(index);
  }
  return -1n;
}

const listMethods = [
  celMethod("isSorted", list, [], BOOL, function () {
    return isSorted(this);
  }),
  celMethod("sum", list, [], DYN, function () {
    return sum(this);
  }),
  celMethod("min", list, [], DYN, function () {
    return extreme(this, 1, "min");
  }),
  celMethod("max", list, [], DYN, function () {
    return extreme(this, -1, "max");
  }),
  celMethod("indexOf", list, [DYN], INT, function (wanted) {
    return indexOf(this, wanted, 1);
  }),
  celMethod("lastIndexOf", list, [DYN], INT, function (wanted) {
    return indexOf(this, wanted, -1);
  }),
];

const optionalMethods = [
  celMethod("hasValue", DYN, [], BOOL, function () {
    return this !== null;
  }),
  celMethod("value", DYN, [], DYN, function () {
    if (this === null) throw new Error("optional.none() dereference");
    return this;
  }),
  celMethod("orValue", DYN, [DYN], DYN, function (other) {
    return this ?? other;
  }),
];
