/**
 * All diagnostics of one revision, in a fixed order. Pure; the time is an argument, and only the
 * ends of certificates depend on it.
 *
 * Computed when somebody asks, never as a part of a recompute: one pass over routes and listeners.
 */

import type { InputReader } from "../input_reader.ts";
import type { Outputs } from "../outputs.ts";
import { findBackendDiagnostics, findWeightDiagnostics } from "./backend_diagnostics.ts";
import {
  type CertificateTime,
  findExpiryDiagnostics,
  findNameDiagnostics,
} from "./certificate_diagnostics.ts";
import type { Diagnostic } from "./diagnostic_codes.ts";
import { findFilterDiagnostics } from "./filter_diagnostics.ts";
import { findHostnameDiagnostics } from "./hostname_diagnostics.ts";
import { findUnusedListeners } from "./listener_diagnostics.ts";
import { servedRules } from "./served_rules.ts";
import { findShadowed } from "./shadow_diagnostics.ts";

/** Diagnostics that do not depend on the time; for one identity of `outputs` always the same. */
export function diagnoseRouting(inputs: InputReader, outputs: Outputs): readonly Diagnostic[] {
  const rules = servedRules(outputs.dataPlane);
  return [
    ...findBackendDiagnostics(rules, outputs),
    ...findWeightDiagnostics(rules, inputs),
    ...findFilterDiagnostics(rules),
    ...findHostnameDiagnostics(rules, inputs),
    ...findUnusedListeners(outputs),
    ...findShadowed(rules),
    ...findNameDiagnostics(outputs),
  ].sort(compareDiagnostics);
}

/** Diagnostics of certificates at one time. */
export function diagnoseExpiry(outputs: Outputs, time: CertificateTime): readonly Diagnostic[] {
  return [...findExpiryDiagnostics(outputs, time)].sort(compareDiagnostics);
}

/** All of them, sorted by code and object. */
export function diagnose(
  inputs: InputReader,
  outputs: Outputs,
  time: CertificateTime,
): readonly Diagnostic[] {
  return [...diagnoseRouting(inputs, outputs), ...diagnoseExpiry(outputs, time)]
    .sort(compareDiagnostics);
}

/** By code, kind, namespace, name and part. */
export function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
  return compareText(a.code, b.code) || compareText(a.kind, b.kind) ||
    compareText(a.namespace, b.namespace) || compareText(a.name, b.name) ||
    compareText(a.part, b.part) || compareText(a.message, b.message);
}

function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
