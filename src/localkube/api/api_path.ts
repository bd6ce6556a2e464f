/**
 * From request paths to what they ask for. Pure.
 *
 * A path is taken apart before it is decoded, so that an escaped slash stays inside its segment; a
 * segment that no name can be is refused. Dot segments never get here as such: they are no names.
 */

import { type ApiResource, findResource } from "./api_resources.ts";
import { badRequest, unknownPath } from "./api_status.ts";

/** A resource in a place, one object of it, or a subresource of that. */
export interface ResourceTarget {
  readonly resource: ApiResource;
  /** Undefined: all namespaces, or a resource without namespaces. */
  readonly namespace: string | undefined;
  /** Undefined: the collection. */
  readonly name: string | undefined;
  readonly subresource: "status" | undefined;
}

/** `version`: of a group. */
export type ApiPath =
  | { readonly type: "document"; readonly name: string }
  | { readonly type: "group"; readonly group: string }
  | { readonly type: "version"; readonly apiVersion: string }
  | { readonly type: "openapi"; readonly apiVersion: string }
  | { readonly type: "review"; readonly apiVersion: string; readonly name: string }
  | { readonly type: "resource"; readonly target: ResourceTarget };

/** Paths with one fixed answer. */
const documents: ReadonlySet<string> = new Set([
  "/",
  "/api",
  "/apis",
  "/healthz",
  "/livez",
  "/readyz",
  "/version",
  "/openapi/v3",
]);

/** Longer names do not exist. */
const segmentLengthMax = 253;

/** Groups whose resources are questions: nothing of them is stored. */
export const reviewGroups: ReadonlyMap<string, readonly string[]> = new Map([
  ["authorization.k8s.io/v1", ["selfsubjectaccessreviews", "selfsubjectrulesreviews"]],
  ["authentication.k8s.io/v1", ["selfsubjectreviews"]],
]);

/**
 * What `path` asks for.
 *
 * @throws {ApiRefusal} 404 for a path that is not served, 400 for one that cannot be a path
 */
export function parseApiPath(path: string): ApiPath {
  const bare = path.length > 1 ? path.replace(/\/$/, "") : path;
  if (documents.has(bare)) return { type: "document", name: bare };
  const segments = bare.slice(1).split("/").map(decodeSegment);
  if (segments[0] === "openapi" && segments[1] === "v3") {
    return { type: "openapi", apiVersion: groupVersionOf(segments.slice(2)).apiVersion };
  }
  if (segments[0] === "apis" && segments.length === 2) {
    return { type: "group", group: segments[1] ?? "" };
  }
  const { apiVersion, rest } = groupVersionOf(segments);
  if (rest.length === 0) return { type: "version", apiVersion };
  const reviews = reviewGroups.get(apiVersion);
  if (reviews !== undefined) {
    const [name = ""] = rest;
    if (rest.length !== 1 || !reviews.includes(name)) throw unknownPath();
    return { type: "review", apiVersion, name };
  }
  return { type: "resource", target: resourceTarget(apiVersion, rest) };
}

function groupVersionOf(segments: readonly string[]): {
  readonly apiVersion: string;
  readonly rest: readonly string[];
} {
  const [root, first = "", second = ""] = segments;
  if (root === "api" && first === "v1") return { apiVersion: "v1", rest: segments.slice(2) };
  if (root === "apis" && second !== "") {
    return { apiVersion: `${first}/${second}`, rest: segments.slice(3) };
  }
  throw unknownPath();
}

function resourceTarget(apiVersion: string, segments: readonly string[]): ResourceTarget {
  const [first, second, third] = segments;
  const isInNamespace = first === "namespaces" && third !== undefined && third !== "status";
  const namespace = isInNamespace ? second : undefined;
  const [plural = "", name, subresource, ...more] = isInNamespace ? segments.slice(2) : segments;
  const resource = findResource(apiVersion, plural);
  if (!resource || more.length > 0) throw unknownPath();
  const { namespaced, hasStatus } = resource.info;
  if (isInNamespace && !namespaced) throw unknownPath();
  if (name !== undefined && namespaced && !isInNamespace) throw unknownPath();
  if (subresource !== undefined && (subresource !== "status" || !hasStatus)) throw unknownPath();
  return { resource, namespace, name, subresource };
}

function decodeSegment(segment: string): string {
  let text: string;
  try {
    text = decodeURIComponent(segment);
  } catch {
    // The decoder has one fault only.
    throw badRequest("the path has a malformed escape");
  }
  const isName = /^[A-Za-z0-9]([-A-Za-z0-9._:]*[A-Za-z0-9])?$/.test(text);
  if (!isName || text.length > segmentLengthMax) throw unknownPath();
  return text;
}
