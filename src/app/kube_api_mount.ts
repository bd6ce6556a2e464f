/** The Kubernetes API of the local cluster as a subsystem, on a server of its own. */

import { createHostPolicy } from "../auth/host_guard.ts";
import type { Clock } from "../base/clock.ts";
import type { Logger } from "../base/log.ts";
import type { MetricsRegistry } from "../base/metrics.ts";
import { defaultHttpLimits } from "../http/http_limits.ts";
import { createKubeApp } from "../http/kube_app.ts";
import { kubeStatusFormat } from "../http/kube_status.ts";
import { LineStreams } from "../http/line_streams.ts";
import { HttpServer } from "../http/server.ts";
import { KubeApi } from "../localkube/api/kube_api.ts";
import type { MemoryCluster } from "../localkube/store.ts";
import type { LocalSchemas } from "./local_schemas.ts";
import { runServer } from "./http_mount.ts";
import { type KubeAccess, type KubeAccessSettings, openKubeAccess } from "./kube_access.ts";
import type { Subsystem } from "./subsystem.ts";

/** What the API is mounted on. */
export interface KubeApiMountOptions {
  readonly config: KubeAccessSettings;
  readonly cluster: MemoryCluster;
  readonly schemas: LocalSchemas;
  readonly registry: MetricsRegistry;
  readonly version: string;
  readonly newUid: () => string;
  readonly random: () => number;
  readonly clock: Clock;
  readonly log: Logger;
  /** Whether everything that the manifests say is in the cluster. */
  readonly isReady: () => boolean;
  /** Reads the file of tokens. */
  readonly readText: (path: string) => Promise<string>;
  /** Whether the process has the right to write the file. */
  readonly mayWrite: (path: string) => Promise<boolean>;
  /** Writes the kubeconfig, for its owner's eyes only. */
  readonly writeSecret: (path: string, text: string) => Promise<void>;
}

/** The API, running as one subsystem. */
export interface KubeApiMount {
  readonly subsystem: Subsystem;
  /** Where it answers; undefined before it listens. */
  url(): string | undefined;
}

/** Bytes of a body: what the API server takes. */
const bodyMaxBytes = 3 * 1024 * 1024;

/** Builds it. */
export function mountKubeApi(options: KubeApiMountOptions): KubeApiMount {
  const { config, cluster, registry, clock, random, newUid, version, isReady } = options;
  const log = options.log.child({ subsystem: "local-api" });
  const streams = new LineStreams(clock);
  const view = new KubeApi({
    cluster,
    schemas: options.schemas,
    authenticator: {
      identify: (authorization) =>
        access?.authenticator.identify(authorization) ?? Promise.resolve(undefined),
    },
    clock,
    random,
    newUid,
    version,
    isReady,
  });
  let access: KubeAccess | undefined;
  let listening = Promise.withResolvers<string>();
  const limits = { ...defaultHttpLimits, bodyMaxBytes };
  let hasListened = false;
  const server = new HttpServer({
    name: "local-api",
    host: config.kubeAddress.host,
    port: config.kubeAddress.port,
    flag: "--kube-address",
    policy: createHostPolicy(config.allowedHosts),
    refusalFormat: kubeStatusFormat,
    app: createKubeApp({ view, streams, log, bodyMaxBytes }),
    limits,
    // Reads are guarded as changes are: a page of another site has no business here at all.
    streamPaths: ["/"],
    clock,
    log,
    tls: () => access?.tls,
    onListening: (url) => {
      hasListened = true;
      listening.resolve(url);
    },
  });
  registry.read({
    name: "weir_local_api_watches_open",
    help: "Watches of the local cluster's Kubernetes API that are open.",
    type: "gauge",
    read: () => streams.size,
  });
  const subsystem: Subsystem = {
    name: server.name,
    get onFailure() {
      return hasListened ? "restart" : "core";
    },
    async run(signal) {
      await checkKubeconfigPath(options);
      access ??= await openKubeAccess(config, { clock, log, readText: options.readText });
      listening = Promise.withResolvers();
      const running = runServer(server, streams, signal);
      const ended = running.then(() => undefined, () => undefined);
      const url = await Promise.race([listening.promise, ended]);
      if (url !== undefined) await announce(options, access, url, log);
      await running;
    },
    ready: () => server.ready(),
    drain(signal) {
      streams.drain();
      return server.drain(signal);
    },
  };
  return { subsystem, url: () => server.url };
}

/** @throws Error when the process has no right to write the kubeconfig, which the executable never has */
async function checkKubeconfigPath({ config, mayWrite }: KubeApiMountOptions): Promise<void> {
  const { writeKubeconfig: path } = config;
  if (path === undefined || path === "-" || await mayWrite(path)) return;
  throw new Error(
    `Write kubeconfig: this program may not write "${path}", wanted --write-kubeconfig - with ` +
      `the output led to a file: weir serve … --write-kubeconfig - > ${path}`,
  );
}

/** Writes the kubeconfig; a file that cannot be written is told, and the API goes on. */
async function announce(
  { config, writeSecret }: KubeApiMountOptions,
  { kubeconfig, userCount }: KubeAccess,
  url: string,
  log: Logger,
): Promise<void> {
  if (userCount === 0) {
    log.warn("Nobody may use the Kubernetes API, wanted --kube-tokens or --write-kubeconfig");
  }
  const { writeKubeconfig: path } = config;
  if (path === undefined) return;
  try {
    await writeSecret(path, kubeconfig(url));
  } catch (error) {
    const wanted = "a path that may be written, or - for standard output";
    log.error("The kubeconfig cannot be written", { path, wanted, error });
  }
}
