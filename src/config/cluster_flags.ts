/** The flags that say which cluster is served, or read by a command, and how much of it. */

import { boolean, list, optional, scalar } from "./flag.ts";
import { clusterObjectNameType, namespaceNameType } from "./network_types.ts";
import { enumType, integerType, pathType, stringType } from "./value_type.ts";

/**
 * Kinds that one may do without: what a cluster may not let weir read. Without the others there is
 * nothing to serve.
 */
export const dispensableKinds = [
  "HTTPRoute",
  "GRPCRoute",
  "TLSRoute",
  "TCPRoute",
  "UDPRoute",
  "ListenerSet",
  "BackendTLSPolicy",
  "ReferenceGrant",
  "Namespace",
  "Secret",
  "ConfigMap",
] as const;

/** What of the settings names a cluster. */
export interface ClusterNaming {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly inCluster?: boolean;
}

/** Whether `settings` name a cluster. */
export function namesCluster({ kubeconfig, context, inCluster }: ClusterNaming): boolean {
  return inCluster === true || kubeconfig !== undefined || context !== undefined;
}

/** See the file's header. */
export const clusterFlags = {
  kubeconfig: optional({
    group: "Cluster",
    type: pathType,
    help: "The cluster of this kubeconfig, in its current context or the one of --context",
  }),
  context: optional({
    group: "Cluster",
    type: stringType,
    help: "The cluster of this context of --kubeconfig, or else of the files in KUBECONFIG or of " +
      "~/.kube/config",
  }),
  "in-cluster": boolean({
    group: "Cluster",
    help:
      "The cluster of the pod that this process runs in, with its ServiceAccount. weir serve takes " +
      "it by itself in a pod when no other source is given",
  }),
  namespaces: list({
    group: "Cluster",
    item: namespaceNameType,
    default: [],
    help: "Read these namespaces of the cluster only: a Role in each is enough. Namespaces " +
      "themselves are then not read, and selectors of namespaces match nothing. Empty: all",
  }),
  "secret-namespaces": list({
    group: "Cluster",
    item: namespaceNameType,
    default: [],
    help: "Read Secrets in these namespaces only. What another one names as a certificate does " +
      "not exist then. Empty: where the other kinds are read",
  }),
  "gateway-class": optional({
    group: "Cluster",
    type: clusterObjectNameType,
    help: "Take for granted that the GatewayClass of this name is ours, instead of reading " +
      "GatewayClasses from the cluster; its status is not written",
  }),
  without: list({
    group: "Cluster",
    item: { ...enumType(dispensableKinds), name: "kind", metavar: "KIND" },
    default: [],
    help:
      "Do without these kinds: they are not read and count as empty. Without BackendTLSPolicy " +
      "or ReferenceGrant what they protect is not protected, or not reachable. Kinds that can be " +
      `left out: ${dispensableKinds.join(", ")}`,
  }),
};

/** The flags that say how fast a cluster is written to. */
export const clusterWriteFlags = {
  "writes-per-second": scalar({
    group: "Cluster",
    type: integerType(1, 100_000),
    default: 200,
    help: "How many writes this process sends to the cluster in a second, on average, over all " +
      "kinds; after a quiet time five times as many at once. Further ones wait, none is lost",
  }),
  "writes-parallel": scalar({
    group: "Cluster",
    type: integerType(1, 1000),
    default: 16,
    help: "How many writes to the cluster are under way at the same time, over all kinds",
  }),
};
