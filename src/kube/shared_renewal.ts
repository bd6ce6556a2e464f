/**
 * A secret that is renewed when it ends: many callers share one renewal, and one that fails is not
 * tried again at once.
 */

import type { Clock } from "../base/clock.ts";
import { ClusterError } from "./cluster_error.ts";

/** A secret, and until when it is good. */
export interface Issued<Secret> {
  readonly secret: Secret;
  /** Wall time, milliseconds; absent: good until it is refused. */
  readonly expiresAtMs?: number;
}

/** It is replaced this long before it ends, milliseconds. */
const marginMs = 10_000;
/** The shortest time between a renewal that failed and the next one, milliseconds. */
const calmMs = 5_000;

/** See the file's header. */
export class SharedRenewal<Secret> {
  readonly #clock: Clock;
  readonly #renew: () => Promise<Issued<Secret>>;
  #issued: Issued<Secret> | undefined;
  #failure: ClusterError | undefined;
  #triedAtMs = -Infinity;
  #running: Promise<Issued<Secret>> | undefined;

  /**
   * @param renew rejects with a ClusterError
   * @param issued what there is from the start
   */
  constructor(clock: Clock, renew: () => Promise<Issued<Secret>>, issued?: Issued<Secret>) {
    this.#clock = clock;
    this.#renew = renew;
    this.#issued = issued;
  }

  /** The secret of the moment. @throws ClusterError of the last renewal */
  async current(): Promise<Secret> {
    const issued = this.#issued;
    if (issued !== undefined && this.#isGood(issued)) return issued.secret;
    const isCalm = this.#clock.monotonicMs() - this.#triedAtMs < calmMs;
    if (isCalm && this.#failure !== undefined) throw this.#failure;
    this.#running ??= this.#run();
    return (await this.#running).secret;
  }

  /** The secret was refused: it is no good, whatever its time. */
  forget(): void {
    this.#issued = undefined;
  }

  #isGood({ expiresAtMs }: Issued<Secret>): boolean {
    return expiresAtMs === undefined || expiresAtMs - marginMs > this.#clock.now();
  }

  async #run(): Promise<Issued<Secret>> {
    try {
      this.#failure = undefined;
      this.#triedAtMs = this.#clock.monotonicMs();
      return this.#issued = await this.#renew();
    } catch (error) {
      if (error instanceof ClusterError) this.#failure = error;
      throw error;
    } finally {
      this.#running = undefined;
    }
  }
}
