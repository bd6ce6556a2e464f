/** Listeners that nobody uses. Pure. */

import { parseObjectKey } from "../../kube/object.ts";
import type { Outputs } from "../outputs.ts";
import type { Diagnostic } from "./diagnostic_codes.ts";

/** ListenerUnused: accepted, and no route attached. */
export function findUnusedListeners({ statuses }: Outputs): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const { key, body } of statuses.Gateway.values()) {
    if (body.shape !== "conditions") continue;
    const { namespace = "", name } = parseObjectKey(key);
    for (const { name: listener, attachedRoutes, conditions } of body.listeners ?? []) {
      const isAccepted = conditions.some(({ type, status }) =>
        type === "Accepted" && status === "True"
      );
      if (attachedRoutes > 0 || !isAccepted) continue;
      found.push({
        code: "ListenerUnused",
        kind: "Gateway",
        namespace,
        name,
        part: `listener ${listener}`,
        message: "No route is attached to it, its requests are answered 404",
      });
    }
  }
  return found;
}
