/** Matches of named values, such as headers, that routes of HTTP and of gRPC share. */

import * as v from "valibot";

/** A name and its value, exactly or as a regular expression (Gateway API, HTTPHeaderMatch). */
export const valueMatchSchema = v.object({
  type: v.optional(v.picklist(["Exact", "RegularExpression"]), "Exact"),
  name: v.string(),
  value: v.string(),
});

/** `matches[].headers`: names in lower case, no name twice. */
export const headerMatchesSchema = v.optional(
  v.pipe(
    v.array(v.object({
      ...valueMatchSchema.entries,
      name: v.pipe(v.string(), v.toLowerCase()),
    })),
    v.transform(firstOfEachName),
  ),
  [],
);

/** Of entries with one name the first counts (HTTPHeaderMatch and HTTPQueryParamMatch, `name`). */
export function firstOfEachName<T extends { readonly name: string }>(matches: T[]): T[] {
  if (matches.length < 2) return matches;
  return firstOfEach(matches, ({ name }) => name);
}

/** The same for headers, whose names keep their case and are compared without (HTTPHeader, `name`). */
export function firstOfEachHeader<T extends { readonly name: string }>(headers: T[]): T[] {
  return headers.length < 2 ? headers : firstOfEach(headers, ({ name }) => name.toLowerCase());
}

function firstOfEach<T>(entries: T[], nameOf: (entry: T) => string): T[] {
  const seen = new Set<string>();
  return entries.filter((entry) => {
    const name = nameOf(entry);
    return !seen.has(name) && seen.add(name);
  });
}
