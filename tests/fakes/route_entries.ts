/** Builders of the data plane's model for tests; what is left out gets a value that never matters. */

import type {
  GrpcMatch,
  HttpMatch,
  HttpRouteAction,
  HttpRouteEntry,
  ValueMatch,
} from "../../src/dataplane/model.ts";

/** The parts of an entry that a test cares about; `path` is `Exact:/a`, `Prefix:/a` or `Regex:/a.*`. */
export interface EntryParts {
  readonly name?: string;
  readonly namespace?: string;
  readonly created?: string;
  readonly hostname?: string;
  readonly path?: string;
  readonly method?: string;
  readonly grpc?: GrpcMatch;
  readonly headers?: readonly ValueMatch[];
  readonly queryParams?: readonly ValueMatch[];
  readonly rule?: number;
  readonly match?: number;
  readonly action?: Partial<HttpRouteAction>;
}

const pathTypes = { Exact: "Exact", Prefix: "PathPrefix", Regex: "RegularExpression" } as const;

/** An entry of an HTTPRoute with the given parts. */
export function routeEntry(parts: EntryParts = {}): HttpRouteEntry {
  return {
    origin: {
      kind: "HTTPRoute",
      namespace: parts.namespace ?? "default",
      name: parts.name ?? "route",
    },
    creationTimestamp: parts.created ?? "2026-01-01T00:00:00Z",
    ruleIndex: parts.rule ?? 0,
    matchIndex: parts.match ?? 0,
    ...(parts.hostname === undefined ? {} : { hostname: parts.hostname }),
    match: matchOf(parts),
    action: { filters: [], backends: [], ...parts.action },
  };
}

/** `name=value`, or `name~expression` for a regular expression. */
export function valueMatch(text: string): ValueMatch {
  const at = text.search(/[=~]/);
  return {
    name: text.slice(0, at),
    type: text.charAt(at) === "=" ? "Exact" : "RegularExpression",
    value: text.slice(at + 1),
  };
}

function matchOf(parts: EntryParts): HttpMatch {
  const [type = "", value = ""] = splitOnce(parts.path ?? "Prefix:/");
  const pathType = Object.entries(pathTypes).find(([name]) => name === type)?.[1];
  if (pathType === undefined) throw new Error(`Cannot build path "${parts.path}": unknown type`);
  return {
    ...(parts.grpc && { grpc: parts.grpc }),
    path: { type: pathType, value },
    ...(parts.method === undefined ? {} : { method: parts.method }),
    headers: parts.headers ?? [],
    queryParams: parts.queryParams ?? [],
  };
}

function splitOnce(text: string): [string, string] {
  const at = text.indexOf(":");
  return [text.slice(0, at), text.slice(at + 1)];
}
