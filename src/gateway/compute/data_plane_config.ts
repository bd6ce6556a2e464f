/** What the data plane shall serve: Gateways with their routes, clusters, certificates. */

import {
  type Certificate,
  type CertificateName,
  certificateName,
  type Cluster,
  type ClusterName,
  type DataPlaneConfig,
  type GatewayConfig,
  type GatewayKey,
  gatewayKey,
  type HttpRouteEntry,
  type Listener,
} from "../../dataplane/model.ts";
import { compareHttpRouteEntries } from "../../dataplane/precedence.ts";
import type { Gateway } from "../../kube/decode/gateway.ts";
import { type ObjectKey, objectKey, parseObjectKey } from "../../kube/object.ts";
import { computeCluster } from "./backends.ts";
import type { Attachment, ComputeView, EffectiveListener, ServicePort } from "./compute_view.ts";

/** Computes the whole configuration. Gateways that cannot be served are not in it. */
export function computeDataPlaneConfig(view: ComputeView): DataPlaneConfig {
  const gateways = new Map<GatewayKey, GatewayConfig>();
  for (const key of view.keys("Gateway")) {
    const config = computeGatewayConfig(view, key);
    if (config) gateways.set(config.key, config);
  }
  return {
    revision: view.revision,
    gateways,
    clusters: computeClusters(view, gateways.values()),
    certificates: computeCertificates(view, gateways.values()),
  };
}

function computeGatewayConfig(view: ComputeView, key: ObjectKey): GatewayConfig | undefined {
  const gateway = view.get("Gateway", key);
  const addresses = view.addressesOf(key)?.addresses ?? [];
  const { fault, listeners } = view.listeners(key);
  if (!gateway || fault || addresses.length === 0) return undefined;
  const servable = listeners.filter(({ isServable }) => isServable);
  if (servable.length === 0) return undefined;
  const attachments = view.attachments(key);
  return {
    key: gatewayKey(gateway.metadata.namespace, gateway.metadata.name),
    creationTimestamp: gateway.metadata.creationTimestamp,
    addresses,
    listeners: servable.map((listener) =>
      computeListener(view, gateway, listener, attachments.get(listener.spec.name) ?? [])
    ),
  };
}

function computeListener(
  view: ComputeView,
  { metadata: { namespace, name } }: Gateway,
  { spec, certificates }: EffectiveListener,
  attachments: readonly Attachment[],
): Listener {
  return {
    name: spec.name,
    origin: { kind: "Gateway", namespace, name },
    port: spec.port,
    protocol: spec.protocol === "HTTPS" ? "HTTPS" : "HTTP",
    ...(spec.hostname === undefined ? {} : { hostname: spec.hostname }),
    ...(spec.protocol === "HTTPS" ? { certificates: certificates.map(nameOfCertificate) } : {}),
    routes: computeRoutes(view, attachments),
  };
}

function nameOfCertificate(secret: ObjectKey): CertificateName {
  const { namespace, name } = parseObjectKey(secret);
  return certificateName(namespace ?? "", name);
}

function computeRoutes(
  view: ComputeView,
  attachments: readonly Attachment[],
): readonly HttpRouteEntry[] {
  const entries: HttpRouteEntry[] = [];
  for (const { route, hostnames } of attachments) pushEntries(view, route, hostnames, entries);
  return entries.sort(compareHttpRouteEntries);
}

function pushEntries(
  view: ComputeView,
  key: ObjectKey,
  hostnames: readonly (string | undefined)[],
  entries: HttpRouteEntry[],
): void {
  const metadata = view.get("HTTPRoute", key)?.metadata;
  if (!metadata) return;
  const { namespace, name, creationTimestamp } = metadata;
  const origin = { kind: "HTTPRoute", namespace, name };
  for (const { ruleIndex, name: ruleName, matches, action } of view.routeRules(key).rules) {
    for (const hostname of hostnames) {
      let matchIndex = 0;
      for (const match of matches) {
        const entry: { -readonly [Field in keyof HttpRouteEntry]: HttpRouteEntry[Field] } = {
          origin,
          creationTimestamp,
          ruleIndex,
          matchIndex,
          match,
          action,
        };
        if (ruleName !== undefined) entry.ruleName = ruleName;
        if (hostname !== undefined) entry.hostname = hostname;
        entries.push(entry);
        matchIndex++;
      }
    }
  }
}

/** Clusters that a route leads to, sorted by name. */
function computeClusters(
  view: ComputeView,
  gateways: Iterable<GatewayConfig>,
): ReadonlyMap<ClusterName, Cluster> {
  const targets = new Map<ClusterName, ServicePort>();
  for (const { listeners } of gateways) {
    for (const { routes } of listeners) {
      for (const { action } of routes) {
        for (const { cluster } of action.backends) {
          if (cluster !== undefined && !targets.has(cluster)) {
            targets.set(cluster, servicePortOf(cluster));
          }
        }
      }
    }
  }
  const sorted = [...targets].sort(([a], [b]) => a < b ? -1 : 1);
  return new Map(sorted.map(([name, target]) => [name, computeCluster(view, target)]));
}

function servicePortOf(cluster: ClusterName): ServicePort {
  const [namespace = "", service = "", port] = cluster.split("/");
  return { cluster, namespace, service, port: Number(port) };
}

/** Certificates that a listener shows, sorted by name. */
function computeCertificates(
  view: ComputeView,
  gateways: Iterable<GatewayConfig>,
): ReadonlyMap<CertificateName, Certificate> {
  const names = new Set<CertificateName>();
  for (const { listeners } of gateways) {
    for (const { certificates } of listeners) {
      for (const name of certificates ?? []) names.add(name);
    }
  }
  const certificates = new Map<CertificateName, Certificate>();
  for (const name of [...names].sort()) {
    const [namespace = "", secretName = ""] = name.split("/");
    const tls = view.get("Secret", objectKey(namespace, secretName))?.tls;
    if (!tls || "invalid" in tls) continue;
    const { certificateChain, privateKey, digest } = tls;
    certificates.set(name, { name, certificateChain, privateKey, digest });
  }
  return certificates;
}
