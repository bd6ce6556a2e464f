/** How the reading of a cluster is, in words for readiness and for the state. */

import type { KindPhase, KindState } from "../kube/kind_state.ts";
import type { Kind } from "../kube/kinds.ts";
import type { Problem } from "../localkube/store_contract.ts";
import type { Readiness } from "./subsystem.ts";

/**
 * Whether everything that has to be known to serve was read. Kinds that keep nobody from being served
 * are no reason to be unready.
 *
 * @param fault why the CRDs cannot be read, if so
 */
export function clusterReadiness(
  states: ReadonlyMap<Kind, KindState>,
  fault: string | undefined,
): Readiness {
  const waiting = [...states].filter(([, { hasSnapshot }]) => !hasSnapshot);
  if (waiting.length > 0) {
    const [kind, { reason }] = waiting.find(([, state]) => state.reason !== undefined) ??
      waiting[0] ?? ["", { reason: undefined }];
    const names = waiting.map(([name]) => name).join(", ");
    const why = reason === undefined ? "" : `; ${kind}: ${reason}`;
    return { ready: false, reason: `reading ${names}${why}` };
  }
  if (states.size === 0) return { ready: false, reason: fault ?? "reading the CRDs" };
  const troubled = [...states].filter(([, { phase }]) =>
    phase === "stale" || phase === "forbidden"
  );
  if (troubled.length > 0) {
    const words = troubled.map(([kind, { phase }]) => `${kind} is ${phase}`).join(", ");
    return { ready: true, reason: `${words}: the last known objects are served` };
  }
  const inPhase = (wanted: KindPhase): readonly Kind[] =>
    [...states].filter(([, { phase }]) => phase === wanted).map(([kind]) => kind);
  const [absent, off] = [inPhase("absent"), inPhase("off")];
  const without = absent.length === 0 ? "" : `, not in the cluster: ${absent.join(", ")}`;
  const leftOut = off.length === 0 ? "" : `, not asked for: ${off.join(", ")}`;
  const count = states.size - absent.length - off.length;
  return { ready: true, reason: `reading ${count} kinds${without}${leftOut}` };
}

/** What is wrong with the reading of each kind, as problems of the state. */
export function problemsOf(states: ReadonlyMap<Kind, KindState>): readonly Problem[] {
  return [...states]
    .filter(([, { phase, reason }]) => reason !== undefined && phase !== "absent")
    .map(([kind, { phase, reason = "" }]) => ({
      source: "",
      object: kind,
      field: "",
      message: `${phase}: ${reason}`,
    }));
}
