/**
 * Holds outputs against a computation from scratch: the check mode of the engine.
 *
 * All at once, by a way of its own (compute_outputs.ts), for tests; or those of one Gateway, query by
 * query, so that a process that serves can do it in slices. What is found is told by names and paths,
 * never by values, which may be secret.
 */

import { equal } from "../base/equal.ts";
import type { ObjectKey } from "../kube/object.ts";
import { Check, describeDifference } from "../query/check.ts";
import type { MemoTable } from "../query/memo_table.ts";
import type { ComputeSettings } from "./compute/input_view.ts";
import { ScratchView } from "./compute/scratch_view.ts";
import { computeOutputs } from "./compute_outputs.ts";
import type { IncrementalOutputs } from "./incremental_outputs.ts";
import type { Inputs } from "./inputs.ts";
import { type Outputs, statusKinds } from "./outputs.ts";
import { gatewayParent, setParent } from "./parent_keys.ts";
import { routeKinds } from "./route_kinds.ts";
import { isSameStatus } from "./same_status.ts";

/** The first part of `outputs` that `inputs` do not lead to; undefined: there is none. */
export function findWrongOutput(
  inputs: Inputs,
  settings: ComputeSettings,
  outputs: Outputs,
): string | undefined {
  return compareOutputs(outputs, computeOutputs(new ScratchView(inputs, settings)));
}

/** The first part in which two outputs differ, revisions aside. */
function compareOutputs(found: Outputs, wanted: Outputs): string | undefined {
  for (const kind of statusKinds) {
    const key = firstDifference(found.statuses[kind], wanted.statuses[kind], isSameStatus);
    if (key !== undefined) return `status of ${kind} "${key}"`;
  }
  const gateway = firstDifference(found.dataPlane.gateways, wanted.dataPlane.gateways);
  if (gateway !== undefined) return `configuration of Gateway "${gateway}"`;
  const cluster = firstDifference(found.dataPlane.clusters, wanted.dataPlane.clusters);
  if (cluster !== undefined) return `cluster "${cluster}"`;
  const certificate = firstDifference(found.dataPlane.certificates, wanted.dataPlane.certificates);
  if (certificate !== undefined) return `certificate "${certificate}"`;
  const resolved = firstDifference(found.gateways, wanted.gateways);
  return resolved === undefined ? undefined : `resolved Gateway "${resolved}"`;
}

/** The first key by which the maps differ; `(order)` when only their order does. */
function firstDifference<Key extends string, Value>(
  found: ReadonlyMap<Key, Value>,
  wanted: ReadonlyMap<Key, Value>,
  isSame: (a: Value, b: Value) => boolean = equal,
): string | undefined {
  for (const [key, value] of wanted) {
    const other = found.get(key);
    if (other === undefined || !isSame(other, value)) return key;
  }
  const wantedKeys = wanted.keys();
  for (const key of found.keys()) {
    if (!wanted.has(key)) return key;
    if (wantedKeys.next().value !== key) return "(order)";
  }
  return undefined;
}

/** The check of the outputs of one Gateway, in slices, at one revision of the inputs. */
export class GatewaySample {
  readonly #check: Check;
  readonly #steps: Generator<string | undefined>;

  constructor(inputs: Inputs, { view }: IncrementalOutputs, gateway: ObjectKey) {
    this.#check = new Check(inputs.database);
    const compare = <Value>(table: MemoTable<ObjectKey, Value>, key: ObjectKey) => {
      const difference = this.#check.compare(table, key);
      return difference && describeDifference(difference);
    };
    this.#steps = (function* () {
      const sets = inputs.indexes.setsByGateway.membersOf(gateway);
      for (const parent of [gatewayParent(gateway), ...sets.map(setParent)]) {
        for (const kind of routeKinds) {
          for (const route of inputs.indexes.routesByParent[kind].membersOf(parent)) {
            yield compare(view.statuses[kind], route);
          }
        }
      }
      for (const set of sets) yield compare(view.statuses.ListenerSet, set);
      yield compare(view.statuses.Gateway, gateway);
      yield compare(view.parts, gateway);
      yield compare(view.resolvedGateways, gateway);
    })();
  }

  /**
   * Goes on until `isOver` says so, which is asked between queries, or all is checked. The inputs
   * must not have changed since the last step.
   */
  step(isOver: () => boolean): { readonly isDone: boolean; readonly difference?: string } {
    do {
      const { done, value: difference } = this.#steps.next();
      if (done) return { isDone: true };
      if (difference !== undefined) return { isDone: true, difference };
    } while (!isOver());
    return { isDone: false };
  }

  /** Forgets what was computed; to be called whether or not it came to its end. */
  end(): void {
    this.#check.end();
  }
}
