/** Data plane configurations from a few words. Pure: for tests without permissions too. */

import {
  type Certificate,
  type CertificateName,
  type Cluster,
  type ClusterName,
  type DataPlaneConfig,
  type Endpoint,
  type GatewayConfig,
  type GatewayKey,
  gatewayKey,
  type Listener,
} from "../../src/dataplane/model.ts";

/** A listener of a Gateway called `name`. */
export function listener(
  gateway: string,
  parts: Partial<Listener> & { readonly port: number },
): Listener {
  return {
    name: "http",
    origin: { kind: "Gateway", namespace: "default", name: gateway },
    protocol: "HTTP",
    routes: [],
    streams: [],
    ...parts,
  };
}

/** A Gateway on loopback. */
export function gateway(
  name: string,
  listeners: readonly Listener[],
  parts: Partial<GatewayConfig> = {},
): GatewayConfig {
  return {
    key: gatewayKey("default", name),
    creationTimestamp: "2026-01-01T00:00:00Z",
    addresses: ["127.0.0.1"],
    listeners,
    ...parts,
  };
}

/** The ready endpoints of a cluster. */
export function cluster(name: ClusterName, endpoints: readonly Endpoint[]): Cluster {
  return {
    name,
    origin: { kind: "Service", namespace: "default", name: "backend" },
    port: 80,
    endpoints,
  };
}

/** Endpoints on loopback. */
export function loopback(...ports: readonly number[]): Endpoint[] {
  return ports.map((port) => ({ address: "127.0.0.1", port }));
}

/** A whole configuration. */
export function configOf(parts: {
  readonly revision?: number;
  readonly gateways: readonly GatewayConfig[];
  readonly clusters?: readonly Cluster[];
  readonly certificates?: readonly Certificate[];
}): DataPlaneConfig {
  return {
    revision: parts.revision ?? 1,
    gateways: new Map<GatewayKey, GatewayConfig>(parts.gateways.map((one) => [one.key, one])),
    clusters: new Map<ClusterName, Cluster>((parts.clusters ?? []).map((one) => [one.name, one])),
    certificates: new Map<CertificateName, Certificate>(
      (parts.certificates ?? []).map((one) => [one.name, one]),
    ),
  };
}
