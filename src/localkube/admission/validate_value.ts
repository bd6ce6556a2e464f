/**
 * Validation of a value against its schema, with the API server's findings in its words.
 *
 * The value has been shaped before. Every fault is found, not only the first. The order is that of
 * the API server where it has one (a node's own faults, then its fields, then what is missing);
 * fields go in the order of the schema, which the API server leaves to chance.
 */

import { isRecord } from "../../kube/json_value.ts";
import { FaultList } from "./fault_list.ts";
import {
  invalid,
  notSupported,
  quote,
  required,
  tooLong,
  tooMany,
  typeInvalid,
} from "./field_error.ts";
import type { Re2Patterns } from "./re2_patterns.ts";
import type { SchemaNode } from "./schema_node.ts";
import { findFormat } from "./string_formats.ts";
import { checkNumber } from "./validate_number.ts";
import { checkType } from "./validate_type.ts";

/** Validates values of one object. */
export class ValueValidator {
  readonly #patterns: Re2Patterns;
  /** Checks done so far: it decides which alternative of a choice is explained. */
  #checkCount = 0;

  constructor(patterns: Re2Patterns) {
    this.#patterns = patterns;
  }

  /** Adds the faults of `value`, which is at `path`, to `faults`. */
  validate(value: unknown, node: SchemaNode, path: string, faults: FaultList): void {
    this.#checkCount += node.types.length > 0 || node.raw.format !== undefined ? 2 : 1;
    checkType(value, node, path, faults);
    if (value === null) return;
    if (node.raw.anyOf !== undefined || node.raw.oneOf !== undefined) {
      this.#checkChoices(value, node, path, faults);
    }
    if (node.raw.allOf !== undefined || node.not !== undefined) {
      this.#checkCombinations(value, node, path, faults);
    }
    if (typeof value === "string") this.#checkString(value, node, path, faults);
    else if (typeof value === "number") checkNumber(value, node, path, faults);
    else if (Array.isArray(value)) this.#checkList(value, node, path, faults);
    if (node.raw.enum !== undefined) checkEnum(value, node.raw.enum, path, faults);
    if (isRecord(value)) this.#checkObject(value, node, path, faults);
  }

  #checkString(text: string, node: SchemaNode, path: string, faults: FaultList): void {
    const { minLength, maxLength, pattern, format } = node.raw;
    // Most texts with a costly pattern (group, kind) are the default. Definitions whose defaults are
    // wrong are refused by the API server; a test sees to ours.
    if (text === node.raw.default) return;
    // Code points are at most as many as code units, so most texts need no counting.
    if (maxLength !== undefined && text.length > maxLength && codePoints(text) > maxLength) {
      faults.add(tooLong(path, maxLength));
    }
    if (minLength !== undefined && text.length < 2 * minLength && codePoints(text) < minLength) {
      faults.add(
        invalid(path, text, `${path} in body should be at least ${minLength} chars long`),
      );
    }
    if (pattern !== undefined && !this.#patterns.test(pattern, text)) {
      faults.add(invalid(path, text, `${path} in body should match '${pattern}'`));
    }
    const check = format === undefined ? undefined : findFormat(format);
    if (check !== undefined && !check(text)) {
      faults.add(
        typeInvalid(path, text, `${path} in body must be of type ${format}: ${quote(text)}`),
      );
    }
  }

  #checkList(items: readonly unknown[], node: SchemaNode, path: string, faults: FaultList): void {
    if (node.items !== undefined) {
      for (const [index, item] of items.entries()) {
        this.validate(item, node.items, `${path}[${index}]`, faults);
      }
    }
    const { minItems, maxItems } = node.raw;
    if (minItems !== undefined && items.length < minItems) {
      faults.add(
        invalid(path, items.length, `${path} in body should have at least ${minItems} items`),
      );
    }
    if (maxItems !== undefined && items.length > maxItems) {
      faults.add(tooMany(path, items.length, maxItems));
    }
  }

  #checkObject(
    fields: Readonly<Record<string, unknown>>,
    node: SchemaNode,
    path: string,
    faults: FaultList,
  ): void {
    if (!checkPropertyCount(fields, node, path, faults)) return;
    const other = node.additionalProperties;
    if (typeof other === "object") {
      for (const name of Object.keys(fields)) {
        if (node.properties?.has(name) === true) continue;
        this.validate(fields[name], other, `${path}.${name}`, faults);
      }
    }
    if (node.properties !== undefined) {
      for (const [name, below] of node.properties) {
        if (!Object.hasOwn(fields, name)) continue;
        this.validate(fields[name], below, child(path, name), faults);
      }
    }
    for (const name of node.required) {
      if (!Object.hasOwn(fields, name)) faults.add(required(child(path, name)));
    }
  }

  #checkChoices(value: unknown, node: SchemaNode, path: string, faults: FaultList): void {
    if (node.anyOf.length > 0) {
      const { valid, best } = this.#tryEach(value, node.anyOf, path);
      if (valid === 0) {
        faults.add(invalid("", "", `${quote(path)} must validate at least one schema (anyOf)`));
        faults.addAll(best);
      }
    }
    if (node.oneOf.length > 0) {
      const { valid, best } = this.#tryEach(value, node.oneOf, path);
      if (valid === 1) return;
      const found = valid === 0 ? "Found none valid" : `Found ${valid} valid alternatives`;
      faults.add(
        invalid("", "", `${quote(path)} must validate one and only one schema (oneOf). ${found}`),
      );
      if (valid === 0) faults.addAll(best);
    }
  }

  /** How many of `nodes` are valid, and the faults of the one that was looked into most. */
  #tryEach(
    value: unknown,
    nodes: readonly SchemaNode[],
    path: string,
  ): { valid: number; best: FaultList } {
    let best = new FaultList();
    let bestChecks = -1;
    let valid = 0;
    for (const node of nodes) {
      const faults = new FaultList();
      const before = this.#checkCount;
      this.validate(value, node, path, faults);
      const checks = this.#checkCount - before;
      if (faults.count === 0) valid++;
      else if (checks > bestChecks) [best, bestChecks] = [faults, checks];
    }
    return { valid, best };
  }

  #checkCombinations(value: unknown, node: SchemaNode, path: string, faults: FaultList): void {
    const before = faults.count;
    let valid = 0;
    for (const each of node.allOf) {
      const count = faults.count;
      this.validate(value, each, path, faults);
      if (faults.count === count) valid++;
    }
    if (faults.count > before) {
      const none = valid === 0 ? ". None validated" : "";
      faults.add(invalid("", "", `${quote(path)} must validate all the schemas (allOf)${none}`));
    }
    if (node.not === undefined) return;
    const inner = new FaultList();
    const checkCount = this.#checkCount;
    this.validate(value, node.not, path, inner);
    this.#checkCount = checkCount;
    if (inner.count === 0) {
      faults.add(invalid("", "", `${quote(path)} must not validate the schema (not)`));
    }
  }
}

/** The path of field `name` of the object at `path`. */
function child(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Whether the number of fields is allowed; a map of the wrong size is not looked into. */
function checkPropertyCount(
  fields: Readonly<Record<string, unknown>>,
  node: SchemaNode,
  path: string,
  faults: FaultList,
): boolean {
  const { minProperties, maxProperties } = node.raw;
  if (minProperties === undefined && maxProperties === undefined) return true;
  const count = Object.keys(fields).length;
  if (minProperties !== undefined && count < minProperties) {
    faults.add(
      invalid(path, count, `${path} in body should have at least ${minProperties} properties`),
    );
    return false;
  }
  if (maxProperties === undefined || count <= maxProperties) return true;
  faults.add(tooMany(path, count, maxProperties));
  return false;
}

function checkEnum(
  value: unknown,
  allowed: readonly unknown[],
  path: string,
  faults: FaultList,
): void {
  if (!allowed.includes(value)) faults.add(notSupported(path, value, allowed));
}
