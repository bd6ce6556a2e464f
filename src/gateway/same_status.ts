/** When a status is the same as another one: the revision that it carries does not count. */

import { equal } from "../base/equal.ts";
import type { DesiredStatus } from "../kube/desired_status.ts";

/** Whether two statuses say the same of the same generation. */
export function isSameStatus(a: DesiredStatus, b: DesiredStatus): boolean {
  return a === b ||
    a.uid === b.uid && a.generation === b.generation && a.pending === b.pending &&
      equal(a.body, b.body);
}
