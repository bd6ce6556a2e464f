/**
 * What is known of the reading of one kind, for readiness, logs and metrics.
 */

import type { Kind } from "./kinds.ts";

/** How the reading of a kind can be. */
export const kindPhases = [
  /** The first objects are not there yet. */
  "starting",
  /** What was told is the present. */
  "live",
  /** What was told is the last that could be read. */
  "stale",
  /** The cluster does not have the kind: it is empty. */
  "absent",
  /** We may not read it. What was told before stays; at a start, see {@linkcode isOptionalKind}. */
  "forbidden",
  /** Not asked for: the operator gave its objects, or said to do without. */
  "off",
] as const;

/** One of {@linkcode kindPhases}. */
export type KindPhase = typeof kindPhases[number];

/** See the file's header. */
export interface KindState {
  readonly phase: KindPhase;
  /** Whether a snapshot was told: the kind keeps no gate closed. */
  readonly hasSnapshot: boolean;
  /** What is wrong, in words; absent when all is well. Never a credential. */
  readonly reason?: string;
  /** The version of the API that is read, once it is known. */
  readonly version?: string;
}

const optionalKinds: ReadonlySet<Kind> = new Set<Kind>([
  "HTTPRoute",
  "GRPCRoute",
  "TLSRoute",
  "TCPRoute",
  "UDPRoute",
  "ListenerSet",
  "Namespace",
]);

/**
 * Whether weir may start without the right to read `kind`: such a kind only adds. To start without one
 * that protects (BackendTLSPolicy, ReferenceGrant, Secret) or that others need would mean to serve
 * what nobody asked for.
 */
export function isOptionalKind(kind: Kind): boolean {
  return optionalKinds.has(kind);
}
