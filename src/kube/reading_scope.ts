/**
 * What is read of a kind in one go: one namespace, or everything; and how the reading of a kind is, by
 * how it is in each.
 */

import type { ClusterError } from "./cluster_error.ts";
import type { KindState } from "./kind_state.ts";

/** One namespace, or everything. */
export interface ReadingScope {
  readonly namespace: string | undefined;
  hasSnapshot: boolean;
  /** Whether the cluster has told what there is; a snapshot may be empty for lack of a right. */
  wasRead: boolean;
  fault: ClusterError | undefined;
}

/** How the reading of a kind is: as in the worst of its scopes. */
export function phaseOf(
  scopes: readonly ReadingScope[],
  hasSnapshot: boolean,
): Pick<KindState, "phase" | "reason"> {
  const faulty = scopes.filter(({ fault }) => fault !== undefined);
  const worst = faulty.find(({ fault }) => fault?.kind === "forbidden") ?? faulty[0];
  if (worst?.fault === undefined) return { phase: hasSnapshot ? "live" : "starting" };
  const { namespace, fault } = worst;
  const reason = namespace === undefined
    ? fault.message
    : `In namespace "${namespace}": ${fault.message}`;
  const isForbidden = fault.kind === "forbidden";
  return { phase: isForbidden ? "forbidden" : hasSnapshot ? "stale" : "starting", reason };
}
