/** Events in the local cluster, for whoever describes an object with kubectl. */

import type { Clock } from "../base/clock.ts";
import type { Logger } from "../base/log.ts";
import type { MetricsRegistry } from "../base/metrics.ts";
import type { Config } from "../config/flags.ts";
import { alwaysLeader } from "../kube/leader_gate.ts";
import type { MemoryCluster } from "../localkube/store.ts";
import type { LocalSchemas } from "./local_schemas.ts";
import { type EventMount, mountEvents } from "./event_mount.ts";
import { LocalTransport } from "./local_transport.ts";

/** What they are mounted on. */
export interface LocalEventsOptions {
  readonly config: Pick<Config, "controllerName">;
  readonly cluster: MemoryCluster;
  readonly schemas: LocalSchemas;
  readonly registry: MetricsRegistry;
  readonly clock: Clock;
  readonly random: () => number;
  readonly newId: () => string;
  readonly version: string;
  readonly log: Logger;
}

/** Builds the writer: the same one as for a real cluster, without a socket. */
export function mountLocalEvents(options: LocalEventsOptions): EventMount {
  const { config, cluster, schemas, registry, clock, random, newId, version, log } = options;
  const transport = new LocalTransport({
    cluster,
    schemas,
    clock,
    random,
    newUid: newId,
    version,
  });
  return mountEvents({
    transport,
    gate: alwaysLeader,
    origin: { controllerName: config.controllerName, identity: "weir" },
    ...{ registry, clock, random, log },
  });
}
