/** Which Gateways and ListenerSets a route names as parents; whether they are managed is not decided here. */

import type { Brand } from "../base/brand.ts";
import { type ObjectKey, objectKey } from "../kube/object.ts";
import type { ParentReference } from "../kube/decode/parent_reference.ts";

/** The API group of the Gateway API. */
export const gatewayGroup = "gateway.networking.k8s.io";

/**
 * A Gateway or a ListenerSet as the parent of routes. A Gateway's is its own key, so that the usual
 * parent costs no text of its own; a ListenerSet's has its kind before it.
 */
export type ParentKey = Brand<"ParentKey">;

const setPrefix = "ListenerSet ";

/** Every default Gateway, whichever they are, as the parent of routes that ask for it (GEP-3793). */
export const defaultGateways = "default Gateways" as ParentKey;

/** A Gateway as a parent. */
export function gatewayParent(gateway: ObjectKey): ParentKey {
  return `${gateway}` as ParentKey;
}

/** A ListenerSet as a parent. */
export function setParent(set: ObjectKey): ParentKey {
  return `${setPrefix}${set}` as ParentKey;
}

/** What kind of parent it is, and the key of the object. */
export interface ParsedParent {
  readonly kind: "Gateway" | "ListenerSet";
  readonly key: ObjectKey;
}

/** The object behind `parent`. Keys hold no space, so the two forms cannot be mistaken. */
export function parseParentKey(parent: ParentKey): ParsedParent {
  return parent.startsWith(setPrefix)
    ? { kind: "ListenerSet", key: objectKey(undefined, parent.slice(setPrefix.length)) }
    : { kind: "Gateway", key: objectKey(undefined, parent) };
}

/**
 * The parent that `reference` of an object in `namespace` names, by its group and kind or their
 * defaults; undefined when it is of a kind that is no parent here (a Service, for a mesh).
 */
export function parentOf(reference: ParentReference, namespace: string): ParentKey | undefined {
  if (reference.group !== undefined && reference.group !== gatewayGroup) return undefined;
  const key = objectKey(reference.namespace ?? namespace, reference.name);
  switch (reference.kind ?? "Gateway") {
    case "Gateway":
      return gatewayParent(key);
    case "ListenerSet":
      return setParent(key);
    default:
      return undefined;
  }
}

/** A route as far as its parents are concerned. */
export interface RouteWithParents {
  readonly metadata: { readonly namespace: string };
  readonly spec: {
    readonly parentRefs: readonly ParentReference[];
    readonly useDefaultGateways?: string;
  };
}

/** Whether the scope of a Gateway or route is one that makes them meet; there is one so far. */
export function isDefaultScope(scope: string | undefined): boolean {
  return scope === "All";
}

const noParents: readonly ParentKey[] = [];

/** The parents that `route` names, each once; {@linkcode defaultGateways} when it uses these. */
export function parentKeysOf(
  { metadata, spec: { parentRefs, useDefaultGateways } }: RouteWithParents,
): readonly ParentKey[] {
  const isDefaulted = isDefaultScope(useDefaultGateways);
  const [first] = parentRefs;
  if (!first) return isDefaulted ? [defaultGateways] : noParents;
  if (parentRefs.length === 1 && !isDefaulted) {
    const parent = parentOf(first, metadata.namespace);
    return parent === undefined ? noParents : [parent];
  }
  const parents = new Set<ParentKey>();
  for (const reference of parentRefs) {
    const parent = parentOf(reference, metadata.namespace);
    if (parent !== undefined) parents.add(parent);
  }
  if (isDefaulted) parents.add(defaultGateways);
  return [...parents];
}

/** The Gateway that a ListenerSet names; undefined when it names something else. */
export function gatewayOfSet(
  { metadata, spec: { parentRef } }: {
    readonly metadata: { readonly namespace: string };
    readonly spec: { readonly parentRef: ParentReference };
  },
): ObjectKey | undefined {
  const parent = parentOf(parentRef, metadata.namespace);
  if (parent === undefined) return undefined;
  const { kind, key } = parseParentKey(parent);
  return kind === "Gateway" ? key : undefined;
}

/** The parent behind the origin of a listener. */
export function parentOfOrigin(
  { kind, namespace, name }: {
    readonly kind: string;
    readonly namespace: string;
    readonly name: string;
  },
): ParentKey {
  const key = objectKey(namespace, name);
  return kind === "ListenerSet" ? setParent(key) : gatewayParent(key);
}
