/**
 * `weir check` of a cluster: everything that has to be right before `weir serve` with the same settings
 * can work there, each as a line with what to do.
 *
 * Nothing is changed: reviews of identity and rights are questions. What cannot be asked because
 * something before it failed is left out, so that one cause is one line.
 */

import { systemClock } from "../base/clock.ts";
import type { ClusterCheckLine } from "../cli/context.ts";
import type { Config } from "../config/flags.ts";
import { AccessError } from "../kube/cluster_access.ts";
import type { ClusterCheckSettings, ClusterCheckSurroundings } from "./cluster_check_inputs.ts";
import { checkClasses } from "./cluster_check_classes.ts";
import { checkCrds } from "./cluster_check_crds.ts";
import { checkPermissions } from "./cluster_check_permissions.ts";
import { checkPorts, tryListen } from "./cluster_check_ports.ts";
import { checkServer } from "./cluster_check_server.ts";
import { openCluster } from "./open_cluster.ts";

/** Looks at the cluster that `settings` name. */
export async function checkNamedCluster(
  settings: ClusterCheckSettings & Pick<Config, "kubeconfig" | "context" | "inCluster">,
  version: string,
): Promise<readonly ClusterCheckLine[]> {
  const clock = systemClock;
  const { signal } = new AbortController();
  try {
    const cluster = await openCluster(settings, { clock, version });
    try {
      return await checkCluster(settings, { ...cluster, clock, tryListen, signal });
    } finally {
      cluster.close();
    }
  } catch (error) {
    if (!(error instanceof AccessError)) throw error;
    return [{
      check: "credentials",
      subject: "",
      result: "failed",
      message: error.message,
      advice: "set --kubeconfig and --context to what kubectl uses, or --in-cluster in a pod",
    }];
  }
}

/** Looks at a cluster, in the order of what rests on what. */
export async function checkCluster(
  settings: ClusterCheckSettings,
  surroundings: ClusterCheckSurroundings,
): Promise<readonly ClusterCheckLine[]> {
  const { lines, isReachable } = await checkServer(surroundings);
  if (!isReachable) return lines;
  return [
    ...lines,
    ...await checkPermissions(settings, surroundings),
    ...await checkCrds(settings, surroundings),
    ...await checkClasses(settings, surroundings),
    ...await checkPorts(settings, surroundings),
  ];
}
