/** `weir serve`: composes the process, runs it until a signal, and tells when it is ready. */

import { systemClock } from "../base/clock.ts";
import type { ServeRequest } from "../cli/context.ts";
import { compose, type Composition } from "./compose.ts";
import { namesCluster } from "../config/cluster_flags.ts";
import { openCluster } from "./open_cluster.ts";
import { createPlanThreads } from "./plan_worker_thread.ts";
import { readStandardInput } from "./read_inputs.ts";
import { formatReadyLine } from "./ready_line.ts";
import { mayWriteFile, readSettingsFile, writeSecretFile } from "./secret_files.ts";
import { listenForTermination, systemSignals } from "./signals.ts";
import type { Surroundings } from "./surroundings.ts";

/** What `weir serve` needs besides its settings. */
export interface ServeOptions {
  readonly version: string;
  /** The program's entry, which is started again for threads. */
  readonly entry: URL;
  /** Writes to the process's streams. */
  readonly writeError: (text: string) => void;
  readonly writeOutput: (text: string) => void;
  /** Called once, after the ready line. */
  readonly onReady?: (apiUrl: string) => void;
}

/**
 * Serves until a signal. The exit code: 0 after a signal, 1 when a core subsystem failed, or when what
 * is read first cannot be: standard input when it is among the manifests, the credentials of a
 * cluster.
 */
export async function serve(request: ServeRequest, options: ServeOptions): Promise<number> {
  const { config, log } = request;
  let opened: Opened;
  try {
    opened = await openSources(request, options.version);
  } catch (error) {
    log.error(whatFailed(request), { error });
    return 1;
  }
  const composition = compose(config, {
    ...opened,
    clock: systemClock,
    log,
    random: () => Math.random(),
    newId: () => crypto.randomUUID(),
    version: options.version,
    startPlanThread: createPlanThreads({ entry: options.entry }),
    readTextFile: readSettingsFile,
    mayWriteFile,
    writeSecretFile: (path, text) => writeSecretFile(path, text, options.writeOutput),
    writeAccessLog: (target, line) =>
      target === "stdout" ? options.writeOutput(line) : options.writeError(line),
  });
  const termination = listenForTermination(systemSignals);
  termination.signal.addEventListener("abort", () => {
    log.info("Stopping", { reason: reasonOf(termination.signal) });
  }, { once: true });
  const ended = new AbortController();
  const announced = announce(
    composition,
    options,
    AbortSignal.any([termination.signal, ended.signal]),
  );
  try {
    const { runner, subsystems } = composition;
    const outcome = await runner.run(subsystems, termination.signal);
    return outcome.ok ? 0 : 1;
  } finally {
    ended.abort();
    await announced;
    termination.stop();
    opened.cluster?.close();
  }
}

/** What is read before anything runs. */
type Opened = Pick<Surroundings, "standardInputText" | "cluster">;

async function openSources({ config }: ServeRequest, version: string): Promise<Opened> {
  if (namesCluster(config)) {
    return { cluster: await openCluster(config, { clock: systemClock, version }) };
  }
  if (!config.manifests.includes("-")) return {};
  return { standardInputText: await readStandardInput(config.maxManifestBytes) };
}

function whatFailed({ config }: ServeRequest): string {
  return namesCluster(config)
    ? "The cluster cannot be used, the process ends"
    : "Standard input cannot be read, the process ends";
}

/** Prints the ready line once, when everything is ready; never rejects. */
async function announce(
  { runner, apiUrl, kubeUrl, revision }: Composition,
  { writeError, onReady }: ServeOptions,
  signal: AbortSignal,
): Promise<void> {
  try {
    await runner.untilReady(signal);
  } catch {
    // Told to stop before everything was ready: there is nothing to announce.
    return;
  }
  const url = apiUrl();
  if (url === undefined) return;
  const kube = kubeUrl();
  writeError(formatReadyLine({
    api: new URL(url),
    kube: kube === undefined ? undefined : new URL(kube),
    revision: revision(),
  }));
  onReady?.(url);
}

function reasonOf({ reason }: AbortSignal): string {
  return reason instanceof Error ? reason.message : String(reason);
}
