/**
 * Copies the objects of one cluster into another, for a fork.
 *
 * What is stored was admitted before, so it is not checked again; what comes later is. The copies
 * have uids and versions of their own.
 */

import type { Clock } from "../base/clock.ts";
import { type Kind, kindNames } from "../kube/kinds.ts";
import type { KubeObject } from "../kube/object.ts";
import type {
  Admission,
  AdmissionResult,
  LocalCluster,
  ObjectInput,
} from "../localkube/store_contract.ts";

/** Lets everything in while it is seeding, and asks another admission after that. */
export class SeedingAdmission implements Admission {
  readonly #admission: Admission;
  #isSeeding = true;

  constructor(admission: Admission) {
    this.#admission = admission;
  }

  /** From now on objects are checked. */
  endSeeding(): void {
    this.#isSeeding = false;
  }

  admit(kind: Kind, object: ObjectInput, old: KubeObject | undefined): AdmissionResult {
    return this.#isSeeding
      ? { ok: true, object, warnings: [] }
      : this.#admission.admit(kind, object, old);
  }
}

/** Objects by kind, as they are at one moment. */
export type Snapshot = readonly (readonly [Kind, readonly KubeObject[]])[];

/** Namespaces come first, so that none is made up for an object. */
export function takeSnapshot(cluster: Pick<LocalCluster, "list">): Snapshot {
  const order: readonly Kind[] = [
    "Namespace",
    ...kindNames.filter((kind) => kind !== "Namespace"),
  ];
  return order.map((kind) => [kind, cluster.list(kind).items]);
}

/** How long the event loop is held at a time. */
const sliceMs = 5;

/** Puts `snapshot` into `target`, with statuses, and lets others run in between. */
export async function seedCluster(
  target: LocalCluster,
  snapshot: Snapshot,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  let sliceStartMs = clock.monotonicMs();
  for (const [kind, objects] of snapshot) {
    for (const object of objects) {
      const { uid: _, resourceVersion: __, generation: ___, ...metadata } = object.metadata;
      const copy = { ...object, metadata };
      target.apply(kind, copy);
      // Addresses are kept by what the status says.
      if (kind === "Gateway" && object.status !== undefined) target.updateStatus(kind, copy);
      if (clock.monotonicMs() - sliceStartMs < sliceMs) continue;
      await clock.sleep(0, signal);
      sliceStartMs = clock.monotonicMs();
    }
  }
}
