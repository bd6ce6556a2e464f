/**
 * Which Gateways and ListenerSets this instance answers for, and which nobody does, by what the
 * cluster holds now.
 */

import { gatewayGroup, gatewayOfSet } from "../gateway/parent_keys.ts";
import { decodeListenerSet } from "../kube/decode/listener_set.ts";
import type { OwnsParent } from "../kube/entry_merge.ts";
import { asString, isRecord } from "../kube/json_value.ts";
import { type KubeObject, type ObjectKey, objectKey } from "../kube/object.ts";
import type { ClusterObjects, World } from "./world.ts";

type Objects = Pick<ClusterObjects, "get">;

/** What of the cluster one instance serves. */
export interface ServedPart {
  /** `namespace/name`; none: all of them. */
  readonly gateways: readonly string[];
  /** Those that are read; none: all. */
  readonly namespaces: readonly string[];
}

/**
 * An instance that serves some Gateways only leaves the entries of its siblings alone: those for other
 * Gateways and for ListenerSets of these, and those for parents in namespaces that it does not read. A
 * ListenerSet that is not there, or names no Gateway that is, is everybody's; but where no such object
 * could be read yet, an entry may be as true as when an earlier process wrote it, and stays.
 */
export function ownedParents(
  { objects: cluster, wasRead }: Pick<World, "objects" | "wasRead">,
  part: ServedPart,
): OwnsParent {
  const names: ReadonlySet<string> = new Set(part.gateways);
  const namespaces: ReadonlySet<string> = new Set(part.namespaces);
  return ({ group, kind, namespace, name }) => {
    if (namespaces.size > 0 && !namespaces.has(namespace)) return false;
    const isRead = kind !== "Gateway" && kind !== "ListenerSet" || wasRead(kind);
    if (group === gatewayGroup && !isRead) return false;
    if (names.size === 0) return true;
    const key = objectKey(namespace, name);
    if (group !== gatewayGroup || kind !== "ListenerSet") return names.has(key);
    const set = cluster.get("ListenerSet", key);
    const gateway = set && gatewayNamedBy(set);
    if (gateway === undefined || names.has(gateway)) return true;
    return cluster.get("Gateway", gateway) === undefined;
  };
}

/**
 * Whether no controller can answer for `object`, a Gateway or ListenerSet. Nobody knows where what it
 * names cannot be read.
 */
export function isUnanswered(
  { objects: cluster, knowsAbsence }: Pick<World, "objects" | "knowsAbsence">,
  object: KubeObject,
): boolean {
  if (!knowsAbsence("GatewayClass")) return false;
  if (object.kind !== "ListenerSet") return !hasClass(cluster, object);
  const key = gatewayNamedBy(object);
  // A parent of another kind may be somebody's.
  if (key === undefined || !knowsAbsence("Gateway")) return false;
  const gateway = cluster.get("Gateway", key);
  return gateway === undefined || !hasClass(cluster, gateway);
}

function gatewayNamedBy(set: KubeObject): ObjectKey | undefined {
  const decoded = decodeListenerSet(set);
  return decoded.ok ? gatewayOfSet(decoded.value) : undefined;
}

/** Whether the class of `gateway` exists, whoever controls it. */
function hasClass(cluster: Objects, { spec }: KubeObject): boolean {
  const name = isRecord(spec) ? asString(spec.gatewayClassName) : undefined;
  return name !== undefined &&
    cluster.get("GatewayClass", objectKey(undefined, name)) !== undefined;
}
