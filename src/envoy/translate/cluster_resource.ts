/**
 * Clusters and their endpoints (Envoy, cluster manager).
 *
 * Endpoints come by themselves, so that a change of them touches nothing else; only names to look up
 * stand in the cluster, which has no other way. Limits of Envoy that would refuse ordinary traffic
 * (1,024 connections and requests) are raised.
 */

import type { CertificateName, Cluster, Endpoint } from "../../dataplane/model.ts";
import type { ProtoJson, ProtoObject } from "../codec.ts";
import type { MergedCluster } from "./merged_cluster.ts";
import { duration, fromAds, present, socketAddress, typed } from "./proto_fields.ts";
import { upstreamTls } from "./tls_context.ts";

/** What clusters depend on besides the model. */
export interface ClusterOptions {
  /** A file of the machine that Envoy runs on, with what it trusts by itself (PEM). */
  readonly systemTrustFile: string;
}

const connectTimeoutMs = 5_000;
const idleTimeoutMs = 60_000;
const unlimited = 1_000_000;
const bufferBytesMax = 32_768;
const streamWindowBytes = 65_536;
const connectionWindowBytes = 1_048_576;

/** `config.cluster.v3.Cluster` called `name` for the endpoints of `cluster`. */
export function clusterMessage(
  name: string,
  cluster: Cluster,
  clientCertificate: CertificateName | undefined,
  options: ClusterOptions,
): ProtoObject {
  return {
    name,
    ...discovery(hasNames(cluster), () => assignmentMessage(name, cluster)),
    lbPolicy: "LEAST_REQUEST",
    ...connectionFields(cluster, clientCertificate, options),
  };
}

/** The same for several backends, of which each gets its weight's share. */
export function mergedClusterMessage(
  name: string,
  merged: MergedCluster,
  clientCertificate: CertificateName | undefined,
  options: ClusterOptions,
): ProtoObject {
  const [first] = merged.shares;
  return {
    name,
    ...discovery(needsLookup(merged), () => mergedAssignmentMessage(name, merged)),
    lbPolicy: "ROUND_ROBIN",
    commonLbConfig: { localityWeightedLbConfig: {} },
    ...(first === undefined ? {} : connectionFields(first.cluster, clientCertificate, options)),
  };
}

/** `config.endpoint.v3.ClusterLoadAssignment` of a cluster called `name`. */
export function assignmentMessage(name: string, { endpoints }: Cluster): ProtoObject {
  if (endpoints.length === 0) return { clusterName: name };
  return { clusterName: name, endpoints: [{ lbEndpoints: endpoints.map(lbEndpoint) }] };
}

/** The same for several backends: each a locality. */
export function mergedAssignmentMessage(name: string, { shares }: MergedCluster): ProtoObject {
  return {
    clusterName: name,
    endpoints: shares.map(({ weight, cluster }, index): ProtoJson => ({
      // A backend that stands twice has two localities, which need two names.
      locality: { region: cluster.name, zone: String(index) },
      loadBalancingWeight: weight,
      ...(cluster.endpoints.length > 0 ? { lbEndpoints: cluster.endpoints.map(lbEndpoint) } : {}),
    })),
  };
}

/** Whether endpoints are names that Envoy looks up, which it is told with the cluster. */
export function needsLookup({ shares }: MergedCluster): boolean {
  return shares.some(({ cluster }) => hasNames(cluster));
}

/** The same for one backend. */
export function hasNames({ addressType }: Cluster): boolean {
  return addressType === "FQDN";
}

function discovery(isLookedUp: boolean, assignment: () => ProtoObject): ProtoObject {
  return isLookedUp
    ? { type: "STRICT_DNS", respectDnsTtl: true, loadAssignment: assignment() }
    : { type: "EDS", edsClusterConfig: { edsConfig: fromAds } };
}

function connectionFields(
  cluster: Cluster,
  clientCertificate: CertificateName | undefined,
  { systemTrustFile }: ClusterOptions,
): ProtoObject {
  const speaksHttp2 = isHttp2(cluster);
  return present({
    connectTimeout: duration(connectTimeoutMs),
    perConnectionBufferLimitBytes: bufferBytesMax,
    circuitBreakers: {
      thresholds: [{
        maxConnections: unlimited,
        maxPendingRequests: unlimited,
        maxRequests: unlimited,
        maxRetries: unlimited,
      }],
    },
    typedExtensionProtocolOptions: isStream(cluster) ? undefined : {
      "envoy.extensions.upstreams.http.v3.HttpProtocolOptions": typed(
        "envoy.extensions.upstreams.http.v3.HttpProtocolOptions",
        {
          commonHttpProtocolOptions: { idleTimeout: duration(idleTimeoutMs) },
          explicitHttpConfig: speaksHttp2
            ? {
              http2ProtocolOptions: {
                initialStreamWindowSize: streamWindowBytes,
                initialConnectionWindowSize: connectionWindowBytes,
              },
            }
            : { httpProtocolOptions: {} },
        },
      ),
    },
    transportSocket: cluster.tls &&
      upstreamTls(cluster.tls, speaksHttp2, clientCertificate, systemTrustFile),
  });
}

/** Clusters of streams say so in their names. */
function isStream({ name }: Cluster): boolean {
  return /\/(?:TCP|UDP|TLS)$/.test(name);
}

function isHttp2({ name, appProtocol }: Cluster): boolean {
  return appProtocol === "h2c" || name.endsWith("/GRPC");
}

function lbEndpoint({ address, port }: Endpoint): ProtoJson {
  return { endpoint: { address: socketAddress(address, port) } };
}
