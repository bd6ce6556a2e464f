/** What a route asks a listener to serve: an entry for each match of each rule and each hostname. */

import { append } from "../../base/append.ts";
import type { HttpRouteEntry } from "../../dataplane/model.ts";
import { compareHttpRouteEntries } from "../../dataplane/precedence.ts";
import { type ObjectKey, parseObjectKey } from "../../kube/object.ts";
import type { CompiledRule } from "./compute_view.ts";

/**
 * The entries of the route `key` of `kind` at a listener, by precedence.
 *
 * @param hostnames the ones that route and listener have in common; undefined stands for every host
 */
export function computeRouteEntries(
  kind: "HTTPRoute" | "GRPCRoute",
  key: ObjectKey,
  creationTimestamp: string,
  rules: readonly CompiledRule[],
  hostnames: readonly (string | undefined)[],
): readonly HttpRouteEntry[] {
  const { namespace = "", name } = parseObjectKey(key);
  const origin = { kind, namespace, name };
  let entries: HttpRouteEntry[] | undefined;
  for (const { ruleIndex, name: ruleName, matches, action } of rules) {
    for (const hostname of hostnames) {
      let matchIndex = 0;
      for (const match of matches) {
        const entry: { -readonly [Field in keyof HttpRouteEntry]: HttpRouteEntry[Field] } = {
          origin,
          creationTimestamp,
          ruleIndex,
          matchIndex,
          match,
          action,
        };
        if (ruleName !== undefined) entry.ruleName = ruleName;
        if (hostname !== undefined) entry.hostname = hostname;
        entries = append(entries, entry);
        matchIndex++;
      }
    }
  }
  return entries && entries.length > 1 ? entries.sort(compareHttpRouteEntries) : entries ?? [];
}
