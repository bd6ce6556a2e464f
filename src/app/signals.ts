/**
 * Signals that end the process: the first asks it to finish, the second ends it at once.
 *
 * The first SIGTERM or SIGINT aborts; what drains and exits is decided by whoever holds the abort
 * signal. A second one is the wish of somebody who will not wait: exit code 128 plus its number, as
 * a shell reports a process that a signal killed.
 */

/** The signals that end the process, with their exit codes at the second one. */
const terminationSignals = { SIGTERM: 143, SIGINT: 130 } as const;
/** The name of such a signal. */
export type TerminationSignal = keyof typeof terminationSignals;

/** What the operating system offers. */
export interface SignalSource {
  /** Calls `handler` at each `name`; the returned function ends that. */
  on(name: TerminationSignal, handler: () => void): () => void;
  /** Ends the process at once. */
  exit(code: number): void;
}

/** The reason of the abort. */
export class TerminationRequest extends Error {
  override name = "TerminationRequest";

  constructor(signal: TerminationSignal) {
    super(`Received ${signal}`);
  }
}

/** Aborts once at the first signal. */
export interface TerminationListener {
  readonly signal: AbortSignal;
  /** Stops listening; a later signal has its default effect. May be called again. */
  stop(): void;
}

/** Listens until {@linkcode TerminationListener.stop}. */
export function listenForTermination(source: SignalSource): TerminationListener {
  const controller = new AbortController();
  const handle = (name: TerminationSignal) => (): void => {
    if (controller.signal.aborted) source.exit(terminationSignals[name]);
    else controller.abort(new TerminationRequest(name));
  };
  let stops = [
    source.on("SIGTERM", handle("SIGTERM")),
    source.on("SIGINT", handle("SIGINT")),
  ];
  return {
    signal: controller.signal,
    stop() {
      for (const stop of stops) stop();
      stops = [];
    },
  };
}

/** The signals of this process. Windows knows no SIGTERM. */
export const systemSignals: SignalSource = {
  on(name, handler) {
    if (name === "SIGTERM" && Deno.build.os === "windows") return () => {};
    Deno.addSignalListener(name, handler);
    return () => Deno.removeSignalListener(name, handler);
  },
  exit: (code) => Deno.exit(code),
};
