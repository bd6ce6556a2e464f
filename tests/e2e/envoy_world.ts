/** Worlds for a real Envoy, written as proto-JSON and edited name by name. */

import { SortedMap } from "../../src/base/sorted_map.ts";
import type { EnvoyCodec, ProtoJson, ProtoObject } from "../../src/envoy/codec.ts";
import {
  type EnvoyKind,
  type EnvoyResource,
  type EnvoyWorld,
  makeResource,
  messageNames,
} from "../../src/envoy/resources.ts";

/** One edit: undefined takes the resource away. */
export type WorldEdit = readonly [kind: EnvoyKind, name: string, message: ProtoObject | undefined];

const empty = new SortedMap<string, EnvoyResource>();
const none: EnvoyWorld = {
  revision: 0,
  resources: {
    secret: empty,
    cluster: empty,
    endpoints: empty,
    extension: empty,
    listener: empty,
    route: empty,
    scope: empty,
  },
};

/** `world` with these edits, at the next revision. */
export function editWorld(
  codec: EnvoyCodec,
  edits: readonly WorldEdit[],
  world: EnvoyWorld = none,
): EnvoyWorld {
  const resources: Record<EnvoyKind, SortedMap<string, EnvoyResource>> = { ...world.resources };
  for (const [kind, name, message] of edits) {
    const named = kind === "endpoints" ? { clusterName: name } : { name };
    const origins = [{ kind: "HTTPRoute", namespace: "shop", name }];
    const resource = message &&
      makeResource(kind, name, codec.encode(messageNames[kind], { ...named, ...message }), origins);
    resources[kind] = resources[kind].edit([[name, resource]]);
  }
  return { revision: world.revision + 1, resources };
}

const ads = { ads: {}, resourceApiVersion: "V3" };
const typed = "type.googleapis.com/envoy.extensions.filters";

/** A cluster whose endpoints come by EDS. */
export const edsCluster: ProtoObject = {
  type: "EDS",
  connectTimeout: "2s",
  edsClusterConfig: { edsConfig: ads },
};

/** Endpoints on this port of loopback. */
export function endpointsOn(port: number, address = "127.0.0.1"): ProtoObject {
  const socketAddress = { address, portValue: port };
  return { endpoints: [{ lbEndpoints: [{ endpoint: { address: { socketAddress } } }] }] };
}

/** A listener for HTTP on this port; `routes` says where its routes come from. */
export function httpListener(
  port: number,
  routes: ProtoObject,
  { address = "127.0.0.1", filters = [], secret }: {
    readonly address?: string;
    readonly filters?: readonly ProtoJson[];
    readonly secret?: string;
  } = {},
): ProtoObject {
  const manager = {
    "@type": `${typed}.network.http_connection_manager.v3.HttpConnectionManager`,
    statPrefix: "test",
    httpFilters: [...filters, {
      name: "envoy.filters.http.router",
      typedConfig: { "@type": `${typed}.http.router.v3.Router` },
    }],
    ...routes,
  };
  const chain = {
    filters: [{ name: "envoy.filters.network.http_connection_manager", typedConfig: manager }],
    ...secret === undefined ? {} : { transportSocket: tlsSocket(secret) },
  };
  return {
    address: { socketAddress: { address, portValue: port } },
    filterChains: [chain],
  };
}

function tlsSocket(secret: string): ProtoObject {
  return {
    name: "envoy.transport_sockets.tls",
    typedConfig: {
      "@type": "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext",
      commonTlsContext: { tlsCertificateSdsSecretConfigs: [{ name: secret, sdsConfig: ads }] },
    },
  };
}

/** Routes by RDS under this name. */
export function byRds(routeConfigName: string): ProtoObject {
  return { rds: { routeConfigName, configSource: ads } };
}

/** Routes by SRDS; the scope is what the header `x-scope` says. */
export const byScopes: ProtoObject = {
  scopedRoutes: {
    name: "weir",
    scopeKeyBuilder: {
      fragments: [{ headerValueExtractor: { name: "x-scope", elementSeparator: ":", index: 0 } }],
    },
    scopedRds: { scopedRdsConfigSource: ads },
    rdsConfigSource: ads,
  },
};

/** A filter that comes by ECDS under this name. */
export function extensionFilter(name: string): ProtoObject {
  return { name, configDiscovery: { configSource: ads, typeUrls: [`${typed}.http.lua.v3.Lua`] } };
}

/** A Lua filter for ECDS. */
export function luaExtension(inlineString: string): ProtoObject {
  return {
    typedConfig: { "@type": `${typed}.http.lua.v3.Lua`, defaultSourceCode: { inlineString } },
  };
}

/** All requests of all hosts to one cluster. */
export function routesTo(cluster: string): ProtoObject {
  const routes = [{ name: "all", match: { prefix: "/" }, route: { cluster } }];
  return { virtualHosts: [{ name: "all", domains: ["*"], routes }], validateClusters: false };
}

/** All requests that match a regular expression get an answer of Envoy's own. */
export function routesSaying(inlineString: string, regex = ".*"): ProtoObject {
  const routes = [{
    name: "all",
    match: { safeRegex: { regex } },
    directResponse: { status: 200, body: { inlineString } },
  }];
  return { virtualHosts: [{ name: "all", domains: ["*"], routes }], validateClusters: false };
}

/** A scope of one key with routes of its own. */
export function scopeOf(key: string, routeConfiguration: ProtoObject): ProtoObject {
  return {
    key: { fragments: [{ stringKey: key }] },
    routeConfiguration: { name: key, ...routeConfiguration },
  };
}
