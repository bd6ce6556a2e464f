/**
 * Brings a value into the shape of its schema: unknown fields dropped, nulls dropped, defaults added.
 *
 * This is what the API server does when it decodes an object, before it validates anything: unknown
 * fields are pruned (and named in a warning), a null where the schema allows none counts as absent,
 * then defaults are filled in at every level, also inside defaults. The input is not changed; what
 * is returned shares nothing with it that could be changed.
 */

import { isRecord } from "../../kube/json_value.ts";
import type { SchemaNode } from "./schema_node.ts";

/** Unknown fields that are named; the rest is dropped silently. */
export const warningsMax = 100;

/** The fields of a resource that no schema describes fully; their owner shapes them. */
const resourceFields: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

/** Shapes values and collects the warnings. */
export class Shaper {
  readonly warnings: string[] = [];

  /** `value` in the shape of `node`; `path` is where it is, for warnings. */
  shape(value: unknown, node: SchemaNode | undefined, path: string): unknown {
    if (Array.isArray(value)) return this.#list(value, node, path);
    if (isRecord(value)) return this.shapeObject(value, node, path);
    return value;
  }

  #list(items: readonly unknown[], node: SchemaNode | undefined, path: string): unknown[] {
    const below = node?.items;
    return items.map((item, index) => {
      // A null item stays unless there is a default: lists have no holes.
      const given = item === null && below !== undefined && below.raw.nullable !== true
        ? below.raw.default ?? null
        : item;
      return this.shape(given, below, `${path}[${index}]`);
    });
  }

  /** `fields` in the shape of `node`, with the defaults of what is absent. */
  shapeObject(
    fields: Readonly<Record<string, unknown>>,
    node: SchemaNode | undefined,
    path: string,
  ): Record<string, unknown> {
    const shaped: Record<string, unknown> = {};
    for (const name in fields) {
      if (!Object.hasOwn(fields, name)) continue;
      const value = fields[name];
      // JSON cannot hold an undefined field, a caller's object can.
      if (value === undefined) continue;
      const below = this.#below(node, name);
      if (below === false) this.#warnUnknown(path, name);
      else this.#field(shaped, name, value, below, path);
    }
    if (node !== undefined) this.#addDefaults(shaped, node, path);
    return shaped;
  }

  /** The schema of field `name`; undefined when anything goes, false when the field is unknown. */
  #below(node: SchemaNode | undefined, name: string): SchemaNode | undefined | false {
    if (node === undefined) return undefined;
    const property = node.properties?.get(name);
    if (property !== undefined) return property;
    if (node.additionalProperties === true) return undefined;
    if (node.additionalProperties !== undefined) return node.additionalProperties;
    if (node.raw.preserveUnknownFields === true) return undefined;
    return node.raw.embeddedResource === true && resourceFields.has(name) ? undefined : false;
  }

  #field(
    shaped: Record<string, unknown>,
    name: string,
    value: unknown,
    below: SchemaNode | undefined,
    path: string,
  ): void {
    if (value === null && below !== undefined && below.raw.nullable !== true) return;
    set(shaped, name, this.shape(value, below, path === "" ? name : `${path}.${name}`));
  }

  #addDefaults(shaped: Record<string, unknown>, node: SchemaNode, path: string): void {
    for (const [name, below] of node.defaults) {
      if (Object.hasOwn(shaped, name)) continue;
      set(
        shaped,
        name,
        this.shape(below.raw.default, below, path === "" ? name : `${path}.${name}`),
      );
    }
  }

  #warnUnknown(path: string, name: string): void {
    if (this.warnings.length >= warningsMax) return;
    this.warnings.push(`unknown field "${path === "" ? name : `${path}.${name}`}"`);
  }
}

/** Sets a field whatever its name is: `__proto__` is a name like any other in a manifest. */
function set(fields: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== "__proto__") fields[name] = value;
  else {
    Object.defineProperty(fields, name, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
}
