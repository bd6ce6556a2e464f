/**
 * The replicas: Deployment and PodDisruptionBudget.
 *
 * Pods satisfy the Pod Security Standard "restricted" and write no file. A rollout takes no replica away
 * before its successor is ready, and a pod that ends serves on until traffic goes elsewhere.
 */

import type { InstallOptions, Manifest } from "./install_options.ts";
import { commonLabels, metadataOf, selectorLabels, workloadName } from "./naming.ts";

/** A user that is nobody on any node. */
const userId = 65_532;
/** Until nodes and load balancers know that a pod leaves, seconds. */
const farewellSeconds = 5;
/** What is left of the grace period after draining, for closing, seconds. */
const closingSeconds = 15;
/** Ports below need a right that a process of a user does not have, or a sysctl. */
const privilegedPortEnd = 1024;

/** The replicas and how many of them may be away. */
export function workloadManifests(options: InstallOptions): Manifest[] {
  return [
    {
      comment: `The replicas: each computes and ${
        options.trafficPorts.length > 0 ? "serves traffic" : "serves its API"
      }, one of them, the leader, writes statuses.`,
      object: {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: metadataOf(options, workloadName, options.namespace),
        spec: {
          replicas: options.replicas,
          selector: { matchLabels: selectorLabels(options) },
          strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
          template: { metadata: { labels: commonLabels(options) }, spec: podSpec(options) },
        },
      },
    },
    {
      comment: "Nodes are drained one replica at a time, and a pod that never became ready is no " +
        "reason to wait.",
      object: {
        apiVersion: "policy/v1",
        kind: "PodDisruptionBudget",
        metadata: metadataOf(options, workloadName, options.namespace),
        spec: {
          maxUnavailable: 1,
          unhealthyPodEvictionPolicy: "AlwaysAllow",
          selector: { matchLabels: selectorLabels(options) },
        },
      },
    },
  ];
}

function podSpec(options: InstallOptions) {
  const needsSysctl = options.trafficPorts.some((port) => port < privilegedPortEnd);
  return {
    serviceAccountName: workloadName,
    automountServiceAccountToken: true,
    enableServiceLinks: false,
    terminationGracePeriodSeconds: graceSeconds(options),
    securityContext: {
      runAsNonRoot: true,
      runAsUser: userId,
      runAsGroup: userId,
      seccompProfile: { type: "RuntimeDefault" },
      ...needsSysctl
        ? { sysctls: [{ name: "net.ipv4.ip_unprivileged_port_start", value: "0" }] }
        : {},
    },
    topologySpreadConstraints: ["kubernetes.io/hostname", "topology.kubernetes.io/zone"].map(
      (topologyKey) => ({
        maxSkew: 1,
        topologyKey,
        whenUnsatisfiable: "ScheduleAnyway",
        labelSelector: { matchLabels: selectorLabels(options) },
        // Pods of the revision that is being replaced do not count.
        matchLabelKeys: ["pod-template-hash"],
      }),
    ),
    containers: [container(options)],
  };
}

function graceSeconds({ drainTimeoutMs }: InstallOptions): number {
  return farewellSeconds + Math.ceil(drainTimeoutMs / 1000) + closingSeconds;
}

function container({ image, arguments: args, apiPort, trafficPorts }: InstallOptions) {
  return {
    name: "weir",
    image,
    args,
    ports: [
      { name: "api", containerPort: apiPort, protocol: "TCP" },
      ...trafficPorts.map((port) => ({
        name: `port-${port}`,
        containerPort: port,
        protocol: "TCP",
      })),
    ],
    livenessProbe: {
      httpGet: { path: "/livez", port: "api" },
      periodSeconds: 10,
      timeoutSeconds: 5,
      failureThreshold: 3,
    },
    readinessProbe: {
      httpGet: { path: "/readyz", port: "api" },
      periodSeconds: 5,
      timeoutSeconds: 5,
      failureThreshold: 2,
    },
    lifecycle: { preStop: { sleep: { seconds: farewellSeconds } } },
    resources: {
      requests: { cpu: "100m", memory: "256Mi" },
      // No limit of CPU: a throttled gateway is slow for everybody behind it.
      limits: { memory: "1Gi" },
    },
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
      readOnlyRootFilesystem: true,
    },
    terminationMessagePolicy: "FallbackToLogsOnError",
  };
}
