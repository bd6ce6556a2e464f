/**
 * Reads a cluster for a command that answers and ends: opens it, tells how far the reading is when a
 * terminal watches, and what of it could not be read. Nothing is written to the cluster.
 */

import type { Clock } from "../base/clock.ts";
import { InvariantError } from "../base/invariant.ts";
import { toPrintable } from "../base/printable.ts";
import type { ClusterChoice, TextOutput } from "../cli/context.ts";
import { dispensableKinds } from "../config/cluster_flags.ts";
import type { Config } from "../config/flags.ts";
import type { Kind } from "../kube/kinds.ts";
import { TooManyObjectsError } from "../kube/list_watch.ts";
import {
  type ClusterReading,
  KindReadError,
  KindsForbiddenError,
  readCluster,
} from "../kube/read_cluster.ts";
import { givenObjects } from "./given_objects.ts";
import { type OpenCluster, openCluster } from "./open_cluster.ts";
import { ReadingLine } from "./reading_line.ts";

/** Reads the cluster that is chosen. Rejects with an Error that names what failed, and where. */
export type ReadCluster = (
  choice: ClusterChoice,
  settings: Pick<Config, "controllerName">,
) => Promise<ClusterReading>;

/** What a reader needs of the process around it. */
export interface ClusterReaderOptions {
  readonly clock: Clock;
  readonly version: string;
  readonly stderr: TextOutput;
}

/** Objects of a cluster that one command holds. */
const objectsMax = 100_000;
/** For the whole reading. */
const readingMs = 60_000;

/** Makes the reader. */
export function createClusterReader(options: ClusterReaderOptions): ReadCluster {
  return async (choice, settings) => {
    const cluster = await openCluster(choice, options);
    try {
      const reading = await read(cluster, { ...choice, ...settings }, options);
      for (const warning of warningsOf(reading)) {
        options.stderr.write(`warning: ${toPrintable(warning)}\n`);
      }
      return reading;
    } finally {
      cluster.close();
    }
  };
}

async function read(
  { transport, server }: OpenCluster,
  choice: ClusterChoice & Pick<Config, "controllerName">,
  { clock, stderr }: ClusterReaderOptions,
): Promise<ClusterReading> {
  const line = new ReadingLine(stderr, clock, server.origin);
  const overtime = new AbortController();
  const cancel = clock.after(readingMs, () => {
    const names = line.waiting.length === 0 ? "" : `, still reading ${line.waiting.join(", ")}`;
    overtime.abort(new Error(`it took longer than ${readingMs / 1000} s${names}`));
  });
  try {
    return await readCluster({
      transport,
      clock,
      random: () => Math.random(),
      given: givenObjects(choice),
      ...choice.namespaces.length > 0 ? { namespaces: choice.namespaces } : {},
      ...choice.secretNamespaces.length > 0
        ? { namespacesOf: new Map([["Secret", choice.secretNamespaces]]) }
        : {},
      objectsMax,
      onProgress: (progress) => line.tell(progress),
    }, overtime.signal);
  } catch (error) {
    if (error instanceof InvariantError) throw error;
    const fault = overtime.signal.aborted ? overtime.signal.reason : error;
    throw new Error(`Read the cluster at ${server.origin}: ${wordsOf(fault)}`, { cause: error });
  } finally {
    cancel();
    line.end();
  }
}

function wordsOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof KindReadError && error.cause instanceof TooManyObjectsError) {
    return `${message}, wanted fewer, as with --namespaces or --without`;
  }
  return error instanceof KindsForbiddenError
    ? `${message}; wanted the right to list ${waysOut(error.kinds)}`
    : message;
}

/** `them, or --gateway-class=NAME and --without=Secret`: as far as one can do without. */
function waysOut(kinds: readonly Kind[]): string {
  const dispensable = kinds.filter((kind) => dispensableKinds.some((name) => name === kind));
  const flags = [
    ...kinds.includes("GatewayClass") ? ["--gateway-class=NAME"] : [],
    ...dispensable.length > 0 ? [`--without=${dispensable.join(",")}`] : [],
  ];
  const them = kinds.length === 1 ? "it" : "them";
  const isEnough = kinds.length === dispensable.length + Number(kinds.includes("GatewayClass"));
  return flags.length === 0 ? them : `${them}, or${isEnough ? "" : " in part"} ${flags.join(" ")}`;
}

/** What the answer is without, for a person. */
function warningsOf({ absent, forbidden }: ClusterReading): readonly string[] {
  const warnings = [...forbidden].map(([kind, words]) =>
    `${kind} may not be read and counts as empty: ${words}`
  );
  const needed = absent.filter((kind) => kind === "GatewayClass" || kind === "Gateway");
  if (needed.length > 0) warnings.push(`the cluster does not have ${needed.join(" and ")}`);
  return warnings;
}
