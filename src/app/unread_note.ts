/**
 * Why an object may be in the cluster and count as absent all the same: how its kind is read, in a
 * sentence. Pure.
 */

import type { Config } from "../config/flags.ts";
import type { KindState } from "../kube/kind_state.ts";
import type { Kind } from "../kube/kinds.ts";

/** How a cluster is read. */
export interface ReadingScope {
  readonly states: ReadonlyMap<Kind, Pick<KindState, "phase" | "reason">>;
  readonly settings: Pick<Config, "namespaces" | "secretNamespaces">;
}

/** Says why an object of `kind` in `namespace` may not be seen; undefined when it would be. */
export type UnreadNote = (kind: Kind, namespace: string | undefined) => string | undefined;

/** See {@linkcode UnreadNote}. */
export function unreadNote(
  kind: Kind,
  namespace: string | undefined,
  { states, settings }: ReadingScope,
): string | undefined {
  const { phase = "starting", reason = "" } = states.get(kind) ?? {};
  switch (phase) {
    case "off":
      return `${kind} is not read from the cluster, as the settings say`;
    case "absent":
      return `The cluster does not have the kind ${kind}`;
    case "forbidden":
    case "stale":
      return `${kind} cannot be read now, what is known of it counts: ${reason}`;
    case "starting":
    case "live":
      return namespace === undefined ? undefined : outOfScope(kind, namespace, settings);
  }
}

function outOfScope(
  kind: Kind,
  namespace: string,
  { namespaces, secretNamespaces }: ReadingScope["settings"],
): string | undefined {
  const isSecret = kind === "Secret" && secretNamespaces.length > 0;
  const read = isSecret ? secretNamespaces : namespaces;
  if (read.length === 0 || read.includes(namespace)) return undefined;
  return `${kind} is not read in namespace "${namespace}" (${
    isSecret ? "--secret-namespaces" : "--namespaces"
  })`;
}
