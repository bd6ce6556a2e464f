/**
 * Which kinds a cluster serves, and in which version: a kind whose CRD is missing is not an error.
 *
 * Answers are kept for a few seconds, so that kinds of one group ask once. A failure is not kept.
 *
 * A 404 alone is no answer: every proxy and load balancer without a backend gives it for every path,
 * and what is believed to be gone is taken out of service. Only an API server that lists its groups
 * and does not list this one says that it is not there.
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
      const isAbsent = error instanceof ClusterError && error.kind === "not-found" &&
        await this.#lacks(path, signal);
      if (isAbsent) return new Set();
      this.#known.delete(path);
      throw error;
    }
  }

  /**
   * Whether the API server says that it has nothing at `path`, which it answered with 404.
   *
   * @throws ClusterError when whoever answered is no API server, or one that has not started yet
   */
  async #lacks(path: string, signal: AbortSignal): Promise<boolean> {
    const [, , group, version] = path.split("/");
    try {
      if (version === undefined) throw noApiServer(path);
      const answer = await this.#transport.request({ path: "/apis", timeoutMs: answerMs, signal });
      if (!isRecord(answer) || !Array.isArray(answer.groups)) throw noApiServer("/apis");
      const versions = asList(answer.groups).filter(isRecord)
        .filter(({ name }) => name === group).flatMap(({ versions }) => asList(versions));
      if (!versions.some((entry) => isRecord(entry) && entry.version === version)) return true;
      throw new ClusterError("unavailable", `The API server lists "${path}" and does not find it`);
    } catch (error) {
      this.#known.delete(path);
      const isNotFound = error instanceof ClusterError && error.kind === "not-found";
      throw isNotFound ? noApiServer("/apis") : error;
    }
  }
}

function noApiServer(path: string): ClusterError {
  return new ClusterError("garbled", `What answers is no API server: it has no "${path}"`);
}
