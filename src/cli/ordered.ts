/**
 * A translation in one fixed order, so that two runs print the same bytes and can be compared. Pure.
 *
 * The outer fields stand in the order of the contract; inside statuses and configuration, keys are
 * sorted, as kubectl does. Lists whose order means something stay as they are.
 */

import type {
  InputProblem,
  TranslatedGateway,
  TranslatedStatus,
  TranslateResult,
  UnservedPart,
} from "../api/translate.ts";

/** `result` with every list of objects sorted and every key in its place. */
export function orderResult(result: TranslateResult): TranslateResult {
  return {
    revision: result.revision,
    statuses: result.statuses.map(orderStatus).sort(compareStatuses),
    gateways: result.gateways.map(orderGateway).sort(compareGateways),
    proxy: sortRecord(result.proxy),
    unserved: orderUnserved(result.unserved),
    problems: orderProblems(result.problems),
    diagnostics: result.diagnostics,
  };
}

/** By file, line as a number, object, field and message; what is of no file comes last. */
export function orderProblems(problems: readonly InputProblem[]): InputProblem[] {
  return problems.map(({ source, object, field, message }) => ({ source, object, field, message }))
    .sort(compareProblems);
}

function orderUnserved(unserved: readonly UnservedPart[]): UnservedPart[] {
  return unserved.map(({ object, part, message }) => ({ object, part, message })).sort((a, b) =>
    compareText(a.object, b.object) || compareText(a.part, b.part) ||
    compareText(a.message, b.message)
  );
}

function orderStatus({ apiVersion, kind, metadata, status }: TranslatedStatus): TranslatedStatus {
  const { namespace, name } = metadata;
  return {
    apiVersion,
    kind,
    metadata: namespace === undefined ? { name } : { namespace, name },
    status: sortRecord(status),
  };
}

function orderGateway(gateway: TranslatedGateway): TranslatedGateway {
  const { namespace, name, addresses, listeners } = gateway;
  return { namespace, name, addresses, listeners: listeners.map(sortRecord) };
}

function compareStatuses(a: TranslatedStatus, b: TranslatedStatus): number {
  return compareText(a.kind, b.kind) || compareText(a.apiVersion, b.apiVersion) ||
    compareText(a.metadata.namespace ?? "", b.metadata.namespace ?? "") ||
    compareText(a.metadata.name, b.metadata.name);
}

function compareGateways(a: TranslatedGateway, b: TranslatedGateway): number {
  return compareText(a.namespace, b.namespace) || compareText(a.name, b.name);
}

function compareProblems(a: InputProblem, b: InputProblem): number {
  const left = splitSource(a.source);
  const right = splitSource(b.source);
  return Number(a.source === "") - Number(b.source === "") ||
    compareText(left.file, right.file) || left.line - right.line ||
    compareText(a.object, b.object) || compareText(a.field, b.field) ||
    compareText(a.message, b.message);
}

function splitSource(source: string): { readonly file: string; readonly line: number } {
  const [, file = source, line = "0"] = /^(.*):(\d+)$/s.exec(source) ?? [];
  return { file, line: Number(line) };
}

/** By code unit, the same on every machine. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function sortRecord(record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const keys = Object.keys(record).sort();
  return Object.fromEntries(keys.map((key) => [key, sortKeys(record[key])]));
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  return isRecord(value) ? sortRecord(value) : value;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
