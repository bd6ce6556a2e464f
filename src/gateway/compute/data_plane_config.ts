/**
 * What the data plane shall serve, all at once and from scratch: Gateways with their routes, clusters,
 * certificates. The incremental way to the same is in incremental_outputs.ts.
 */

import type {
  Certificate,
  CertificateName,
  Cluster,
  ClusterName,
  DataPlaneConfig,
  GatewayConfig,
  GatewayKey,
  StreamRouteEntry,
} from "../../dataplane/model.ts";
import { compareHttpRouteEntries, compareStreamRouteEntries } from "../../dataplane/precedence.ts";
import type { ObjectKey } from "../../kube/object.ts";
import type { ListenerFrame } from "../gateway_frame.ts";
import { parentOfOrigin } from "../parent_keys.ts";
import type { RouteKind } from "../route_kinds.ts";
import { computeCluster } from "./backends.ts";
import { computeCertificate } from "./certificate.ts";
import type { Attachment, EntryOf } from "./compute_view.ts";
import { visitClustersOfHttpEntry, visitClustersOfStreamEntry } from "./entry_clusters.ts";
import { computeGatewayFrame } from "./gateway_config.ts";
import { computeGatewayPart, type ListenerContent, noContent } from "./gateway_part.ts";
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
  return computeGatewayPart(frame, (listener) => contentOf(view, listener)).config;
}

function contentOf(view: ScratchView, { name, origin, protocol }: ListenerFrame): ListenerContent {
  const parent = parentOfOrigin(origin);
  const attached = <K extends RouteKind>(kind: K): readonly Attachment<EntryOf[K]>[] =>
    view.attachments(kind, parent).get(name) ?? [];
  switch (protocol) {
    case "HTTP":
    case "HTTPS": {
      const grpc = view.dataPlane.routeKinds.includes("GRPCRoute") ? attached("GRPCRoute") : [];
      const entries = [...attached("HTTPRoute"), ...grpc].flatMap(({ entries }) => entries);
      return { ...noContent, routes: entries.sort(compareHttpRouteEntries) };
    }
    case "TLS":
      return streamContent(attached("TLSRoute"));
    case "TCP":
      return streamContent(attached("TCPRoute"));
    case "UDP":
      return streamContent(attached("UDPRoute"));
  }
}

function streamContent(attached: readonly Attachment<StreamRouteEntry>[]): ListenerContent {
  const entries = attached.flatMap(({ entries }) => entries);
  return { ...noContent, streams: entries.sort(compareStreamRouteEntries) };
}

/** Clusters that a route leads to, sorted by name. */
function computeClusters(
  view: ScratchView,
  gateways: Iterable<GatewayConfig>,
): ReadonlyMap<ClusterName, Cluster> {
  const names = new Set<ClusterName>();
  const add = (name: ClusterName): void => void names.add(name);
  for (const { listeners } of gateways) {
    for (const { routes, streams } of listeners) {
      for (const entry of routes) visitClustersOfHttpEntry(entry, add);
      for (const entry of streams) visitClustersOfStreamEntry(entry, add);
    }
  }
  return new Map([...names].sort().map((name) => [name, computeCluster(view, name)]));
}

/** Certificates that a listener shows, or a Gateway to its backends, sorted by name. */
function computeCertificates(
  view: ScratchView,
  gateways: Iterable<GatewayConfig>,
): ReadonlyMap<CertificateName, Certificate> {
  const names = new Set<CertificateName>();
  for (const { clientCertificate, listeners } of gateways) {
    if (clientCertificate !== undefined) names.add(clientCertificate);
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
