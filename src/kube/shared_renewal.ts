/**
 * A secret that is renewed when it ends: many callers share one renewal, and it is not renewed again at
 * once, whether that failed, or what it gave was refused or ends too soon.
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
/** The shortest time between a renewal and the next one, milliseconds. */
const calmMs = 5_000;

/** See the file's header. */
export class SharedRenewal<Secret> {
  readonly #clock: Clock;
  readonly #renew: () => Promise<Issued<Secret>>;
  #issued: Issued<Secret> | undefined;
  #isRefused = false;
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
    if (isCalm && issued !== undefined) return issued.secret;
    this.#running ??= this.#run();
    return (await this.#running).secret;
  }

  /** The secret was refused: it is no good, whatever its time. */
  forget(): void {
    this.#isRefused = true;
  }

  #isGood({ expiresAtMs }: Issued<Secret>): boolean {
    if (this.#isRefused) return false;
    return expiresAtMs === undefined || expiresAtMs - marginMs > this.#clock.now();
  }

  async #run(): Promise<Issued<Secret>> {
    try {
      this.#failure = undefined;
      this.#issued = await this.#renew();
      this.#isRefused = false;
      return this.#issued;
    } catch (error) {
      if (error instanceof ClusterError) this.#failure = error;
      throw error;
    } finally {
      this.#triedAtMs = this.#clock.monotonicMs();
      this.#running = undefined;
    }
  }
}
