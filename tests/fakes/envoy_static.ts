/**
 * A world of Envoy as one configuration file: what is delivered by name stands where it is named.
 * For tests that show resources to a real Envoy without a server to deliver them. Pure.
 */

import type { EnvoyCodec, ProtoJson, ProtoObject } from "../../src/envoy/codec.ts";
import {
  type EnvoyKind,
  type EnvoyWorld,
  messageNames,
  typeUrlPrefix,
} from "../../src/envoy/resources.ts";

type Json = { [field: string]: ProtoJson };

/** The resources of `kind` as proto-JSON, by name. */
export function shownResources(
  { resources }: EnvoyWorld,
  kind: EnvoyKind,
  codec: EnvoyCodec,
): ReadonlyMap<string, ProtoObject> {
  return new Map(
    [...resources[kind]].map((
      [name, { bytes }],
    ) => [name, asObject(codec.decode(messageNames[kind], bytes))]),
  );
}

/** The bootstrap file's content; `adminPath` is a socket. */
export function staticBootstrap(
  world: EnvoyWorld,
  codec: EnvoyCodec,
  adminPath: string,
): ProtoObject {
  const shown = (kind: EnvoyKind) => shownResources(world, kind, codec);
  const routes = shown("route");
  const endpoints = shown("endpoints");
  return {
    node: { id: "test", cluster: "test" },
    admin: { address: { pipe: { path: adminPath } } },
    staticResources: {
      listeners: [...shown("listener").values()].map((listener) => inline(listener, routes)),
      clusters: [...shown("cluster").values()].map((cluster) =>
        withEndpoints(asObject(inline(cluster, routes)), endpoints)
      ),
      secrets: [...shown("secret").values()],
    },
  };
}

function inline(value: ProtoJson, routes: ReadonlyMap<string, ProtoObject>): ProtoJson {
  if (isList(value)) return value.map((part) => inline(part, routes));
  if (typeof value !== "object" || value === null) return value;
  const found: Json = {};
  for (const [field, part] of Object.entries(value)) {
    if (field === "rds") {
      const name = asObject(part).routeConfigName;
      const route = routes.get(String(name));
      if (route === undefined) throw new Error(`Cannot inline routes "${name}": there are none`);
      found.routeConfig = route;
    } else if (field !== "sdsConfig") found[field] = inline(part, routes);
  }
  return found;
}

function withEndpoints(
  cluster: ProtoObject,
  endpoints: ReadonlyMap<string, ProtoObject>,
): ProtoObject {
  if (cluster.type !== "EDS") return cluster;
  const { edsClusterConfig: _, ...rest } = cluster;
  const loadAssignment = endpoints.get(String(cluster.name));
  if (loadAssignment === undefined) throw new Error(`Cannot find endpoints of "${cluster.name}"`);
  return { ...rest, type: "STATIC", loadAssignment };
}

function isList(value: ProtoJson): value is readonly ProtoJson[] {
  return Array.isArray(value);
}

function asObject(value: ProtoJson): ProtoObject {
  if (typeof value !== "object" || value === null || isList(value)) {
    throw new Error(`Cannot read ${JSON.stringify(value)}: wanted an object`);
  }
  return value;
}

/** `value` of an Any without its type. */
export function anyOf(value: ProtoJson | undefined, messageName: string): ProtoObject {
  const found = asObject(value ?? null);
  if (found["@type"] !== typeUrlPrefix + messageName) throw new Error(`Cannot find ${messageName}`);
  return found;
}
