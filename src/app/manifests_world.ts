/** The local cluster with its manifests as the world of the engine. */

import type { Clock } from "../base/clock.ts";
import type { Config } from "../config/flags.ts";
import { alwaysLeader } from "../kube/leader_gate.ts";
import { unlimitedWrites, WritePermits } from "../kube/write_permits.ts";
import type { LocalCluster } from "../localkube/store_contract.ts";
import { localBase } from "./fork_base.ts";
import { createLocalObjectSource } from "./local_object_source.ts";
import { createLocalStatusClient } from "./local_status_client.ts";
import { createLocalWorld, type LocalWorld } from "./local_world.ts";
import { mountManifests } from "./manifests_mount.ts";
import type { World, WorldSurroundings } from "./world.ts";

/** What the world is built from. */
export interface ManifestsWorldOptions extends WorldSurroundings {
  readonly config: Config;
  readonly newId: () => string;
  readonly standardInputText?: string;
}

/** A world, and the cluster that is its own. */
export interface ManifestsWorld extends World {
  readonly local: LocalWorld;
}

/** Builds it. Nothing is read before its subsystems run. */
export function createManifestsWorld(options: ManifestsWorldOptions): ManifestsWorld {
  const { config, standardInputText, clock, log, newId, registry } = options;
  const local = createLocalWorld({
    settings: config,
    paths: config.manifests,
    ...(standardInputText === undefined ? {} : { standardInputText }),
    historyMax: config.historyMax,
    rescanMs: config.rescanIntervalMs,
    clock,
    log,
    newUid: newId,
  });
  const { subsystems, loaded } = mountManifests(local, registry);
  return {
    ...localClusterWorld(local.cluster, clock),
    local,
    subsystems,
    loaded,
    problems: { list: () => local.loader.problems(), count: () => local.loader.problemCount },
  };
}

/** A local cluster that is as it is: nothing has to be loaded, and nothing is wrong. */
export function localClusterWorld(cluster: LocalCluster, clock: Clock): World {
  return {
    objects: cluster,
    source: createLocalObjectSource(cluster),
    statusClient: createLocalStatusClient(cluster),
    gate: alwaysLeader,
    permits: new WritePermits(alwaysLeader, clock, unlimitedWrites),
    subsystems: [],
    loaded: Promise.resolve(),
    problems: { list: () => [], count: () => 0 },
    forkBase: () => localBase,
    unread: () => undefined,
    knowsAbsence: () => true,
    wasRead: () => true,
  };
}
