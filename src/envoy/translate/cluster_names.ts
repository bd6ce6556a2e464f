/**
 * Names of Envoy's clusters: those of the model, and what a Gateway or a rule makes of them.
 *
 * A name follows from names alone, never from what a cluster holds, so that a change of a Service
 * leaves the routes to it alone.
 */

import type {
  CertificateName,
  ClusterName,
  HttpRouteEntry,
  StreamRouteEntry,
} from "../../dataplane/model.ts";

/** Never defined: what is sent there is answered as an invalid reference, connections are closed. */
export const invalidCluster = "weir-invalid";

/**
 * The cluster with the endpoints of `cluster`, to which the Gateway shows `clientCertificate` when it
 * has one: the certificate is a part of the cluster in Envoy.
 */
export function envoyClusterName(
  cluster: ClusterName,
  clientCertificate: CertificateName | undefined,
): string {
  return withCertificate(cluster, clientCertificate);
}

/** The same for a reference; of one that is invalid, the cluster that is never defined. */
export function referredCluster(
  cluster: ClusterName | undefined,
  clientCertificate: CertificateName | undefined,
): string {
  return cluster === undefined ? invalidCluster : envoyClusterName(cluster, clientCertificate);
}

/** The cluster with the endpoints of all backends of a rule. */
export function mergedClusterName(
  entry: HttpRouteEntry | StreamRouteEntry,
  clientCertificate: CertificateName | undefined,
): string {
  const { kind, namespace, name } = entry.origin;
  const rule = "ruleIndex" in entry ? entry.ruleIndex : 0;
  return withCertificate(`${kind}/${namespace}/${name}/${rule}`, clientCertificate);
}

function withCertificate(name: string, certificate: CertificateName | undefined): string {
  return certificate === undefined ? name : `${name}?client=${certificate}`;
}
