/**
 * What the data plane shall serve, all at once and from scratch: Gateways with their routes, clusters,
 * certificates. The incremental way to the same is in incremental_outputs.ts.
 */

import { clustersOfAction } from "../../dataplane/action_clusters.ts";
import type {
  Certificate,
  CertificateName,
  Cluster,
  ClusterName,
  DataPlaneConfig,
  GatewayConfig,
  GatewayKey,
  HttpRouteEntry,
} from "../../dataplane/model.ts";
import { compareHttpRouteEntries } from "../../dataplane/precedence.ts";
import type { ObjectKey } from "../../kube/object.ts";
import { computeCluster } from "./backends.ts";
import { computeCertificate } from "./certificate.ts";
import type { Attachment } from "./compute_view.ts";
import { computeGatewayFrame, withRoutes } from "./gateway_config.ts";
import type { ScratchView } from "./scratch_view.ts";

/** Computes the whole configuration. Gateways that cannot be served are not in it. */
export function computeDataPlaneConfig(view: ScratchView): DataPlaneConfig {
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

function computeGatewayConfig(view: ScratchView, key: ObjectKey): GatewayConfig | undefined {
  const frame = computeGatewayFrame(view, key);
  if (!frame) return undefined;
  const attachments = view.attachments(key);
  return withRoutes(frame, (listener) => sortEntries(attachments.get(listener) ?? []));
}

function sortEntries(attachments: readonly Attachment[]): readonly HttpRouteEntry[] {
  return attachments.flatMap(({ entries }) => entries).sort(compareHttpRouteEntries);
}

/** Clusters that a route leads to, sorted by name. */
function computeClusters(
  view: ScratchView,
  gateways: Iterable<GatewayConfig>,
): ReadonlyMap<ClusterName, Cluster> {
  const names = new Set<ClusterName>();
  for (const { listeners } of gateways) {
    for (const { routes } of listeners) {
      for (const { action } of routes) {
        for (const cluster of clustersOfAction(action)) names.add(cluster);
      }
    }
  }
  return new Map([...names].sort().map((name) => [name, computeCluster(view, name)]));
}

/** Certificates that a listener shows, sorted by name. */
function computeCertificates(
  view: ScratchView,
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
    const certificate = computeCertificate(view, name);
    if (certificate) certificates.set(name, certificate);
  }
  return certificates;
}
