/** Diagnostics as the HTTP API and the command line show them. */

import type { Diagnostic as DiagnosticView } from "../api/state.ts";
import type { Clock } from "../base/clock.ts";
import {
  compareDiagnostics,
  diagnoseExpiry,
  diagnoseRouting,
} from "../gateway/diagnostics/diagnose.ts";
import type { Diagnostic } from "../gateway/diagnostics/diagnostic_codes.ts";
import type { Outputs } from "../gateway/outputs.ts";
import type { State } from "../gateway/state.ts";

/** A diagnostic in the shape of the API. */
export function showDiagnostic(
  { code, kind, namespace, name, part, message }: Diagnostic,
): DiagnosticView {
  return { code, object: `${kind} ${namespace}/${name}`, part, message };
}

/**
 * Reads the diagnostics of the outputs in service. What does not depend on the time is computed once
 * for each revision, when somebody asks.
 */
export function createDiagnosticsReader(
  state: Pick<State, "outputs" | "inputs">,
  clock: Pick<Clock, "now">,
  warningDays: number,
): () => readonly Diagnostic[] {
  let known: { readonly outputs: Outputs; readonly found: readonly Diagnostic[] } | undefined;
  return () => {
    const { outputs, inputs } = state;
    if (known?.outputs !== outputs) known = { outputs, found: diagnoseRouting(inputs, outputs) };
    const certificates = diagnoseExpiry(outputs, { nowMs: clock.now(), warningDays });
    return certificates.length === 0
      ? known.found
      : [...known.found, ...certificates].sort(compareDiagnostics);
  };
}
