/**
 * The cluster that a command reads, when it reads one: what the flags of a cluster come to beside the
 * command's other sources of objects. Pure.
 *
 * What stands on the command line counts first: a cluster that the environment or a file names gives
 * way to manifests or a running weir that are named there.
 */

import { namesCluster } from "../config/cluster_flags.ts";
import type { ConfigFault, Origin } from "../config/given.ts";
import type { ClusterChoice } from "./context.ts";

/** Another source of objects, and whether it was named. */
export interface RivalSource {
  /** As on the command line: `-f`. */
  readonly flag: string;
  readonly isGiven: boolean;
}

/** What was found. */
export interface ClusterSource {
  /** Absent: no cluster is read. */
  readonly cluster?: ClusterChoice;
  readonly faults: readonly ConfigFault[];
}

const namingFlags = ["kubeconfig", "context", "in-cluster"] as const;
const narrowingFlags = ["namespaces", "secret-namespaces", "gateway-class", "without"] as const;

/** Decides it. `rivals` are those of which one may be named. */
export function clusterSource(
  settings: ClusterChoice & { readonly devCertificates: boolean },
  origins: ReadonlyMap<string, Origin>,
  rivals: readonly RivalSource[],
): ClusterSource {
  const isOnCommandLine = (flag: string): boolean => origins.get(flag)?.place === "flag";
  const { kubeconfig, context, inCluster, namespaces, secretNamespaces } = settings;
  const { gatewayClass, without } = settings;
  const named = namingFlags.filter(isOnCommandLine);
  const rival = rivals.find(({ isGiven }) => isGiven);
  if (!namesCluster(settings) || (rival && named.length === 0)) {
    return {
      faults: narrowingFlags.filter(isOnCommandLine).map((flag) => ({
        where: `--${flag}`,
        message: "is only for a cluster, wanted --kubeconfig, --context or --in-cluster with it",
      })),
    };
  }
  if (rival) {
    const message = `is given beside "${rival.flag}", wanted one of them`;
    return { faults: named.map((flag) => ({ where: `--${flag}`, message })) };
  }
  if (isOnCommandLine("dev-certificates") && settings.devCertificates) {
    const message = "is only for manifests, and a cluster is read";
    return { faults: [{ where: "--dev-certificates", message }] };
  }
  const scope = { namespaces, secretNamespaces, gatewayClass, without };
  const cluster = { kubeconfig, context, inCluster, ...scope };
  return { cluster, faults: [] };
}
