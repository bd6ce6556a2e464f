/**
 * Runs the CEL rules of a schema over an object.
 *
 * A node's rules run before those below it. Transition rules (those that name `oldSelf`) run where
 * the stored object has a counterpart: fields by name, items of map lists by their keys, nothing in
 * other lists. A value is converted for CEL once, at the highest node that has a rule.
 */

import { type CelInput, type CelResult, isCelError } from "@bufbuild/cel";
import { isRecord } from "../../kube/json_value.ts";
import type { CelRule } from "./cel_rule.ts";
import { CelMeter } from "./cel_meter.ts";
import { CelConverter } from "./cel_value.ts";
import type { FaultList } from "./fault_list.ts";
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  omittedValue,
  required,
} from "./field_error.ts";
import type { SchemaNode } from "./schema_node.ts";

/**
 * List items and map keys that the rules on one object may iterate over. The largest Gateway with
 * 64 listeners takes about 40,000; the worst object that the schemas allow stays below a quarter.
 */
export const iterationsMax = 1_000_000;

/** The API server's limit for a computed message; a longer one is replaced by the rule's own. */
const computedMessageMax = 5 * 1024;

/** Runs the rules on one object. */
export class CelValidator {
  readonly #faults: FaultList;
  readonly #meter: CelMeter;
  readonly #converter: CelConverter;

  constructor(faults: FaultList, budget: number = iterationsMax) {
    this.#faults = faults;
    this.#meter = new CelMeter(budget);
    this.#converter = new CelConverter(this.#meter);
  }

  /** Iterations that the rules took so far. */
  get spent(): number {
    return this.#meter.spent;
  }

  /** Runs the rules at `node` and below; false when the budget is used up. */
  validate(value: unknown, old: unknown, node: SchemaNode, path: string): boolean {
    if (!node.hasRules || value === null || value === undefined) return true;
    if (node.rules.length > 0 && !this.#runRules(value, old, node, path)) return false;
    for (const each of node.allOf) {
      if (!this.validate(value, old, each, path)) return false;
    }
    if (Array.isArray(value)) return this.#validateList(value, old, node, path);
    return !isRecord(value) || this.#validateObject(value, old, node, path);
  }

  #validateList(items: readonly unknown[], old: unknown, node: SchemaNode, path: string): boolean {
    const below = node.items;
    if (below === undefined || !below.hasRules) return true;
    const olds = below.hasTransitionRules && node.raw.listType === "map" && Array.isArray(old)
      ? old
      : [];
    return items.every((item, index) =>
      this.validate(item, counterpart(item, olds, node), below, `${path}[${index}]`)
    );
  }

  #validateObject(
    fields: Readonly<Record<string, unknown>>,
    old: unknown,
    node: SchemaNode,
    path: string,
  ): boolean {
    const olds = isRecord(old) && node.raw.mapType !== "atomic" ? old : {};
    const other = node.additionalProperties;
    if (typeof other === "object" && other.hasRules) {
      for (const name of Object.keys(fields)) {
        if (node.properties?.has(name) === true) continue;
        if (!this.validate(fields[name], olds[name], other, `${path}[${name}]`)) return false;
      }
    }
    if (node.properties === undefined) return true;
    for (const [name, below] of node.properties) {
      if (!below.hasRules || !Object.hasOwn(fields, name)) continue;
      const at = path === "" ? name : `${path}.${name}`;
      if (!this.validate(fields[name], olds[name], below, at)) return false;
    }
    return true;
  }

  #runRules(value: unknown, old: unknown, node: SchemaNode, path: string): boolean {
    const self = this.#converter.convert(value, node);
    let oldSelf: CelInput | undefined;
    for (const rule of node.rules) {
      const comparable = old !== undefined && old !== null;
      if (rule.usesOldSelf) {
        if (!comparable && !rule.optionalOldSelf) continue;
        oldSelf ??= comparable ? this.#converter.convert(old, node) : null;
      }
      const bindings = oldSelf === undefined ? { self } : { self, oldSelf };
      const result = rule.program.evaluate(bindings);
      if (this.#meter.isExhausted) {
        const detail =
          "validation failed due to running out of cost budget, no further validation rules will be run";
        this.#faults.add(invalid(path, node.raw.type ?? "", detail));
        return false;
      }
      if (result === true) continue;
      this.#faults.add(
        isCelError(result)
          ? evaluationFault(result.message, rule, node, path)
          : ruleFault(value, rule, node, path, computedMessage(rule, bindings)),
      );
    }
    return true;
  }
}

/** The stored item with the same keys as `item`. */
function counterpart(item: unknown, olds: readonly unknown[], node: SchemaNode): unknown {
  if (olds.length === 0 || !isRecord(item)) return undefined;
  const keys = node.raw.listMapKeys ?? [];
  return olds.find((old) => isRecord(old) && keys.every((key) => old[key] === item[key]));
}

/** The message that the rule computes, when it has one and it is usable. */
function computedMessage(
  rule: CelRule,
  bindings: { self: CelInput; oldSelf?: CelInput },
): string | undefined {
  if (rule.messageProgram === undefined) return undefined;
  const result: CelResult = rule.messageProgram.evaluate(bindings);
  if (typeof result !== "string") return undefined;
  const text = result.trim();
  return text === "" || text.includes("\n") || text.length > computedMessageMax ? undefined : text;
}

/** A rule that does not hold. Lists and objects are too long to repeat. */
function ruleFault(
  value: unknown,
  rule: CelRule,
  node: SchemaNode,
  path: string,
  computed: string | undefined,
): FieldError {
  const field = rule.fieldPath === "" ? path : `${path}${rule.fieldPath}`;
  const detail = computed ?? rule.message;
  const type = node.raw.type;
  const shown = type === "object" || type === "array" ? omittedValue : value;
  switch (rule.reason) {
    case "FieldValueForbidden":
      return forbidden(field, detail);
    case "FieldValueRequired":
      return required(field, detail);
    case "FieldValueDuplicate":
      return duplicate(field, shown);
    default:
      return invalid(field, shown, detail);
  }
}

/** A rule that could not be evaluated, such as one that reads a field that is not there. */
function evaluationFault(
  message: string,
  rule: CelRule,
  node: SchemaNode,
  path: string,
): FieldError {
  const type = node.raw.type ?? "";
  if (/^(found no matching|no such) overload/.test(message)) {
    const detail =
      `'no such overload': call arguments did not match a supported operator, function or macro signature for rule: ${rule.label}`;
    return invalid(path, type, detail);
  }
  const cause = message
    .replace(/^field not found: /, "no such key: ")
    .replace(/^index (-?\d+) out of bounds.*$/, "index out of bounds: $1");
  return invalid(path, type, `${cause} evaluating rule: ${rule.label}`);
}
