/** Which routes are attached to the listeners of a Gateway: the other direction of the bindings. */

import type { ObjectKey } from "../../kube/object.ts";
import type { Attachment, ComputeView } from "./compute_view.ts";

/**
 * The attachments of `gateway` by listener, sorted by route. A route that reaches a listener through
 * several parent references is attached once.
 */
export function computeAttachments(
  view: Pick<ComputeView, "routesOfGateway" | "routeBindings">,
  gateway: ObjectKey,
): ReadonlyMap<string, readonly Attachment[]> {
  const attachments = new Map<string, Attachment[]>();
  for (const route of view.routesOfGateway(gateway)) {
    for (const binding of view.routeBindings(route)) {
      if (binding.gateway !== gateway) continue;
      for (const { listener, entries } of binding.bound) {
        const attached = attachments.get(listener);
        if (!attached) attachments.set(listener, [{ route, entries }]);
        // All references of one route are handled together, so its earlier entry is the last one.
        else if (attached.at(-1)?.route !== route) attached.push({ route, entries });
      }
    }
  }
  return attachments;
}
