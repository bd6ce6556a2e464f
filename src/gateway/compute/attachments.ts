/** Which routes are attached to the listeners of a parent: the other direction of the bindings. */

import type { ParentKey } from "../parent_keys.ts";
import type { RouteKind } from "../route_kinds.ts";
import type { Attachment, ComputeView, EntryOf } from "./compute_view.ts";

/**
 * The attachments of routes of `kind` to `parent` by the id of the listener, sorted by route. A route
 * that reaches a listener through several parent references is attached once.
 */
export function computeAttachments<K extends RouteKind>(
  view: Pick<ComputeView, "routesOfParent" | "routeBindings">,
  kind: K,
  parent: ParentKey,
): ReadonlyMap<string, readonly Attachment<EntryOf[K]>[]> {
  const attachments = new Map<string, Attachment<EntryOf[K]>[]>();
  for (const route of view.routesOfParent(kind, parent)) {
    for (const binding of view.routeBindings(kind, route)) {
      if (binding.parent !== parent) continue;
      const isCounted = !binding.fault;
      for (const { listener, entries } of binding.bound) {
        const attached = attachments.get(listener);
        if (!attached) attachments.set(listener, [{ route, entries, isCounted }]);
        // All references of one route are handled together, so its earlier entry is the last one.
        else if (attached.at(-1)?.route !== route) attached.push({ route, entries, isCounted });
      }
    }
  }
  return attachments;
}
