/**
 * Validation of numbers: the range of their format, and the bounds of their schema.
 */

import type { FaultList } from "./fault_list.ts";
import { invalid } from "./field_error.ts";
import type { SchemaNode } from "./schema_node.ts";

/** The largest number that an integer format holds; the smallest is one beyond its negative. */
const integerMax: Readonly<Record<string, number>> = {
  int32: 2 ** 31 - 1,
  int64: 2 ** 63,
};

/** Adds the faults of `value`, which is at `path`, to `faults`. */
export function checkNumber(
  value: number,
  node: SchemaNode,
  path: string,
  faults: FaultList,
): void {
  const { format, minimum, maximum, multipleOf } = node.raw;
  if (node.types.includes("integer") && !fitsFormat(value, format ?? "int64")) {
    const form = format === undefined ? "(default format)" : `with format ${format}`;
    faults.add(invalid("", "", `Checked value must be of type integer ${form} in ${path}`));
  }
  if (multipleOf !== undefined && !Number.isInteger(value / multipleOf)) {
    faults.add(invalid(path, value, `${path} in body should be a multiple of ${multipleOf}`));
  }
  if (maximum !== undefined) {
    const exclusive = node.raw.exclusiveMaximum === true;
    if (value > maximum || (exclusive && value === maximum)) {
      const words = exclusive ? "less than" : "less than or equal to";
      faults.add(invalid(path, value, `${path} in body should be ${words} ${maximum}`));
    }
  }
  if (minimum !== undefined) {
    const exclusive = node.raw.exclusiveMinimum === true;
    if (value < minimum || (exclusive && value === minimum)) {
      const words = exclusive ? "greater than" : "greater than or equal to";
      faults.add(invalid(path, value, `${path} in body should be ${words} ${minimum}`));
    }
  }
}

function fitsFormat(value: number, format: string): boolean {
  const max = integerMax[format];
  if (max === undefined || !Number.isInteger(value)) return true;
  return value <= max && value >= -max - 1;
}
