/** What `weir check` found in a cluster, as lines for a person. Pure. */

import { toPrintable } from "../base/printable.ts";
import type { ClusterCheckLine } from "./context.ts";
import { count } from "./problem_lines.ts";

const resultWidth = "warning".length;

/** A line for each thing that was looked at, below it what to do, and a sum at the end. */
export function clusterCheckText(lines: readonly ClusterCheckLine[]): string {
  const checkWidth = Math.max(...lines.map(({ check }) => check.length), 0);
  const indent = " ".repeat(resultWidth + checkWidth + 4);
  const text = lines.map(({ check, subject, result, message, advice }) => {
    const head = `${result.padEnd(resultWidth)}  ${check.padEnd(checkWidth)}  `;
    const told = subject === "" ? message : `${subject}: ${message}`;
    const below = advice === undefined ? "" : `${indent}to do: ${toPrintable(advice)}\n`;
    return `${head}${toPrintable(told)}\n${below}`;
  }).join("");
  const number = (wanted: ClusterCheckLine["result"]): number =>
    lines.filter(({ result }) => result === wanted).length;
  return `${text}cluster: ${number("ok")} ok, ${count(number("warning"), "warning")}, ` +
    `${number("failed")} failed\n`;
}

/** Whether something has to be changed before weir can work. */
export function hasFailed(lines: readonly ClusterCheckLine[]): boolean {
  return lines.some(({ result }) => result === "failed");
}
