/**
 * What changed between two outputs, and outputs whose unchanged parts keep their identity.
 *
 * A status is unchanged when it says the same of the same generation; the revision that it carries
 * stays the one at which it last changed. Keys are listed in the order of the outputs, removed ones
 * last.
 */

import { share } from "../base/equal.ts";
import type { CertificateName, DataPlaneConfig } from "../dataplane/model.ts";
import type { DesiredStatus } from "../kube/desired_status.ts";
import type { ObjectKey } from "../kube/object.ts";
import { type ByStatusKind, byStatusKind, type Outputs, type StatusKind } from "./outputs.ts";
import { isSameStatus } from "./same_status.ts";

/** The keys of what changed, came or went. */
export interface OutputChanges {
  readonly revision: number;
  readonly statuses: ByStatusKind<readonly ObjectKey[]>;
  /** Whether the data plane's configuration is another one. */
  readonly dataPlane: boolean;
  readonly certificates: readonly CertificateName[];
  readonly gateways: readonly ObjectKey[];
}

/** `next` with the parts of `previous` that are equal. */
export function keepDataPlaneIdentity(
  previous: DataPlaneConfig,
  next: DataPlaneConfig,
): DataPlaneConfig {
  const gateways = keepEntries(previous.gateways, next.gateways, share);
  const clusters = keepEntries(previous.clusters, next.clusters, share);
  const certificates = keepEntries(previous.certificates, next.certificates, share);
  const isSame = gateways === previous.gateways && clusters === previous.clusters &&
    certificates === previous.certificates;
  return isSame ? previous : { revision: next.revision, gateways, clusters, certificates };
}

/** `next` with the statuses and resolved Gateways of `previous` that are equal. */
export function keepOutputsIdentity(previous: Outputs, next: Outputs): Outputs {
  return {
    revision: next.revision,
    statuses: byStatusKind((kind) => keepStatuses(previous, next, kind)),
    dataPlane: next.dataPlane,
    gateways: keepEntries(previous.gateways, next.gateways, share),
  };
}

function keepStatuses(
  previous: Outputs,
  next: Outputs,
  kind: StatusKind,
): ReadonlyMap<ObjectKey, DesiredStatus> {
  return keepEntries(previous.statuses[kind], next.statuses[kind], keepStatus);
}

function keepStatus(previous: DesiredStatus | undefined, next: DesiredStatus): DesiredStatus {
  return previous !== undefined && isSameStatus(previous, next) ? previous : next;
}

/**
 * The map `previous` itself when no entry differs, so that the usual case allocates nothing.
 * Outputs are sorted, so their order is equal.
 */
function keepEntries<Key, Value>(
  previous: ReadonlyMap<Key, Value>,
  next: ReadonlyMap<Key, Value>,
  keep: (previous: Value | undefined, next: Value) => Value,
): ReadonlyMap<Key, Value> {
  let kept: Map<Key, Value> | undefined = previous.size === next.size ? undefined : new Map();
  // No loop over entries, which makes a pair for each.
  next.forEach((value, key) => {
    const before = previous.get(key);
    const result = keep(before, value);
    if (result !== before) kept ??= copyUntil(key, previous, next);
    kept?.set(key, result);
  });
  return kept ?? previous;
}

/** The entries of `next` before `end`, all of which are those of `previous`. */
function copyUntil<Key, Value>(
  end: Key,
  previous: ReadonlyMap<Key, Value>,
  next: ReadonlyMap<Key, Value>,
): Map<Key, Value> {
  const copy = new Map<Key, Value>();
  for (const [key, value] of next) {
    if (key === end) break;
    copy.set(key, previous.get(key) ?? value);
  }
  return copy;
}

/** The keys whose outputs are other objects in `next` than in `previous`. */
export function diffOutputs(previous: Outputs, next: Outputs): OutputChanges {
  return {
    revision: next.revision,
    statuses: byStatusKind((kind) => changedKeys(previous.statuses[kind], next.statuses[kind])),
    dataPlane: previous.dataPlane !== next.dataPlane,
    certificates: changedKeys(previous.dataPlane.certificates, next.dataPlane.certificates),
    gateways: changedKeys(previous.gateways, next.gateways),
  };
}

function changedKeys<Key, Value>(
  previous: ReadonlyMap<Key, Value>,
  next: ReadonlyMap<Key, Value>,
): readonly Key[] {
  if (previous === next) return [];
  const changed: Key[] = [];
  for (const [key, value] of next) if (previous.get(key) !== value) changed.push(key);
  for (const key of previous.keys()) if (!next.has(key)) changed.push(key);
  return changed;
}
