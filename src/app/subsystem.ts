/**
 * The life cycle that every part of the process has: built, run until a signal, stopped.
 *
 * Building assigns; running works. Subsystems start in the order of the list and stop in reverse.
 */

/** Whether a subsystem can do its work now, and why not. */
export interface Readiness {
  readonly ready: boolean;
  /** One sentence for a person; also when ready. */
  readonly reason: string;
}

/** A part of the process with a life of its own. */
export interface Subsystem {
  readonly name: string;
  /** `core`: its failure ends the process. `restart`: it is run again with backoff. */
  readonly onFailure: "core" | "restart";
  /** Works until `signal` aborts; resolves only when all that it started has stopped. */
  run(signal: AbortSignal): Promise<void>;
  /** Cheap and synchronous; never throws. */
  ready(): Readiness;
  /** Called once before the stop: finish what is in flight, take nothing new. Optional. */
  drain?(signal: AbortSignal): Promise<void>;
}
