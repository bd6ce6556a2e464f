/**
 * Admission as the API server does it: prune, default, validate, run the CEL rules.
 *
 * The answer for an object is the same as that of a real cluster with the Gateway API's definitions
 * installed, so that what works here works there and a fault is told in the same words. Metadata is
 * the store's business and passes unchanged; so is which writes may touch `status`. Pure: the caches
 * of schemas and programs are the only state.
 */

import { isRecord } from "../../kube/json_value.ts";
import { apiVersionOf, type Kind, type KindInfo, kinds } from "../../kube/kinds.ts";
import type { KubeObject } from "../../kube/object.ts";
import type { Admission, AdmissionResult, ObjectInput } from "../store_contract.ts";
import { CelValidator, iterationsMax } from "./cel_validator.ts";
import type { Fields } from "./core_fields.ts";
import { coreKinds } from "./core_schemas.ts";
import { FaultList } from "./fault_list.ts";
import { invalid, noField, required } from "./field_error.ts";
import { Re2Patterns } from "./re2_patterns.ts";
import { type Channel, SchemaCatalog } from "./schema_catalog.ts";
import type { SchemaNode } from "./schema_node.ts";
import { Shaper } from "./shape_value.ts";
import { checkUniqueLists } from "./unique_lists.ts";
import { ValueValidator } from "./validate_value.ts";

/** How objects are admitted. */
export interface SchemaAdmissionOptions {
  /** The Gateway API's channel; the experimental one has every field. Default: `experimental`. */
  readonly channel?: Channel;
  /** List items that the rules on one object may iterate over; see {@linkcode iterationsMax}. */
  readonly iterationsMax?: number;
}

/** Fields that the store owns and that have no schema here. */
const storeFields: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

const rulesNotRun = "some validation rules were not checked because the object was invalid; " +
  "correct the existing errors to complete validation";

/** Checks objects by the schemas of their kinds. */
export class SchemaAdmission implements Admission {
  readonly #patterns = new Re2Patterns();
  readonly #catalog: SchemaCatalog;
  readonly #iterationsMax: number;

  constructor(options: SchemaAdmissionOptions = {}) {
    this.#catalog = new SchemaCatalog(options.channel ?? "experimental", this.#patterns);
    this.#iterationsMax = options.iterationsMax ?? iterationsMax;
  }

  /**
   * The object in the shape of its schema and in the preferred version of its kind, or its faults.
   * An object of an unknown version is a fault of `apiVersion`. A part that is the very part of
   * `old` (by identity) is known to be right and is not looked at again.
   */
  admit(kind: Kind, object: ObjectInput, old: KubeObject | undefined): AdmissionResult {
    const schema = this.#catalog.find(object.apiVersion, kind);
    if (schema === undefined) {
      const detail = `no version of ${kind} is served under this name`;
      return { ok: false, causes: [invalid("apiVersion", object.apiVersion, detail)] };
    }
    const shaper = new Shaper();
    if (schema.deprecationWarning !== undefined) shaper.warnings.push(schema.deprecationWarning);
    const kept = unchangedParts(object, old, schema.root);
    const fields = shapeParts(object, schema.root, kept, shaper);
    const prepared = coreKinds[kind]?.prepare?.(fields) ?? fields;
    const faults = this.#check(kind, prepared, old, schema.root, kept);
    if (faults.count > 0) return { ok: false, causes: faults.toCauses() };
    const info: KindInfo = kinds[kind];
    const { metadata } = object;
    const admitted = { ...prepared, apiVersion: apiVersionOf(info), kind, metadata };
    return { ok: true, object: admitted, warnings: shaper.warnings };
  }

  #check(
    kind: Kind,
    fields: Fields,
    old: KubeObject | undefined,
    root: SchemaNode,
    kept: ReadonlySet<string>,
  ): FaultList {
    const faults = new FaultList();
    const validator = new ValueValidator(this.#patterns);
    const parts: [string, SchemaNode][] = [];
    for (const [name, node] of root.properties ?? []) {
      if (storeFields.has(name) || kept.has(name) || !Object.hasOwn(fields, name)) continue;
      parts.push([name, node]);
      validator.validate(fields[name], node, name, faults);
    }
    for (const name of root.required) {
      if (!Object.hasOwn(fields, name)) faults.add(required(name));
    }
    for (const [name, node] of parts) checkUniqueLists(fields[name], node, name, faults);
    const check = coreKinds[kind]?.check;
    if (check !== undefined && !faults.isBlocking) check(fields, old, faults);
    if (root.hasRules) this.#runRules(fields, old, parts, faults);
    return faults;
  }

  /** No kind has a rule at its root, which would see `metadata`; a test watches over that. */
  #runRules(
    fields: Fields,
    old: KubeObject | undefined,
    parts: readonly (readonly [string, SchemaNode])[],
    faults: FaultList,
  ): void {
    if (faults.isBlocking) return faults.add(invalid(noField, null, rulesNotRun));
    const validator = new CelValidator(faults, this.#iterationsMax);
    for (const [name, node] of parts) {
      if (!validator.validate(fields[name], old?.[name], node, name)) return;
    }
  }
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
