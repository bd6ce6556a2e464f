/** Parts of filters that routes of HTTP and of gRPC share, with the defaults of the API. */

import * as v from "valibot";
import { backendObjectReferenceSchema } from "./backend_reference.ts";
import type { Immutable } from "./decoded.ts";
import { firstOfEachHeader } from "./value_match.ts";

const headerValuesSchema = v.optional(
  v.pipe(
    v.array(v.object({ name: v.string(), value: v.string() })),
    v.transform(firstOfEachHeader),
  ),
  [],
);

/** What is set, added and removed of headers (Gateway API, HTTPHeaderFilter). */
export const headerModifierSchema = v.object({
  set: headerValuesSchema,
  add: headerValuesSchema,
  remove: v.optional(v.array(v.string()), []),
});

/** Where copies of requests go, and of how many (Gateway API, HTTPRequestMirrorFilter). */
export const requestMirrorSchema = v.object({
  backendRef: backendObjectReferenceSchema,
  percent: v.exactOptional(v.number()),
  fraction: v.exactOptional(
    v.object({ numerator: v.number(), denominator: v.optional(v.number(), 100) }),
  ),
});

/** A mirror as the engine reads it; without percent and fraction every request is copied. */
export type RequestMirror = Immutable<v.InferOutput<typeof requestMirrorSchema>>;

/**
 * The types of all filters of a rule that may hold anything, those of its backend references too, as
 * filters with nothing else. One of them may be there to keep requests out.
 */
export function bareFiltersOf(rule: unknown): { type: string }[] {
  const backends = propertyOf(rule, "backendRefs");
  const owners = [rule, ...Array.isArray(backends) ? backends : []];
  return [...new Set(owners.flatMap(filterTypesOf))].map((type) => ({ type }));
}

function filterTypesOf(owner: unknown): readonly string[] {
  const filters = propertyOf(owner, "filters");
  if (!Array.isArray(filters)) return [];
  return filters.map((filter) => propertyOf(filter, "type")).filter((type) =>
    typeof type === "string"
  );
}

function propertyOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
