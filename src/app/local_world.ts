/**
 * The local cluster with its manifests, built from settings: shared by `weir serve` and `weir
 * translate`.
 */

import type { Clock } from "../base/clock.ts";
import type { Logger } from "../base/log.ts";
import type { Config } from "../config/flags.ts";
import { SchemaAdmission } from "../localkube/admission/schema_admission.ts";
import { DevelopmentCa } from "../localkube/development_ca.ts";
import { DevelopmentCertificates } from "../localkube/development_certificates.ts";
import { DenoFileSystem } from "../localkube/manifests/deno_file_system.ts";
import { ManifestsLoader } from "../localkube/manifests/manifests_loader.ts";
import { MemoryCluster } from "../localkube/store.ts";
import type { Admission, LocalCluster } from "../localkube/store_contract.ts";

/** The settings that decide what is in the cluster. */
export type WorldSettings = Pick<Config, "devCertificates" | "maxManifestBytes">;

/** How a local world is built. */
export interface WorldOptions {
  readonly settings: WorldSettings;
  /** Files and folders; `-` is `standardInputText`. */
  readonly paths: readonly string[];
  readonly standardInputText?: string;
  readonly historyMax?: number;
  readonly rescanMs?: number;
  readonly clock: Clock;
  readonly log: Logger;
  readonly newUid: () => string;
  /** Another admission than the one of the API server. */
  readonly admission?: Admission;
}

/** The local cluster and what fills it. Nothing runs yet. */
export interface LocalWorld {
  readonly cluster: MemoryCluster;
  readonly loader: ManifestsLoader;
  /** Present when development certificates are issued. */
  readonly certificates: DevelopmentCertificates | undefined;
}

/** Builds an empty cluster and its loader. */
export function createLocalWorld(options: WorldOptions): LocalWorld {
  const { settings, historyMax, clock, log, newUid, admission } = options;
  const cluster = new MemoryCluster({
    admission: admission ?? new SchemaAdmission(),
    clock,
    newUid,
    ...(historyMax === undefined ? {} : { limits: { historyMax } }),
  });
  const loader = createLoader(cluster, options);
  const certificates = settings.devCertificates
    ? new DevelopmentCertificates({
      cluster,
      ca: new DevelopmentCa(clock),
      clock,
      log: log.child({ subsystem: "development-certificates" }),
    })
    : undefined;
  return { cluster, loader, certificates };
}

/** A loader that brings what `options` name into `cluster`. */
export function createLoader(
  cluster: LocalCluster,
  { settings, paths, standardInputText, rescanMs, clock, log }: WorldOptions,
): ManifestsLoader {
  return new ManifestsLoader({
    paths,
    ...(standardInputText === undefined ? {} : { standardInputText }),
    cluster,
    fileSystem: new DenoFileSystem(),
    clock,
    log: log.child({ subsystem: "manifests" }),
    limits: { fileBytesMax: settings.maxManifestBytes },
    ...(rescanMs === undefined ? {} : { times: { rescanMs } }),
  });
}
