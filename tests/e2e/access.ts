/**
 * The ServiceAccount that weir runs as, with what it may do and nothing else, and its kubeconfig.
 *
 * The token stands in a file, as in a pod, so that a test can put another one there.
 */

import type { TestCluster } from "./test_cluster.ts";

/** The namespace of the ServiceAccount. */
export const weirNamespace = "weir-system";

/** Which rights the ServiceAccount has. */
export const weirRole = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: weir }
rules:
  - apiGroups: [gateway.networking.k8s.io]
    resources: [gatewayclasses, gateways, httproutes, grpcroutes, tlsroutes, tcproutes, udproutes,
      listenersets, backendtlspolicies, referencegrants]
    verbs: [get, list, watch]
  - apiGroups: [gateway.networking.k8s.io]
    resources: [gatewayclasses/status, gateways/status, httproutes/status, grpcroutes/status,
      tlsroutes/status, tcproutes/status, udproutes/status, listenersets/status,
      backendtlspolicies/status]
    verbs: [update, patch]
  - apiGroups: [""]
    resources: [namespaces, services, secrets, configmaps]
    verbs: [get, list, watch]
  - apiGroups: [discovery.k8s.io]
    resources: [endpointslices]
    verbs: [get, list, watch]
  - apiGroups: [apiextensions.k8s.io]
    resources: [customresourcedefinitions]
    verbs: [get, list, watch]
  - apiGroups: [events.k8s.io]
    resources: [events]
    verbs: [create, patch]
  - apiGroups: [coordination.k8s.io]
    resources: [leases]
    verbs: [get, create, update, patch]
`;

const account = `
apiVersion: v1
kind: Namespace
metadata: { name: ${weirNamespace} }
---
apiVersion: v1
kind: ServiceAccount
metadata: { name: weir, namespace: ${weirNamespace} }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: weir }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: weir }
subjects: [{ kind: ServiceAccount, name: weir, namespace: ${weirNamespace} }]
`;

/** The file that the kubeconfig takes the token from. */
export function tokenFile(cluster: TestCluster): string {
  return `${cluster.state}/weir.token`;
}

/** A new token of the ServiceAccount, for an hour. */
export async function makeToken(cluster: TestCluster): Promise<string> {
  const token = await cluster.kubectl(["create", "token", "weir", "-n", weirNamespace]);
  return token.trim();
}

/** Gives weir its rights; the path of its kubeconfig. May be called again. */
export async function grantAccess(cluster: TestCluster): Promise<string> {
  await cluster.apply(`${account}---${weirRole}`);
  await Deno.writeTextFile(tokenFile(cluster), await makeToken(cluster));
  const admin = await Deno.readTextFile(`${cluster.state}/admin.kubeconfig`);
  const path = `${cluster.state}/weir.kubeconfig`;
  await Deno.writeTextFile(
    path,
    admin.replace(/user: \{client-certificate.*\}\}\]/, `user: {tokenFile: weir.token}}]`),
  );
  return path;
}
