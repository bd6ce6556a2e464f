/**
 * A translation as a table: one row for each object, listener and parent, and what is wrong with
 * them in sentences. Pure.
 */

import type { TranslatedStatus, TranslateResult } from "../api/translate.ts";
import { toPrintable } from "../base/printable.ts";
import { count } from "./problem_lines.ts";
import {
  badConditions,
  type ConditionView,
  isBad,
  objectTitle,
  partsOf,
  type PartView,
} from "./status_view.ts";
import { type Column, renderTable } from "./table.ts";
import { wrap } from "./wrap.ts";

const columns: readonly Column[] = [
  { head: "OBJECT", isElastic: true },
  { head: "PART", isElastic: true },
  { head: "STATE" },
  { head: "DETAIL", isElastic: true },
];

/**
 * `result`, which is ordered, as a table in lines of at most `width` characters and, behind it, what
 * is wrong in whole sentences. Without a width every condition stands in its row.
 */
export function translateTable(result: TranslateResult, width: number | undefined): string {
  const { unserved } = result;
  if (result.statuses.length === 0 && unserved.length === 0) return "No object gets a status\n";
  const addresses = new Map(
    result.gateways.map(({ namespace, name, addresses }) => [`${namespace}/${name}`, addresses]),
  );
  const rows = result.statuses.flatMap((status) => {
    const { kind, metadata: { namespace, name } } = status;
    const own = kind === "Gateway" ? addresses.get(`${namespace}/${name}`) : undefined;
    return statusRows(status, own ?? [], width === undefined);
  });
  for (const { object, part, message } of unserved) {
    rows.push([object, part, "wrong", width === undefined ? message : "not served"]);
  }
  const table = renderTable(columns, rows, width);
  const surprises = diagnosticLines(result, width);
  return (width === undefined ? table : table + explanations(result, width)) + surprises;
}

function statusRows(
  status: TranslatedStatus,
  addresses: readonly string[],
  isWide: boolean,
): readonly (readonly string[])[] {
  const parts = partsOf(status);
  const title = objectTitle(status);
  if (parts.length === 0) return [[title, "", "-", "no parent is served here"]];
  return parts.map((part, index) => {
    const facts = part.part === "" ? [addresses.join(" ")] : [routeCount(part)];
    const conditions = isWide ? part.conditions.map(conditionText) : reasonsOf(part);
    const detail = [...conditions, ...facts].filter((text) => text !== "").join("; ");
    return [index === 0 || isWide ? title : "", part.part, stateOf(part), detail];
  });
}

/** `ok`, `wrong`, or `waits` while something is not known yet. */
function stateOf({ conditions }: PartView): string {
  if (conditions.some(isBad)) return "wrong";
  return conditions.some(isUnknown) ? "waits" : "ok";
}

/** The reasons of what is not fine. */
function reasonsOf({ conditions }: PartView): readonly string[] {
  return conditions.filter((condition) => isBad(condition) || isUnknown(condition))
    .map(({ reason }) => reason);
}

function routeCount({ attachedRoutes }: PartView): string {
  return attachedRoutes === undefined ? "" : count(attachedRoutes, "route");
}

function conditionText({ type, status, reason, message }: ConditionView): string {
  return `${type}=${status} ${reason}${message === "" ? "" : `: ${message}`}`;
}

function isUnknown({ status }: ConditionView): boolean {
  return status === "Unknown";
}

/** What is wrong, object by object; the empty string when nothing is. */
function explanations({ statuses, unserved }: TranslateResult, width: number): string {
  const paragraphs = statuses.flatMap((status) =>
    badConditions(status).map((condition) =>
      explanation(objectTitle(status), condition.part, conditionText(condition), width)
    )
  );
  for (const { object, part, message } of unserved) {
    paragraphs.push(explanation(object || "Settings", part, message, width));
  }
  return paragraphs.length === 0 ? "" : `\nWhat is wrong:\n${paragraphs.join("")}`;
}

/** What is valid and probably not meant; the empty string when nothing is. */
function diagnosticLines(
  { diagnostics }: TranslateResult,
  width: number | undefined,
): string {
  const paragraphs = diagnostics.map(({ code, object, part, message }) => {
    const place = toPrintable(part === "" ? object : `${object}, ${part}`);
    const text = toPrintable(`${code}: ${message}`);
    return `  ${place}\n${width === undefined ? `    ${text}` : wrap(text, width, "    ")}\n`;
  });
  return paragraphs.length === 0 ? "" : `\nWhat may surprise:\n${paragraphs.join("")}`;
}

function explanation(object: string, part: string, text: string, width: number): string {
  const title = part === "" ? object : `${object}, ${part}`;
  return `  ${toPrintable(title)}\n${wrap(toPrintable(text), width, "    ")}\n`;
}
