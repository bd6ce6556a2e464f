/**
 * Reads the table of CEL rule cases and builds the objects that it describes.
 *
 * A case replaces one part of a kind's smallest valid object, of each kind when it names several. `$repeat: [count, item]` in a list is
 * that many copies of the item, and `$i` in their texts is the copy's index; `$long` in a text is 253
 * letters.
 */

import { parse } from "yaml";
import type { StatusCause } from "../../../src/localkube/store_contract.ts";
import type { Channel } from "../../../src/localkube/admission/schema_catalog.ts";

type Json = Record<string, unknown>;

/** One row of the table: a rule, an object that keeps it, and one that breaks it. */
export interface RuleCase {
  /** The rule's message. */
  readonly rule: string;
  readonly kind: string;
  readonly channel?: Channel;
  /** Path of the part that is replaced, such as `spec.rules[0].filters`. */
  readonly at: string;
  readonly valid: unknown;
  readonly invalid?: unknown;
  /** A value that breaks the rule but that the schema refuses before rules are run. */
  readonly unreachable?: unknown;
  /** The stored object's part; the write is an update then. */
  readonly old?: unknown;
  /** The field that is named, when it is not `at`. */
  readonly field?: string;
  /** The whole message, when it is not the rule's. */
  readonly says?: string;
  /** Other faults of the invalid object. */
  readonly also?: readonly Partial<StatusCause>[];
}

/** A row as it is written: `kind` may be a list of kinds that have the rule alike. */
type RuleRow = Omit<RuleCase, "kind"> & { readonly kind: string | string[] };

/** A resource as it is written. */
export type Manifest = { apiVersion: string; kind: string; metadata: Json } & Json;

/** All cases, and the base objects by kind. */
export interface RuleTable {
  readonly cases: readonly RuleCase[];
  readonly bases: ReadonlyMap<string, Manifest>;
}

/** Reads the table from the folder of this file. */
export function readRuleTable(): RuleTable {
  const folder = new URL("./rules/", import.meta.url);
  const files = [...Deno.readDirSync(folder)].map((entry) => entry.name).sort();
  const rows = files.flatMap((file) =>
    parse(Deno.readTextFileSync(new URL(file, folder))) as RuleRow[]
  );
  const cases = rows.flatMap((row) => [row.kind].flat().map((kind) => ({ ...row, kind })));
  const bases = parse(
    Deno.readTextFileSync(new URL("./bases.yaml", import.meta.url)),
  ) as Manifest[];
  return { cases, bases: new Map(bases.map((base) => [base.kind, base])) };
}

/** A copy of `base` with `part` at `path`. */
export function withPart(base: Manifest, path: string, part: unknown): Manifest {
  const object = structuredClone(base);
  const steps = path.split(/[.[\]]+/).filter((step) => step !== "");
  const last = steps.pop() ?? "";
  let at = object as Json;
  for (const [index, step] of steps.entries()) {
    const next = steps[index + 1] ?? last;
    at[step] ??= /^\d+$/.test(next) ? [] : {};
    at = at[step] as Json;
  }
  at[last] = expand(part, "");
  return object;
}

/** What is refused in the case's invalid object, as (field, reason, message) sorted. */
export function expectedCauses(ruleCase: RuleCase): StatusCause[] {
  const own = {
    field: ruleCase.field ?? ruleCase.at,
    reason: "FieldValueInvalid",
    message: ruleCase.says ?? `Invalid value: ${ruleCase.rule}`,
  };
  const others = (ruleCase.also ?? []).map((cause) => ({
    field: cause.field ?? "",
    reason: cause.reason ?? "FieldValueInvalid",
    message: cause.message ?? "",
  }));
  return sortCauses([own, ...others]);
}

/** Causes in an order that does not depend on the walk. */
export function sortCauses(causes: readonly StatusCause[]): StatusCause[] {
  const text = (cause: StatusCause) => `${cause.field} ${cause.message}`;
  return causes
    .map(({ field, reason, message }) => ({ field, reason, message }))
    .sort((a, b) => (text(a) < text(b) ? -1 : 1));
}

function expand(part: unknown, index: string): unknown {
  if (typeof part === "string") {
    return part.replaceAll("$i", index).replaceAll("$long", "a".repeat(253));
  }
  if (Array.isArray(part)) {
    return part.flatMap((item) => {
      const repeat = (item as Json | null)?.["$repeat"];
      if (!Array.isArray(repeat)) return [expand(item, index)];
      return Array.from({ length: Number(repeat[0]) }, (_, at) => expand(repeat[1], String(at)));
    });
  }
  if (typeof part !== "object" || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [String(expand(key, index)), expand(value, index)]),
  );
}
