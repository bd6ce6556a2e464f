/**
 * What the API server does with an object of a known schema: prune, default, validate, run the rules.
 *
 * The steps and their order are those of the API server: faults of the schema and duplicates in
 * lists first; CEL rules only when the object has the shape that they were written for. Metadata and
 * `apiVersion` are not looked at: they belong to the store.
 */

import { isRecord } from "../../kube/json_value.ts";
import type { KubeObject } from "../../kube/object.ts";
import type { ObjectInput } from "../store_contract.ts";
import { CelValidator, iterationsMax } from "./cel_validator.ts";
import type { Fields } from "./core_fields.ts";
import { coreChecks } from "./core_checks.ts";
import { FaultList } from "./fault_list.ts";
import { invalid, noField, required, rulesNotRun } from "./field_error.ts";
import { Re2Patterns } from "./re2_patterns.ts";
import { type Channel, SchemaCatalog } from "./schema_catalog.ts";
import type { SchemaNode } from "./schema_node.ts";
import { Shaper } from "./shape_value.ts";
import { checkUniqueLists } from "./unique_lists.ts";
import { ValueValidator } from "./validate_value.ts";

/** How objects are checked. */
export interface SchemaCheckerOptions {
  /** The Gateway API's channel; the experimental one has every field. Default: `experimental`. */
  readonly channel?: Channel;
  /** List items that the rules on one object may iterate over; see {@linkcode iterationsMax}. */
  readonly iterationsMax?: number;
}

/** The object in the shape of its schema, what it was warned of, and its faults. */
export interface CheckedObject {
  /** All fields; only to be used when there are no faults. */
  readonly fields: Fields;
  readonly warnings: readonly string[];
  readonly faults: FaultList;
}

/** Fields that the store owns and that have no schema here. */
const storeFields: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

/** Checks objects of every kind that has a schema. */
export class SchemaChecker {
  readonly #patterns = new Re2Patterns();
  readonly #catalog: SchemaCatalog;
  readonly #iterationsMax: number;

  constructor(options: SchemaCheckerOptions = {}) {
    this.#catalog = new SchemaCatalog(options.channel ?? "experimental", this.#patterns);
    this.#iterationsMax = options.iterationsMax ?? iterationsMax;
  }

  /**
   * Checks `object`, which is not changed; undefined when its version has no schema. A part that is
   * the very part of `old` (by identity) is known to be right and is not looked at again.
   */
  check(object: ObjectInput, old: KubeObject | undefined): CheckedObject | undefined {
    const { apiVersion, kind } = object;
    const schema = this.#catalog.find(apiVersion, kind);
    if (schema === undefined) return undefined;
    const { root, deprecationWarning } = schema;
    const shaper = new Shaper();
    if (deprecationWarning !== undefined) shaper.warnings.push(deprecationWarning);
    const kept = unchangedParts(object, old, root);
    const shaped = shapeParts(object, root, kept, shaper);
    const faults = new FaultList();
    const parts = partsOf(shaped, root, kept);
    this.#checkSchema(shaped, root, parts, faults);
    const core = coreChecks[kind];
    // Like the API server's decoder: what has the wrong type gets no further.
    const fields = faults.isBlocking ? shaped : core?.prepare?.(shaped) ?? shaped;
    if (!faults.isBlocking) core?.check?.(fields, old, faults);
    if (root.hasRules) this.#runRules(fields, old, parts, faults);
    return { fields, warnings: shaper.warnings, faults };
  }

  #checkSchema(fields: Fields, root: SchemaNode, parts: readonly Part[], faults: FaultList): void {
    const validator = new ValueValidator(this.#patterns);
    for (const [name, node] of parts) validator.validate(fields[name], node, name, faults);
    for (const name of root.required) {
      if (!Object.hasOwn(fields, name)) faults.add(required(name));
    }
    for (const [name, node] of parts) checkUniqueLists(fields[name], node, name, faults);
  }

  /** No kind has a rule at its root, which would see `metadata`; a test watches over that. */
  #runRules(
    fields: Fields,
    old: KubeObject | undefined,
    parts: readonly Part[],
    faults: FaultList,
  ): void {
    if (faults.isBlocking) return faults.add(invalid(noField, null, rulesNotRun));
    const validator = new CelValidator(faults, this.#iterationsMax);
    for (const [name, node] of parts) {
      if (!validator.validate(fields[name], old?.[name], node, name)) return;
    }
  }
}

/** A field of a resource that is to be looked at, and its schema. */
type Part = readonly [string, SchemaNode];

function partsOf(fields: Fields, root: SchemaNode, kept: ReadonlySet<string>): readonly Part[] {
  return [...root.properties ?? []].filter(([name]) =>
    !storeFields.has(name) && !kept.has(name) && Object.hasOwn(fields, name)
  );
}

/** The fields of `object` in the shape of `root`; parts in `kept` as they are. */
function shapeParts(
  object: ObjectInput,
  root: SchemaNode,
  kept: ReadonlySet<string>,
  shaper: Shaper,
): Fields {
  const changed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(object)) {
    if (!storeFields.has(name) && !kept.has(name)) changed[name] = value;
  }
  const shaped = shaper.shapeObject(changed, root, "");
  const { apiVersion, kind, metadata } = object;
  const fields: Record<string, unknown> = { apiVersion, kind, metadata, ...shaped };
  for (const name of kept) fields[name] = object[name];
  return fields;
}

/** Names of the fields that are the stored ones by identity and have no rules on transitions. */
function unchangedParts(
  object: ObjectInput,
  old: KubeObject | undefined,
  root: SchemaNode,
): ReadonlySet<string> {
  const kept = new Set<string>();
  if (old === undefined || old.apiVersion !== object.apiVersion) return kept;
  for (const [name, value] of Object.entries(object)) {
    if (!isRecord(value) && !Array.isArray(value)) continue;
    if (value !== old[name] || storeFields.has(name)) continue;
    if (root.properties?.get(name)?.hasTransitionRules === false) kept.add(name);
  }
  return kept;
}
