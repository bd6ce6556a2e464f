/**
 * The explanation of a status for a person: each condition with its value, since when it is so and
 * because of what. Pure.
 */

import type {
  Because,
  ChainStep,
  ConditionExplanation,
  StatusExplanation,
} from "../api/explain_status.ts";
import { toPrintable } from "../base/printable.ts";
import { wrap } from "./wrap.ts";

/** Inputs that are shown of one condition; the other formats show all that are known. */
const shownMax = 8;
const labelWidth = 9;
const timeWidth = 20;
const countWidth = 5;

/** `explanation` in lines of at most `width` characters where words allow it. */
export function statusExplanationText(explanation: StatusExplanation, width: number): string {
  const { kind, namespace, name, revision, notes } = explanation;
  const blocks: string[] = [
    `${kind} ${placeText({ namespace, name })}, revision ${revision}\n`,
    ...notes.map((note) => `${wrap(toPrintable(`Note: ${note}`), width, "  ")}\n`),
    ...conditionLines("", explanation.conditions, width),
  ];
  for (const { name: listener, conditions } of explanation.listeners ?? []) {
    blocks.push(...conditionLines(`Listener ${listener}`, conditions, width));
  }
  for (const { parentRef, conditions } of explanation.parents ?? []) {
    blocks.push(...conditionLines(`Parent ${referenceText(parentRef)}`, conditions, width));
  }
  for (const { ancestorRef, conditions } of explanation.ancestors ?? []) {
    blocks.push(...conditionLines(`Ancestor ${referenceText(ancestorRef)}`, conditions, width));
  }
  return blocks.join("");
}

type Reference = NonNullable<StatusExplanation["parents"]>[number]["parentRef"];

function referenceText({ kind, namespace, name, sectionName, port }: Reference): string {
  const section = sectionName === undefined ? "" : `, section ${sectionName}`;
  return `${kind ?? "Gateway"} ${placeText({ namespace, name })}${section}` +
    (port === undefined ? "" : `, port ${port}`);
}

function placeText(
  { namespace, name }: { readonly namespace?: string | undefined; readonly name: string },
): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

function conditionLines(
  title: string,
  conditions: readonly ConditionExplanation[],
  width: number,
): readonly string[] {
  const typeWidth = Math.max(0, ...conditions.map(({ type }) => type.length));
  const lines = title === "" ? [] : [`${toPrintable(title)}\n`];
  for (const condition of conditions) {
    const { type, status, reason, message } = condition;
    lines.push(`  ${type.padEnd(typeWidth)}  ${status.padEnd(5)}  ${reason}\n`);
    if (message !== "") lines.push(`${wrap(toPrintable(message), width, "    ")}\n`);
    lines.push(...whyLines(condition, width));
  }
  return lines;
}

function whyLines(condition: ConditionExplanation, width: number): readonly string[] {
  const { because, truncated, superset, chain } = condition;
  const more = because.length - shownMax;
  return [
    row("since", sinceText(condition), width, condition.lastChange),
    ...because.slice(0, shownMax).map((input) => row("because", becauseText(input), width, input)),
    ...(more > 0 ? [row("", `and ${more} more (-o json shows them)`, width)] : []),
    ...(truncated ? [row("", "truncated: it follows from more than is listed", width)] : []),
    ...(superset ? [row("", "some may belong to other conditions of the object", width)] : []),
    // The first step is the condition, the last one stands among the inputs.
    ...chain.slice(1, -1).filter(({ concluded }) => concluded !== "no fault").map((step) =>
      row("by way of", stepText(step), width)
    ),
  ];
}

type When = Pick<Because, "revision" | "time">;

/** Label, time, count of the revision, text; a text of several lines stays in its column. */
function row(label: string, text: string, width: number, when?: When): string {
  const head = `    ${label.padEnd(labelWidth)} ${when === undefined ? "" : `${whenText(when)}  `}`;
  const indent = " ".repeat(head.length);
  return `${head}${wrap(toPrintable(text), width, indent).slice(indent.length)}\n`;
}

/** The time to the second, and the count of the revision, whose epoch stands at the top. */
function whenText({ revision, time }: When): string {
  const count = revision.slice(revision.lastIndexOf(".") + 1);
  const seconds = time.replace(/\.\d+Z$/, "Z");
  return `${(count === "0" ? "from the start" : seconds).padEnd(timeWidth)} ${
    (count === "0" ? "" : count).padStart(countWidth)
  }`;
}

function sinceText({ lastChange: { sinceStart, input } }: ConditionExplanation): string {
  if (sinceStart) return "the process began; before is not known";
  if (input === undefined) return "because of a change that is not known any more";
  return `${inputText(input)} ${input.absent ? "went" : "changed"}`;
}

function becauseText(input: Because): string {
  const changed = input.changed === undefined ? "" : ` (${input.changed.join(", ")})`;
  const absent = input.absent && input.lookedFor === undefined ? " is absent" : "";
  return `${inputText(input)}${absent}${changed}`;
}

function inputText({ kind, namespace, name, field, source, lookedFor, count }: Because): string {
  if (lookedFor !== undefined) {
    return count === 0 ? `no ${lookedFor}` : `${lookedFor} (${count} there)`;
  }
  const object = `${kind} ${placeText({ namespace, name })}`;
  const part = field === undefined ? "" : ` ${field}`;
  if (source === "acknowledgement") return `the data plane's answer for ${object}${part}`;
  return source === "addresses" ? `addresses given to ${object}` : `${object}${part}`;
}

function stepText({ what, concluded }: ChainStep): string {
  return `${what}: ${concluded}`;
}
