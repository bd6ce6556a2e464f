/**
 * Who names whom, found by looking at every object: the model that the indexes are held to. A
 * computation from scratch reads the indexes too, so it cannot tell when one is wrong.
 */

import { assertEquals } from "@std/assert";
import { InputSets } from "../../src/query/input_sets.ts";
import type { Inputs } from "../../src/gateway/inputs.ts";
import type { Kind } from "../../src/kube/kinds.ts";
import type { ObjectOf } from "../../src/kube/decode/decode.ts";
import type { ObjectKey } from "../../src/kube/object.ts";
import { type RouteKind, routeKinds } from "../../src/gateway/route_kinds.ts";

/** The groups of each member, by the name of the index. */
type NaiveIndexes = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;

/** Throws where an index of `inputs` is not what the objects in there make it. */
export function assertIndexes(inputs: Inputs): void {
  const { routesByParent, ...others } = inputs.indexes;
  const found: readonly (readonly [string, unknown])[] = [
    ...Object.entries(routesByParent).map(([kind, sets]) =>
      [`routesByParent.${kind}`, sets] as const
    ),
    ...Object.entries(others),
  ];
  const naive = naiveIndexes(inputs);
  for (const [name, sets] of found) {
    if (!(sets instanceof InputSets)) continue;
    const index: InputSets<string, string> = sets;
    const members = naive.get(name) ?? new Map<string, ReadonlySet<string>>();
    assertEquals(index.size, members.size, name);
    const groups = new Map<string, string[]>();
    for (const [member, own] of [...members].sort(([a], [b]) => a < b ? -1 : 1)) {
      assertEquals([...index.groupsOf(member)].sort(), [...own].sort(), `${name} ${member}`);
      for (const group of own) groups.set(group, [...groups.get(group) ?? [], member]);
    }
    for (const [group, own] of groups) {
      assertEquals(index.membersOf(group), own, `${name} ${group}`);
    }
  }
}

function naiveIndexes(inputs: Inputs): NaiveIndexes {
  const indexes = new Map<string, Map<string, Set<string>>>();
  const add = (index: string, group: string, member: string): void => {
    const members = indexes.get(index) ?? new Map<string, Set<string>>();
    indexes.set(index, members);
    members.set(member, (members.get(member) ?? new Set()).add(group));
  };
  const all = <K extends Kind>(kind: K): readonly (readonly [ObjectKey, ObjectOf[K]])[] =>
    inputs.keys(kind).flatMap((key) => {
      const object = inputs.get(kind, key);
      return object ? [[key, object] as const] : [];
    });
  const defaults = all("Gateway").filter(([, { spec }]) => spec.defaultScope === "All");
  for (const [key] of defaults) add("gatewaysByDefault", "default Gateways", key);
  for (const [key] of all("Gateway")) {
    for (const address of inputs.addressesOf(key)?.addresses ?? []) {
      add("gatewaysByAddress", address, key);
    }
  }
  for (const kind of routeKinds) {
    for (const [key, { metadata, spec }] of all<RouteKind>(kind)) {
      for (const { group, kind: parentKind = "Gateway", namespace, name } of spec.parentRefs) {
        if (group !== undefined && group !== "gateway.networking.k8s.io") continue;
        const parent = `${namespace ?? metadata.namespace}/${name}`;
        if (parentKind === "Gateway") add(`routesByParent.${kind}`, parent, key);
        if (parentKind === "ListenerSet") {
          add(`routesByParent.${kind}`, `ListenerSet ${parent}`, key);
        }
      }
      if (spec.useDefaultGateways !== "All") continue;
      add(`routesByParent.${kind}`, "default Gateways", key);
      for (const [gateway] of defaults) add(`routesByParent.${kind}`, gateway, key);
    }
  }
  for (const kind of ["HTTPRoute", "GRPCRoute", "TLSRoute"] as const) {
    for (const [key, { metadata, spec }] of all<"HTTPRoute" | "GRPCRoute" | "TLSRoute">(kind)) {
      for (const reference of referencesIn(spec.rules)) {
        if (reference.group !== "" || reference.kind !== "Service") continue;
        const service = `${reference.namespace ?? metadata.namespace}/${reference.name}`;
        add("routesByService", service, `${kind} ${key}`);
      }
    }
  }
  for (const [key, { metadata, spec: { parentRef } }] of all("ListenerSet")) {
    const { kind = "Gateway", namespace = metadata.namespace, name } = parentRef;
    if (kind === "Gateway") add("setsByGateway", `${namespace}/${name}`, key);
  }
  for (const [key, { metadata, spec }] of all("BackendTLSPolicy")) {
    for (const { group, kind, name } of spec.targetRefs) {
      if (group === "" && kind === "Service") {
        add("policiesByService", `${metadata.namespace}/${name}`, key);
      }
    }
  }
  for (const [key, { metadata }] of all("ReferenceGrant")) {
    add("grantsByNamespace", metadata.namespace, key);
  }
  for (const [key, { metadata, serviceName }] of all("EndpointSlice")) {
    if (serviceName !== undefined) {
      add("slicesByService", `${metadata.namespace}/${serviceName}`, key);
    }
  }
  return indexes;
}

/** Everything in `value` that has the shape of a reference to a backend, however deep it is. */
function* referencesIn(value: unknown): Generator<Reference> {
  if (typeof value !== "object" || value === null) return;
  if (isReference(value)) yield value;
  for (const part of Object.values(value)) yield* referencesIn(part);
}

interface Reference {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

function isReference(value: object): value is Reference {
  return "group" in value && "kind" in value && "name" in value;
}
