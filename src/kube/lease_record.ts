/**
 * A Lease of coordination.k8s.io/v1 as the record of who leads: read, and made for a write.
 *
 * What the object holds besides is sent back as it came. The times in it are for people who look at
 * it: no decision reads them, because every machine's clock shows another time. That one of them
 * changed is what tells a renewal.
 */

import { ClusterError } from "./cluster_error.ts";
import { asNumber, asString, isRecord, type JsonRecord } from "./json_value.ts";
import { toMicroTime } from "./micro_time.ts";

/** Where the Lease is. */
export interface LeasePlace {
  readonly namespace: string;
  readonly name: string;
}

/** What a Lease says. */
export interface LeaseRecord {
  /** Empty: nobody. */
  readonly holder: string;
  /** How long after a renewal nobody else may take it, milliseconds. */
  readonly durationMs: number;
  readonly acquireTime: string;
  readonly renewTime: string;
  /** How often another replica took it. */
  readonly transitions: number;
  readonly uid: string;
  readonly resourceVersion: string;
  /** The object whole. */
  readonly object: JsonRecord;
}

/** What a write of the record wants. */
export interface LeaseClaim {
  /** Empty: nobody. */
  readonly holder: string;
  readonly durationMs: number;
  /** Wall time, milliseconds. */
  readonly nowMs: number;
}

/**
 * Reads a Lease.
 *
 * @param fallbackMs the duration of one that names none
 * @throws ClusterError of kind `garbled`
 */
export function decodeLease(
  value: unknown,
  { namespace, name }: LeasePlace,
  fallbackMs: number,
): LeaseRecord {
  const object = isRecord(value) ? value : {};
  const metadata = isRecord(object.metadata) ? object.metadata : {};
  const uid = asString(metadata.uid);
  const resourceVersion = asString(metadata.resourceVersion);
  const isTheOne = metadata.name === name && metadata.namespace === namespace;
  if (!isTheOne || uid === undefined || resourceVersion === undefined) {
    throw new ClusterError("garbled", "The answer is not the Lease that was asked for");
  }
  const spec = isRecord(object.spec) ? object.spec : {};
  const seconds = asNumber(spec.leaseDurationSeconds);
  return {
    holder: asString(spec.holderIdentity) ?? "",
    durationMs: seconds === undefined || seconds <= 0 ? fallbackMs : seconds * 1000,
    acquireTime: asString(spec.acquireTime) ?? "",
    renewTime: asString(spec.renewTime) ?? "",
    transitions: asNumber(spec.leaseTransitions) ?? 0,
    uid,
    resourceVersion,
    object,
  };
}

/** The object that says `claim`, in place of `before`; undefined: the first one. */
export function renderLease(
  { namespace, name }: LeasePlace,
  before: LeaseRecord | undefined,
  { holder, durationMs, nowMs }: LeaseClaim,
): JsonRecord {
  const nowTime = toMicroTime(nowMs);
  // A renewal is told by its time being another one, also on a clock that was set back.
  const renewTime = nowTime === before?.renewTime ? toMicroTime(nowMs + 0.001) : nowTime;
  const isKept = before !== undefined && before.holder === holder && before.acquireTime !== "";
  const isTaken = before !== undefined && holder !== "" && before.holder !== holder;
  const old = before?.object ?? {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { namespace, name },
  };
  return {
    ...old,
    spec: {
      ...isRecord(old.spec) ? old.spec : {},
      holderIdentity: holder,
      leaseDurationSeconds: Math.ceil(durationMs / 1000),
      acquireTime: isKept ? before.acquireTime : renewTime,
      renewTime,
      leaseTransitions: (before?.transitions ?? 0) + (isTaken ? 1 : 0),
    },
  };
}
