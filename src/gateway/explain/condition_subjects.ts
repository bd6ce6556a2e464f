/**
 * What the conditions of a status are about, as far as the objects themselves say: which Gateway and
 * ListenerSet a parent is, what a listener refers to. Pure.
 */

import type { GatewayListener } from "../../kube/decode/gateway.ts";
import { type ObjectKey, objectKey, parseObjectKey } from "../../kube/object.ts";
import type { InputReader } from "../input_reader.ts";
import { gatewayOfSet, parentOf, parseParentKey } from "../parent_keys.ts";
import type { ConditionGroup } from "./condition_groups.ts";

/** Parents that a condition is not about, without what it has in common with them. */
export interface OtherParents {
  readonly gateways: ReadonlySet<string>;
  readonly sets: ReadonlySet<string>;
  /** As parents of routes are keyed. */
  readonly parents: ReadonlySet<string>;
}

/** The parents of a route besides one of them. */
export interface Siblings {
  readonly all: OtherParents;
  /** Those of other Gateways: a data plane answers for all of a route at one Gateway. */
  readonly elsewhere: OtherParents;
}

/** What a listener refers to. */
export interface ListenerReferences {
  readonly secrets: ReadonlySet<string>;
  /** CA certificates that clients are checked by. */
  readonly configMaps: ReadonlySet<string>;
  readonly namespaces: ReadonlySet<string>;
}

/** What is asked of the inputs; no query, so nothing is recorded. */
export type SubjectReader = Pick<InputReader, "get">;

/** One parent of a route. */
interface Parent {
  readonly parent: string;
  readonly set?: string;
  /** Undefined: its ListenerSet is gone. */
  readonly gateway?: string;
}

/** The other parents of each group of a route's conditions; nothing for other groups. */
export function otherParentsOf(
  reader: SubjectReader,
  route: ObjectKey,
  groups: readonly ConditionGroup[],
): ReadonlyMap<ConditionGroup, Siblings> {
  const parents = new Map(groups.flatMap((group) => {
    const found = parentOfGroup(reader, route, group);
    return found ? [[group, found] as const] : [];
  }));
  const all = [...parents.values()];
  return new Map([...parents].map(([group, own]) => [group, {
    all: othersThan(own, all),
    elsewhere: othersThan(own, all.filter(({ gateway }) => gateway !== own.gateway)),
  }]));
}

function othersThan(own: Parent, all: readonly Parent[]): OtherParents {
  return {
    gateways: without(all.map(({ gateway }) => gateway), own.gateway),
    sets: without(all.map(({ set }) => set), own.set),
    parents: without(all.map(({ parent }) => parent), own.parent),
  };
}

function without(
  names: readonly (string | undefined)[],
  own: string | undefined,
): ReadonlySet<string> {
  return new Set(names.flatMap((name) => name === undefined || name === own ? [] : [name]));
}

function parentOfGroup(
  reader: SubjectReader,
  route: ObjectKey,
  { parentRef }: ConditionGroup,
): Parent | undefined {
  const { namespace = "" } = parseObjectKey(route);
  const parent = parentRef && parentOf(parentRef, namespace);
  if (parent === undefined) return undefined;
  const { kind, key } = parseParentKey(parent);
  if (kind === "Gateway") return { parent, gateway: key };
  const set = reader.get("ListenerSet", key);
  const gateway = set && gatewayOfSet(set);
  return { parent, set: key, ...(gateway === undefined ? {} : { gateway }) };
}

/** What the listener `name` of a Gateway or ListenerSet refers to; undefined: there is none. */
export function referencesOf(
  reader: SubjectReader,
  kind: string,
  key: ObjectKey,
  name: string,
): ListenerReferences | undefined {
  const set = kind === "ListenerSet" ? reader.get("ListenerSet", key) : undefined;
  const gatewayKey = set ? gatewayOfSet(set) : key;
  const gateway = gatewayKey && reader.get("Gateway", gatewayKey);
  const { listeners = [] } = (set ?? gateway)?.spec ?? {};
  const listener = listeners.find((candidate: GatewayListener) => candidate.name === name);
  if (!gateway || !listener) return undefined;
  const { frontend } = gateway.spec.tls ?? {};
  const frontendTls = frontend?.perPort.find(({ port }) => port === listener.port)?.tls ??
    frontend?.default;
  const certificates = keysOf(listener.tls?.certificateRefs, key);
  const authorities = keysOf(frontendTls?.validation?.caCertificateRefs, gatewayKey);
  return {
    secrets: new Set(certificates),
    configMaps: new Set(authorities),
    namespaces: new Set(
      [...certificates, ...authorities].map((found) => parseObjectKey(found).namespace ?? ""),
    ),
  };
}

interface Reference {
  readonly namespace?: string;
  readonly name: string;
}

/** The objects that `references` of the object `owner` name. */
function keysOf(
  references: readonly Reference[] | undefined,
  owner: ObjectKey,
): readonly ObjectKey[] {
  const own = parseObjectKey(owner).namespace ?? "";
  return references?.map(({ namespace, name }) => objectKey(namespace ?? own, name)) ?? [];
}
