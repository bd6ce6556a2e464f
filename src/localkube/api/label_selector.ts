/**
 * Label selectors in the form of request parameters: `app=web,tier!=db,env in (a,b),!beta`.
 *
 * The grammar is that of `k8s.io/apimachinery` (package `labels`). Pure.
 */

import { checkLabelValue, checkQualifiedName } from "../name_formats.ts";
import { badRequest } from "./api_status.ts";

/** Whether an object with these labels is selected. */
export type LabelSelector = (labels: Readonly<Record<string, string>>) => boolean;

/** UTF-16 units of a selector; longer ones are refused. */
const selectorLengthMax = 16 * 1024;

/**
 * Reads a selector; the empty one selects everything.
 *
 * @throws {ApiRefusal} 400
 */
export function parseLabelSelector(text: string): LabelSelector | undefined {
  if (text.trim() === "") return undefined;
  if (text.length > selectorLengthMax) throw refusal(text, "it is too long");
  const requirements = splitRequirements(text).map((part) => parseRequirement(part, text));
  return (labels) => requirements.every((requirement) => requirement(labels));
}

/** Splits at commas outside of parentheses. */
function splitRequirements(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (character === "(") depth++;
    if (character === ")") depth--;
    if (depth < 0 || depth > 1) throw refusal(text, "parentheses do not match");
    if (character !== "," || depth > 0) continue;
    parts.push(text.slice(start, index));
    start = index + 1;
  }
  if (depth !== 0) throw refusal(text, "parentheses do not match");
  return [...parts, text.slice(start)];
}

function parseRequirement(part: string, whole: string): LabelSelector {
  const text = part.trim();
  const set = /^(\S+)\s+(in|notin)\s*\(([^()]*)\)$/.exec(text);
  if (set) {
    const [, key = "", operator, list = ""] = set;
    const values = list.split(",").map((value) => checkedValue(value.trim(), whole));
    const wants = operator === "in";
    checkKey(key, whole);
    return (labels) => {
      const value = labelOf(labels, key);
      return value === undefined ? !wants : values.includes(value) === wants;
    };
  }
  const pair = /^([^\s=!<>]+)\s*(==|=|!=|>|<)\s*(\S*)$/.exec(text);
  if (pair) return parsePair(pair, whole);
  const [, negation, key = ""] = /^(!)?\s*([^\s=!<>()]+)$/.exec(text) ?? [];
  checkKey(key, whole);
  return (labels) => Object.hasOwn(labels, key) === (negation === undefined);
}

function parsePair(pair: RegExpExecArray, whole: string): LabelSelector {
  const [, key = "", operator = "", text = ""] = pair;
  checkKey(key, whole);
  if (operator === ">" || operator === "<") {
    if (!/^-?\d{1,18}$/.test(text)) throw refusal(whole, `"${text}" is no integer`);
    return (labels) => {
      const value = labelOf(labels, key);
      if (value === undefined || !/^-?\d{1,18}$/.test(value)) return false;
      return operator === ">" ? BigInt(value) > BigInt(text) : BigInt(value) < BigInt(text);
    };
  }
  const value = checkedValue(text, whole);
  return operator === "!="
    ? (labels) => labelOf(labels, key) !== value
    : (labels) => labelOf(labels, key) === value;
}

/** Never what an object inherits: `constructor` is a fine label. */
function labelOf(labels: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}

function checkKey(key: string, whole: string): void {
  const [fault] = checkQualifiedName(key);
  if (fault !== undefined) throw refusal(whole, `key ${JSON.stringify(key)}: ${fault}`);
}

function checkedValue(value: string, whole: string): string {
  const [fault] = checkLabelValue(value);
  if (fault !== undefined) throw refusal(whole, `value ${JSON.stringify(value)}: ${fault}`);
  return value;
}

function refusal(text: string, fault: string): Error {
  const shown = JSON.stringify(text.slice(0, 200));
  return badRequest(`unable to parse requirement: ${shown}: ${fault}`);
}
