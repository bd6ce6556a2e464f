/**
 * Changes of a path, for requests on their way and for redirects (Gateway API, HTTPPathModifier).
 *
 * Envoy's own replacement of a prefix joins texts, so it doubles or loses a slash where the prefix or
 * its replacement is `/`; there a regular expression takes its place. The query stays as it is.
 */

import { escapePath } from "../../dataplane/writable_text.ts";
import type { PathModifier } from "../../dataplane/http_filters.ts";
import { significantPrefix } from "../../dataplane/match.ts";
import type { ProtoObject } from "../codec.ts";
import { quoted, substitution } from "./writable_text.ts";

/** The field of a RouteAction or RedirectAction that changes the path; none if nothing changes. */
export function pathRewriteFields(modifier: PathModifier | undefined): ProtoObject {
  if (modifier === undefined) return {};
  const value = withSlash(escapePath(modifier.value));
  if (modifier.type === "ReplaceFullPath") return regexRewrite("^/.*$", value || "/");
  const prefix = significantPrefix(modifier.prefix);
  const replacement = significantPrefix(value);
  if (prefix === replacement) return {};
  if (prefix === "") return regexRewrite("^/", `${replacement}/`);
  if (replacement === "") return regexRewrite(`^${quoted(prefix)}/*`, "/");
  return { prefixRewrite: replacement };
}

function withSlash(path: string): string {
  return path === "" || path.startsWith("/") ? path : `/${path}`;
}

function regexRewrite(regex: string, text: string): ProtoObject {
  return { regexRewrite: { pattern: { regex }, substitution: substitution(text) } };
}
