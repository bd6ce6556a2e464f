/**
 * What an Envoy is given: named resources of a few types, encoded once, at one revision.
 *
 * The translation makes worlds, the ADS server delivers them. Neither knows the other: a resource is
 * bytes with a version that follows from the bytes, so that equal content is never sent twice, not
 * even by another process. Parts that did not change keep their identity, down to the runs of a
 * `SortedMap`, so that a change costs what it changes.
 *
 * What a world has to keep to: the names of one kind are unique; every cluster of type EDS has its
 * endpoints (empty, if there are none) and every name of a route, secret or extension that is
 * referred to exists, because Envoy waits for ever for what nobody sends; a listener keeps its name
 * as long as it keeps its address, because Envoy refuses an address twice; and no route, secret or
 * extension is there that nothing refers to, because its question is awaited for some seconds.
 */

import type { SortedMap } from "../base/sorted_map.ts";
import type { Origin } from "../dataplane/model.ts";
import { contentVersion } from "./content_version.ts";

/** The types of resources, in a word each. */
export const envoyKinds = [
  "secret",
  "cluster",
  "endpoints",
  "extension",
  "listener",
  "route",
  "scope",
] as const;
/** One type of resource. */
export type EnvoyKind = typeof envoyKinds[number];

/** The protobuf message of each kind (Envoy, xDS protocol: resource types). */
export const messageNames: Readonly<Record<EnvoyKind, string>> = {
  secret: "envoy.extensions.transport_sockets.tls.v3.Secret",
  cluster: "envoy.config.cluster.v3.Cluster",
  endpoints: "envoy.config.endpoint.v3.ClusterLoadAssignment",
  extension: "envoy.config.core.v3.TypedExtensionConfig",
  listener: "envoy.config.listener.v3.Listener",
  route: "envoy.config.route.v3.RouteConfiguration",
  scope: "envoy.config.route.v3.ScopedRouteConfiguration",
};

/** What a type URL puts before the name of a message. */
export const typeUrlPrefix = "type.googleapis.com/";

const kindsByUrl: ReadonlyMap<string, EnvoyKind> = new Map(
  envoyKinds.map((kind) => [typeUrl(kind), kind]),
);

/** `type.googleapis.com/…` of a kind. */
export function typeUrl(kind: EnvoyKind): string {
  return typeUrlPrefix + messageNames[kind];
}

/** The kind with this type URL; undefined for types that weir does not serve. */
export function kindOfUrl(url: string): EnvoyKind | undefined {
  return kindsByUrl.get(url);
}

/**
 * A Kubernetes object that a resource was made from: whom a refusal of the resource belongs to.
 */
export interface ResourceOrigin extends Origin {
  /** Set when the resource is about one listener: its name in the model. */
  readonly listener?: string;
}

/** One resource. Equal content has equal versions. */
export interface EnvoyResource {
  readonly kind: EnvoyKind;
  /** As Envoy refers to it; of endpoints the name of the cluster. */
  readonly name: string;
  /** Follows from the bytes alone; safe to log, also of secrets. */
  readonly version: string;
  /** The encoded message. May hold a private key: never logged. */
  readonly bytes: Uint8Array;
  /**
   * In the order of precedence, each once; never empty for what a user can break. Part of the
   * identity, not of the version: a resource with other origins and equal bytes is not sent again.
   */
  readonly origins: readonly ResourceOrigin[];
}

/** Resources of one kind by name. */
export type ResourceMap = SortedMap<string, EnvoyResource>;

/** All that one Envoy is given, at one revision. */
export interface EnvoyWorld {
  /** The revision of the configuration that it was made from; never goes backwards. */
  readonly revision: number;
  readonly resources: Readonly<Record<EnvoyKind, ResourceMap>>;
}

/** A resource of these bytes, which nobody may change afterwards. */
export function makeResource(
  kind: EnvoyKind,
  name: string,
  bytes: Uint8Array,
  origins: readonly ResourceOrigin[],
): EnvoyResource {
  return { kind, name, version: contentVersion(bytes), bytes, origins };
}
