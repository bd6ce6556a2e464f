/**
 * What a reflector does after a failure. Pure: one row for each kind of failure.
 */

import { ClusterError, type ClusterErrorKind } from "./cluster_error.ts";

/** What follows from a failure. */
export interface FaultPlan {
  /** What is known of the collection's version is of no use: read everything again. */
  readonly forgetsVersion: boolean;
  /** The server may be another one, or another state of it: see whether time went back. */
  readonly asksVersion: boolean;
  /** Nothing but a change of configuration will help: ask rarely. */
  readonly waitsLong: boolean;
}

const goOn: FaultPlan = { forgetsVersion: false, asksVersion: false, waitsLong: false };
const readAgain: FaultPlan = { ...goOn, forgetsVersion: true };
const beCareful: FaultPlan = { ...goOn, asksVersion: true };
const askRarely: FaultPlan = { ...goOn, waitsLong: true };

/** So often in a row it may be that rights are only just being given. */
const forbiddenPatience = 3;

/**
 * After as many failures in a row at one version the version itself is suspected. A list costs the
 * server much more than a watch, so it is never the first answer to an outage.
 */
const patience: { readonly [K in ClusterErrorKind]?: number } = {
  unavailable: 8,
  garbled: 3,
  "too-large": 3,
  invalid: 2,
  // No answer of a watch; named here so that nothing is ever tried in the same way for ever.
  "stale-write": 3,
  "field-owned": 3,
  recreated: 3,
  "already-exists": 3,
  "being-deleted": 3,
};

/** Whether no server answered. */
export function isAwayFault({ kind }: ClusterError): boolean {
  return kind === "unreachable" || kind === "timeout";
}

/** @param repeatedCount failures in a row without any progress, this one included */
export function planAfterFault({ kind }: ClusterError, repeatedCount: number): FaultPlan {
  switch (kind) {
    case "expired":
    case "version-too-large":
      return readAgain;
    case "unreachable":
    case "timeout":
    case "untrusted":
      return beCareful;
    case "forbidden":
    case "namespace-terminating":
      return repeatedCount > forbiddenPatience ? askRarely : goOn;
    case "unauthorized":
    case "no-credential":
    case "overloaded":
    case "not-found":
      return goOn;
    default:
      return repeatedCount >= (patience[kind] ?? 3) ? readAgain : beCareful;
  }
}

/**
 * Whether the server cannot begin a watch with all objects: it says so about the parameter (KEP-3157).
 */
export function isStreamRefusal(error: unknown): boolean {
  return error instanceof ClusterError && error.kind === "invalid" &&
    (error.causes.some(({ field }) => field === "sendInitialEvents") ||
      /sendInitialEvents|resourceVersionMatch/.test(error.message));
}
