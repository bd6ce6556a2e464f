/**
 * What the computation read, in the words of the API: kind, name and field of an object, a set by
 * what was looked for, what a data plane answered, which addresses were assigned.
 *
 * Only names and fields: no value of an input passes through here. Pure.
 */

import type { InputChange } from "../../query/node.ts";
import type { ReadNode } from "../../query/explain.ts";
import { routeKinds } from "../route_kinds.ts";

/** An input, as a person knows it. */
export interface InputPlace {
  readonly kind: string;
  /** Absent for a cluster-scoped object. */
  readonly namespace?: string;
  /** `*`: every object that was looked for. */
  readonly name: string;
  /** As in the API; absent: all of it. */
  readonly field?: string;
  /** `acknowledgement`: what a data plane answered for this Gateway. `addresses`: what it was given. */
  readonly source: "object" | "acknowledgement" | "addresses";
  /** Of a set: its members, in words. */
  readonly lookedFor?: string;
}

/** Splits `namespace/name`; a name alone has no namespace. */
export function splitKey(key: string): { readonly namespace?: string; readonly name: string } {
  const slash = key.indexOf("/");
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

/** The place of an input of the engine by its name there. */
export function placeOfRead({ name, key, input }: ReadNode): InputPlace {
  return placeOf(name, key, input?.slice ?? "");
}

/** The place that `change` was made at; the field only when it is one. */
export function placeOfChange({ input, key, slices }: InputChange): InputPlace {
  const [only = ""] = slices;
  return placeOf(input, key, slices.length === 1 ? only : "");
}

function placeOf(input: string, key: string, slice: string): InputPlace {
  const special = specialInputs[input];
  if (special) return special(key, slice);
  return { kind: input, ...splitKey(key), ...fieldOf(slice), source: "object" };
}

function fieldOf(field: string): { readonly field?: string } {
  return field === "" ? {} : { field };
}

/** Inputs that are not the objects of a kind. */
const specialInputs: Readonly<Record<string, (key: string, slice: string) => InputPlace>> = {
  addresses: (key, slice) => ({
    kind: "Gateway",
    ...splitKey(key),
    ...fieldOf(slice),
    source: "addresses",
  }),
  acknowledgements: (key, slice) => ({
    kind: "Gateway",
    ...splitKey(key),
    ...fieldOf(answerFields[slice] ?? slice),
    source: "acknowledgement",
  }),
  "acknowledged routes": (pair) => {
    const [gateway = "", ...route] = pair.split(" ");
    const place = { kind: "Gateway", ...splitKey(gateway), source: "acknowledgement" } as const;
    return { ...place, field: `routes[${route.join(" ")}]` };
  },
  grants: (namespace) => ({
    kind: "ReferenceGrant",
    namespace,
    name: "*",
    source: "object",
    lookedFor: `ReferenceGrants in namespace "${namespace}"`,
  }),
  "slices of Service": (key) => ({
    kind: "EndpointSlice",
    ...splitKey(key),
    name: "*",
    source: "object",
    lookedFor: `EndpointSlices of Service "${key}"`,
  }),
  "Gateways at": (address) => ({
    kind: "Gateway",
    name: "*",
    source: "object",
    lookedFor: `Gateways at address ${address}`,
  }),
  "default Gateways": () => ({
    kind: "Gateway",
    name: "*",
    source: "object",
    lookedFor: "Gateways that are default Gateways",
  }),
  "Gateway API": () => ({
    kind: "CustomResourceDefinition",
    name: "*",
    source: "object",
    lookedFor: "CRDs of the Gateway API and the release that they name",
  }),
  // The key is the kind, the parent and the route; a ListenerSet's has its kind with it.
  shadows: (key) => {
    const [kind = "", ...rest] = key.split(" ");
    const route = rest.pop() ?? "";
    return {
      kind,
      name: "*",
      source: "object",
      lookedFor: `routes of "${rest.join(" ")}" that come before ${kind} "${route}"`,
    };
  },
  "ListenerSets of Gateway": (key) => ({
    kind: "ListenerSet",
    name: "*",
    source: "object",
    lookedFor: `ListenerSets with a parentRef to Gateway "${key}"`,
  }),
  "policies of Service": (key) => ({
    kind: "BackendTLSPolicy",
    name: "*",
    source: "object",
    lookedFor: `BackendTLSPolicies about Service "${key}"`,
  }),
  "routes to Service": (key) => ({
    kind: "HTTPRoute",
    name: "*",
    source: "object",
    lookedFor: `HTTPRoutes, GRPCRoutes and TLSRoutes that name Service "${key}"`,
  }),
  ...Object.fromEntries(routeKinds.map((kind) => [
    `${kind}s of`,
    (key: string): InputPlace => ({
      kind,
      name: "*",
      source: "object",
      lookedFor: `${kind}s with a parentRef to "${key}"`,
    }),
  ])),
};

/** What an answer says, by the slice of it. */
const answerFields: Readonly<Record<string, string>> = {
  presence: "",
  frame: "configuration",
};
