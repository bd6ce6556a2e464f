/**
 * One recompute from scratch: from the inputs at their revision to outputs that keep what did not
 * change. The state computes incrementally (incremental_outputs.ts) and checks itself against this.
 *
 * Pure and synchronous. The result equals a computation without `previous`; only identities differ.
 */

import type { ComputeSettings } from "./compute/input_view.ts";
import { type ScratchInputs, ScratchView } from "./compute/scratch_view.ts";
import { computeDataPlaneConfig } from "./compute/data_plane_config.ts";
import { computeOutputsFor } from "./compute_outputs.ts";
import {
  diffOutputs,
  keepDataPlaneIdentity,
  keepOutputsIdentity,
  type OutputChanges,
} from "./diff.ts";
import type { Outputs } from "./outputs.ts";

/** Computes the outputs of `inputs` and what differs from `previous`. */
export function recompute(
  inputs: ScratchInputs,
  settings: ComputeSettings,
  previous: Outputs,
): { readonly outputs: Outputs; readonly changes: OutputChanges } {
  const view = new ScratchView(inputs, settings);
  const dataPlane = keepDataPlaneIdentity(previous.dataPlane, computeDataPlaneConfig(view));
  const outputs = keepOutputsIdentity(previous, computeOutputsFor(view, dataPlane));
  return { outputs, changes: diffOutputs(previous, outputs) };
}
