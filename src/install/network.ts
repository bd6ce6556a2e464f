/**
 * The way of traffic to the replicas: Service and NetworkPolicy.
 *
 * No pod reaches the HTTP API but those that scrape metrics, where a namespace for them was named, and
 * those need a token; probes come from the node, which policies let through.
 */

import type { InstallOptions, Manifest } from "./install_options.ts";
import { metadataOf, selectorLabels, workloadName } from "./naming.ts";

/** What stands before the replicas; no Service where they serve no traffic. */
export function networkManifests(options: InstallOptions): Manifest[] {
  return [...service(options), networkPolicy(options)];
}

function service(options: InstallOptions): Manifest[] {
  const { serviceType, trafficPorts } = options;
  if (serviceType === undefined || trafficPorts.length === 0) return [];
  return [{
    comment: "The way in. Traffic stays on the node where it arrives, so that weir sees the " +
      "addresses of clients.",
    object: {
      apiVersion: "v1",
      kind: "Service",
      metadata: metadataOf(options, workloadName, options.namespace),
      spec: {
        type: serviceType,
        ...serviceType === "ClusterIP" ? {} : { externalTrafficPolicy: "Local" },
        ipFamilyPolicy: "PreferDualStack",
        selector: selectorLabels(options),
        ports: trafficPorts.map((port) => ({
          name: `port-${port}`,
          port,
          targetPort: port,
          protocol: "TCP",
        })),
      },
    },
  }];
}

function networkPolicy(options: InstallOptions): Manifest {
  const { trafficPorts, metricsFrom, apiPort } = options;
  const traffic = trafficPorts.map((port) => ({ port, protocol: "TCP" }));
  const scrape = {
    from: [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": metricsFrom } } }],
    ports: [{ port: apiPort, protocol: "TCP" }],
  };
  const who = metricsFrom === undefined
    ? "no pod reaches the HTTP API"
    : `of all pods only those of namespace "${metricsFrom}" reach the HTTP API`;
  return {
    comment:
      `Whoever may reach weir: ${
        traffic.length > 0 ? "everybody the ports of listeners; " : ""
      }${who}, which asks for a token. Nothing is said about the way out: a gateway goes wherever the ` +
      "backends are.",
    object: {
      apiVersion: "networking.k8s.io/v1",
      kind: "NetworkPolicy",
      metadata: metadataOf(options, workloadName, options.namespace),
      spec: {
        podSelector: { matchLabels: selectorLabels(options) },
        policyTypes: ["Ingress"],
        ingress: [
          ...traffic.length > 0 ? [{ ports: traffic }] : [],
          ...metricsFrom === undefined ? [] : [scrape],
        ],
      },
    },
  };
}
