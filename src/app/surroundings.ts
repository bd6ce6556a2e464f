/** The world around the process, as its parts see it. */

import type { Clock } from "../base/clock.ts";
import type { Logger } from "../base/log.ts";
import type { OpenCluster } from "./open_cluster.ts";
import type { StartPlanThread } from "./plan_thread.ts";

/** What the process takes from outside itself, so that tests can replace it. */
export interface Surroundings {
  readonly clock: Clock;
  readonly log: Logger;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** A new RFC 4122 identifier at each call. */
  readonly newId: () => string;
  /** The program's version. */
  readonly version: string;
  /** Where plans of the HTTP API are computed. */
  readonly startPlanThread: StartPlanThread;
  /** What stands for `-` among the paths of manifests. */
  readonly standardInputText?: string;
  /** The cluster to serve; absent: the local one. */
  readonly cluster?: OpenCluster;
  /** Reads a file of at most a mebibyte that the configuration names. */
  readonly readTextFile: (path: string) => Promise<string>;
  /** Whether the process has the right to write the file. */
  readonly mayWriteFile: (path: string) => Promise<boolean>;
  /** Writes a new file that only its owner can read, in place of an old one; `-`: to stdout. */
  readonly writeSecretFile: (path: string, text: string) => Promise<void>;
  /** Writes one access log line to the stream that the configuration names. */
  readonly writeAccessLog: (target: "stdout" | "stderr", line: string) => void;
}
