/**
 * Which kinds a cluster serves, and in which version: a kind whose CRD is missing is not an error.
 *
 * Answers are kept for a few seconds, so that kinds of one group ask once. A failure is not kept.
 */

import type { Clock } from "../base/clock.ts";
import { ClusterError } from "./cluster_error.ts";
import type { ClusterTransport } from "./cluster_transport.ts";
import { asList, isRecord } from "./json_value.ts";
import { type Kind, type KindInfo, kinds } from "./kinds.ts";

/** For how long an answer is believed, milliseconds. */
const freshMs = 3_000;
const answerMs = 15_000;

interface Known {
  readonly atMs: number;
  readonly signal: AbortSignal;
  readonly resources: Promise<ReadonlySet<string>>;
}

/** See the file's header. */
export class ApiDiscovery {
  readonly #transport: ClusterTransport;
  readonly #clock: Clock;
  readonly #known = new Map<string, Known>();

  constructor(transport: ClusterTransport, clock: Clock) {
    this.#transport = transport;
    this.#clock = clock;
  }

  /**
   * The version of `kind` to use: the first of the known ones that the server has. Undefined when it
   * has none, which only a server that answered can say.
   */
  async servedVersion(kind: Kind, signal: AbortSignal): Promise<string | undefined> {
    const { group, versions, plural }: KindInfo = kinds[kind];
    for (const version of versions) {
      const path = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
      if ((await this.#resourcesOf(path, signal)).has(plural)) return version;
    }
    return undefined;
  }

  #resourcesOf(path: string, signal: AbortSignal): Promise<ReadonlySet<string>> {
    const nowMs = this.#clock.monotonicMs();
    const known = this.#known.get(path);
    if (known && nowMs - known.atMs < freshMs && !known.signal.aborted) return known.resources;
    const resources = this.#ask(path, signal);
    this.#known.set(path, { atMs: nowMs, signal, resources });
    return resources;
  }

  async #ask(path: string, signal: AbortSignal): Promise<ReadonlySet<string>> {
    try {
      const answer = await this.#transport.request({ path, timeoutMs: answerMs, signal });
      if (!isRecord(answer) || !Array.isArray(answer.resources)) {
        throw new ClusterError("garbled", "The answer is not a list of resources");
      }
      const names = asList(answer.resources).filter(isRecord).map(({ name }) => String(name));
      return new Set(names);
    } catch (error) {
      if (error instanceof ClusterError && error.kind === "not-found") return new Set();
      this.#known.delete(path);
      throw error;
    }
  }
}
