/** A plan for a person: one object after the other, what was and what would be. Pure. */

import type { Plan, PlannedChange } from "../api/plan.ts";
import { toPrintable } from "../base/printable.ts";
import { count } from "./problem_lines.ts";
import { trafficText } from "./traffic_text.ts";
import { cutText } from "./wrap.ts";

/** Characters of a value that are shown; the other formats show it whole. */
const valueMax = 200;

/** `plan` as text: a sign before each change, `!` where it is worse. */
export function planText(plan: Plan): string {
  const { changes, changeCount, worseCount, newDiagnostics, verdict } = plan;
  const { traffic, trafficCount, isTrafficWhole } = plan;
  if (verdict === "unchanged") return "Nothing would change\n";
  const objects = Map.groupBy(changes, titleOf);
  const paragraphs = [...objects].map(([title, own]) =>
    `${toPrintable(title)}\n${own.map(changeText).join("")}`
  );
  if (traffic.length > 0) paragraphs.push(`Traffic\n${traffic.map(trafficText).join("")}`);
  const moreTraffic = trafficCount - traffic.length;
  if (moreTraffic > 0) paragraphs.push(`  and ${count(moreTraffic, "more request")}\n`);
  if (!isTrafficWhole) paragraphs.push("  More traffic may move than could be looked for\n");
  if (newDiagnostics.length > 0) paragraphs.push("New diagnostics\n");
  const diagnostics = newDiagnostics.map(({ code, object, part, message }) => {
    const place = part === "" ? object : `${object}, ${part}`;
    return `  ${toPrintable(`${code} ${place}: ${message}`)}\n`;
  });
  const left = changeCount - changes.length;
  const rest = left > 0 ? `and ${count(left, "more change")}\n` : "";
  const moves = trafficCount === 0 ? "" : `, ${count(trafficCount, "request")} elsewhere`;
  const sum = `${count(changeCount, "change")}${moves}, ${worseCount} for the worse\n`;
  return [...paragraphs, ...diagnostics, rest, sum].join("");
}

function titleOf({ kind, namespace, name }: PlannedChange): string {
  return namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}

function changeText({ path, before, after, isWorse }: PlannedChange): string {
  const sign = isWorse ? "!" : before === null ? "+" : after === null ? "-" : "~";
  const lines = [`  ${sign} ${path}`];
  if (before !== null) lines.push(`      was ${valueText(before)}`);
  if (after !== null) lines.push(`      is  ${valueText(after)}`);
  return lines.map((line) => `${toPrintable(line)}\n`).join("");
}

/** A condition as `False BackendNotFound: message`, a match with its backends, the rest as JSON. */
function valueText(value: unknown): string {
  if (!isRecord(value)) return cutText(JSON.stringify(value), valueMax);
  return cutText(conditionText(value) ?? entryText(value) ?? JSON.stringify(value), valueMax);
}

function conditionText({ status, reason, message }: JsonRecord): string | undefined {
  if (typeof status !== "string" || typeof reason !== "string") return undefined;
  return `${status} ${reason}${message === "" ? "" : `: ${message}`}`;
}

/** `PathPrefix "/a" method GET, 1 header: URLRewrite, 90 default/web/80, 10 invalid`. */
function entryText({ match, filters, backends }: JsonRecord): string | undefined {
  if (!isRecord(match) || !isRecord(match.path)) return undefined;
  const conditions = [
    `${match.path.type} "${match.path.value}"`,
    ...(match.method === undefined ? [] : [`method ${match.method}`]),
    ...counted(match.headers, "header"),
    ...counted(match.queryParams, "query parameter"),
  ];
  const targets = [
    ...records(filters).map(({ type }) => String(type)),
    ...records(backends).map(({ weight, cluster }) => `${weight} ${cluster ?? "invalid"}`),
  ];
  return `${conditions.join(", ")}: ${targets.join(", ") || "nothing"}`;
}

function counted(list: unknown, noun: string): readonly string[] {
  const { length } = records(list);
  return length === 0 ? [] : [count(length, noun)];
}

type JsonRecord = Readonly<Record<string, unknown>>;

function records(value: unknown): readonly JsonRecord[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
