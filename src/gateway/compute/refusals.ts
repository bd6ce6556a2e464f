/** What of a Gateway a refusal of its data plane is about. */

import type { Refusal } from "../../dataplane/data_plane.ts";

/** Whether `refusal`, which is of no route, puts the listener `id` out of service. */
export function refusesListener({ listener, origin }: Refusal, id: string): boolean {
  if (listener !== undefined) return listener === id;
  // Of a whole ListenerSet only its own listeners are concerned; others' ids begin otherwise.
  return origin.kind !== "ListenerSet" || id.startsWith(`${origin.namespace}/${origin.name}/`);
}
