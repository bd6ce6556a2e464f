/**
 * Follows which release of the Gateway API a cluster has: found out before anything is computed, and
 * looked at again now and then, and when a kind comes or goes.
 */

import { Backoff } from "../base/backoff.ts";
import type { Clock } from "../base/clock.ts";
import type { Logger } from "../base/log.ts";
import { Wakeup } from "../base/wakeup.ts";
import type { ApiBundle } from "../gateway/api_bundle.ts";
import { readBundleVersions } from "../kube/bundle_versions.ts";
import type { ClusterTransport } from "../kube/cluster_transport.ts";
import { toClusterError } from "../kube/cluster_error.ts";

/** How often the CRDs are looked at, milliseconds. */
const pollMs = 60_000;

/** What the watch is made of. */
export interface ApiBundleWatchOptions {
  readonly transport: ClusterTransport;
  readonly clock: Clock;
  readonly log: Logger;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** Called when the release is known, or is known not to be ours to see; again at each look. */
  readonly onKnown: () => void;
}

/** See the file's header. */
export class ApiBundleWatch {
  readonly #options: ApiBundleWatchOptions;
  readonly #backoff: Backoff;
  readonly #listeners = new Set<(bundle: ApiBundle) => void>();
  readonly #wakeup = new Wakeup();
  #fault: string | undefined;
  /** Whether a look was answered: only until then does anybody wait. */
  #wasKnown = false;

  constructor(options: ApiBundleWatchOptions) {
    this.#options = options;
    this.#backoff = new Backoff({ initialMs: 500, maxMs: 30_000 }, options.random);
  }

  /** What stands in the way, in words; undefined when nothing does. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** Tells `listener` each release that is found. A release that we may not see is none. */
  onBundle(listener: (bundle: ApiBundle) => void): void {
    this.#listeners.add(listener);
  }

  /** Has the CRDs looked at soon. Never blocks. */
  look(): void {
    this.#wakeup.signal();
  }

  /** Looks until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const waitMs = await this.#look(signal);
      await this.#rest(waitMs, signal);
    }
  }

  /** The time until the next look. */
  async #look(signal: AbortSignal): Promise<number> {
    try {
      const versions = await readBundleVersions(this.#options.transport, signal);
      this.#backoff.reset();
      this.#fault = undefined;
      if (versions) { for (const listener of this.#listeners) listener({ versions }); }
      else this.#fault = "the CRDs may not be read: their release is not known";
      this.#wasKnown = true;
      this.#options.onKnown();
      return pollMs;
    } catch (error) {
      if (signal.aborted) return 0;
      const { message } = toClusterError(error, "garbled", "Cannot read the CRDs");
      const waitMs = this.#backoff.next();
      const first = this.#fault === undefined;
      this.#fault = message;
      if (first) {
        const told = "Cannot read the CRDs";
        const until = ", not ready until they are read; weir check says what to do";
        const { log } = this.#options;
        log.warn(this.#wasKnown ? told : told + until, { message, retryInMs: waitMs });
      }
      return waitMs;
    }
  }

  async #rest(ms: number, signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const cancel = this.#options.clock.after(ms, () => over.abort());
    await this.#wakeup.wait(AbortSignal.any([signal, over.signal]));
    cancel();
  }
}
