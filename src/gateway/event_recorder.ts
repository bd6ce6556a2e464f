/**
 * Events about objects, for people: what the engine has to say beside conditions.
 *
 * The fields are those of events.k8s.io/v1 that say something; who writes one as an object adds the
 * rest (times, the reporting controller and instance, a series).
 */

import type { Kind } from "../kube/kinds.ts";

/** UTF-16 units of a note; the API takes 1,024 octets. */
export const eventNoteMax = 1000;

/** Every reason, with its type. */
export const eventTypes = {
  Accepted: "Normal",
  CertificateExpired: "Warning",
  CertificateExpiring: "Warning",
  Conflicted: "Warning",
  NoConflicts: "Normal",
  NotAccepted: "Warning",
  NotProgrammed: "Warning",
  OverlappingTLSConfig: "Warning",
  PartiallyInvalid: "Warning",
  Programmed: "Normal",
  ResolvedRefs: "Normal",
  Shadowed: "Warning",
  UnresolvedRefs: "Warning",
  UnsupportedVersion: "Warning",
} as const satisfies Readonly<Record<string, "Normal" | "Warning">>;

/** Why an event is told: a stable word. */
export type EventReason = keyof typeof eventTypes;

/** The object that an event is about. */
export interface EventObject {
  readonly kind: Kind;
  /** Absent for a cluster-scoped object. */
  readonly namespace?: string;
  readonly name: string;
  /** Absent when it is not known. */
  readonly uid?: string;
}

/** One event. */
export interface GatewayEvent {
  readonly regarding: EventObject;
  readonly type: "Normal" | "Warning";
  readonly reason: EventReason;
  /** What was done or is wanted, as one word. */
  readonly action: string;
  /** For a person, at most {@linkcode eventNoteMax} long; never a value of a Secret. */
  readonly note: string;
}

/** Takes events. Synchronous; never throws. */
export interface EventRecorder {
  record(event: GatewayEvent): void;
}
