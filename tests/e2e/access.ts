/**
 * The ServiceAccount that weir runs as, with exactly what `weir install` gives it, and its kubeconfig.
 *
 * The token and the API server's authority stand in files, as in a pod, so that a test can put others
 * there.
 */

import { asList, isRecord, type JsonRecord } from "../../src/kube/json_value.ts";
import type { TestCluster } from "./test_cluster.ts";
import { weirOutput } from "./weir_run.ts";

/** The namespace of the ServiceAccount. */
export const weirNamespace = "weir-system";

/** What is installed for the process that a test starts itself. */
const wantedKinds = [
  ...["Namespace", "ServiceAccount", "Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding"],
];

/** What tells the API server's account of a token from that of another one: as in the audit log. */
export async function credentialOf(cluster: TestCluster, replica: string): Promise<string> {
  const token = await Deno.readTextFile(tokenFile(cluster, replica));
  const payload = (token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
  return `JTI=${JSON.parse(atob(payload)).jti}`;
}

/** The manifests of an installation. */
export async function installation(): Promise<readonly JsonRecord[]> {
  const args = ["install", "--image=weir.test/weir:1", "--secrets=all", "--output=json"];
  const list: unknown = JSON.parse(await weirOutput(args));
  return isRecord(list) ? asList(list.items).filter(isRecord) : [];
}

/** The file that the kubeconfig takes the token from. */
export function tokenFile(cluster: TestCluster, replica = "weir"): string {
  return `${cluster.state}/${replica}.token`;
}

/** The file that the kubeconfig takes the API server's authority from. */
export function authorityFile(cluster: TestCluster): string {
  return `${cluster.state}/weir-ca.crt`;
}

/** A new token of the ServiceAccount. */
export async function makeToken(cluster: TestCluster): Promise<string> {
  const token = await cluster.kubectl(["create", "token", "weir", "-n", weirNamespace]);
  return token.trim();
}

/**
 * Gives weir its rights; the path of its kubeconfig. May be called again.
 *
 * @param replica has a token of its own, by which the API server tells it from others
 */
export async function grantAccess(cluster: TestCluster, replica = "weir"): Promise<string> {
  const items = (await installation()).filter(({ kind }) => wantedKinds.includes(String(kind)));
  await cluster.apply(JSON.stringify({ apiVersion: "v1", kind: "List", items }));
  await Deno.writeTextFile(tokenFile(cluster, replica), await makeToken(cluster));
  const admin = await Deno.readTextFile(`${cluster.state}/admin.kubeconfig`);
  const path = `${cluster.state}/${replica}.kubeconfig`;
  await Deno.writeTextFile(
    path,
    // The Lease is in the namespace of the context, as it is in that of a pod.
    admin.replace(/user: \{client-certificate.*\}\}\]/, `user: {tokenFile: ${replica}.token}}]`)
      .replace(/context: \{cluster: testbed,/, `$& namespace: ${weirNamespace},`)
      .replace(/certificate-authority-data: [^}]+/, "certificate-authority: weir-ca.crt"),
  );
  await Deno.copyFile(`${cluster.state}/pki/ca.crt`, authorityFile(cluster));
  return path;
}
