/**
 * A translation as a table: one row for each object, listener and parent, and what is wrong with it.
 * Pure.
 */

import type { TranslatedStatus, TranslateResult } from "../api/translate.ts";
import { isBad, objectTitle, partsOf, type PartView } from "./status_view.ts";
import { type Column, renderTable } from "./table.ts";

const columns: readonly Column[] = [
  { head: "OBJECT", isElastic: true },
  { head: "PART", isElastic: true },
  { head: "STATE" },
  { head: "DETAIL", isElastic: true },
];

/**
 * The rows of `result`, which is ordered, in lines of at most `width` characters; without a width
 * every condition is told whole.
 */
export function translateTable(result: TranslateResult, width: number | undefined): string {
  if (result.statuses.length === 0) return "No object gets a status\n";
  const addresses = new Map(
    result.gateways.map(({ namespace, name, addresses }) => [`${namespace}/${name}`, addresses]),
  );
  const rows = result.statuses.flatMap((status) => {
    const { kind, metadata: { namespace, name } } = status;
    const own = kind === "Gateway" ? addresses.get(`${namespace}/${name}`) : undefined;
    return statusRows(status, own ?? [], width === undefined);
  });
  return renderTable(columns, rows, width);
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
    const facts = part.part === "" && addresses.length > 0 ? [addresses.join(" ")] : [];
    const object = index === 0 || isWide ? title : "";
    return [object, part.part, stateOf(part), detailOf(part, facts, isWide)];
  });
}

/** `ok`, `wrong`, or `waits` while something is not known yet. */
function stateOf({ conditions }: PartView): string {
  if (conditions.some(isBad)) return "wrong";
  return conditions.some(({ status }) => status === "Unknown") ? "waits" : "ok";
}

function detailOf(part: PartView, facts: readonly string[], isWide: boolean): string {
  const shown = part.conditions.filter((condition) =>
    isWide || isBad(condition) || condition.status === "Unknown"
  );
  const conditions = shown.map(({ type, status, reason, message }) => {
    const explanation = message === "" || (status === "True" && !negates(type))
      ? ""
      : `: ${message}`;
    return `${type}=${status} ${reason}${explanation}`;
  });
  const { attachedRoutes } = part;
  const routes = attachedRoutes === undefined
    ? []
    : [attachedRoutes === 1 ? "1 route" : `${attachedRoutes} routes`];
  return [...conditions, ...facts, ...routes].join("; ");
}

function negates(type: string): boolean {
  return isBad({ part: "", type, status: "True", reason: "", message: "" });
}
