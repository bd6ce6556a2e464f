/**
 * What patches and server-side apply have to know of a value: which lists and maps are merged item by
 * item, and how items are told apart. Pure.
 *
 * It comes from the schemas (`x-kubernetes-list-type`, `-map-keys`, `-map-type`); metadata, which has
 * no schema of its own there, is described here as `k8s.io/apimachinery` declares it. What no schema
 * knows is merged as a map and replaced as a list.
 */

import { isRecord, type JsonRecord } from "../../kube/json_value.ts";
import type { SchemaNode } from "../admission/schema_node.ts";

/** How the value at one place is merged. */
export type FieldShape =
  | { readonly type: "leaf" }
  | {
    readonly type: "map";
    readonly below: (name: string) => FieldShape;
    readonly isStruct: boolean;
  }
  | { readonly type: "set" }
  | {
    readonly type: "keyed";
    readonly keys: readonly string[];
    /** What a key is when an item does not have it. */
    readonly defaults: ReadonlyMap<string, unknown>;
    readonly item: FieldShape;
  };

const leaf: FieldShape = { type: "leaf" };
/** Decided by the value itself: {@linkcode shapeFor}. */
const unknownShape: FieldShape = { type: "map", below: () => unknownShape, isStruct: false };
const noDefaults: ReadonlyMap<string, unknown> = new Map();

const metadataShapes: Readonly<Record<string, FieldShape>> = {
  labels: { type: "map", below: () => leaf, isStruct: false },
  annotations: { type: "map", below: () => leaf, isStruct: false },
  finalizers: { type: "set" },
  ownerReferences: { type: "keyed", keys: ["uid"], defaults: noDefaults, item: leaf },
};

const metadataShape: FieldShape = {
  type: "map",
  below: (name) => Object.hasOwn(metadataShapes, name) ? metadataShapes[name] ?? leaf : leaf,
  isStruct: true,
};

const shapes = new WeakMap<SchemaNode, FieldShape>();

/** The shape of whole objects of a kind; undefined schema: nothing is known of it. */
export function objectShape(root: SchemaNode | undefined): FieldShape {
  return {
    type: "map",
    isStruct: true,
    below(name) {
      if (name === "metadata") return metadataShape;
      const node = root?.properties?.get(name);
      return node ? nodeShape(node) : unknownShape;
    },
  };
}

/** The shape to use for `value`: a map's shape says nothing of a list, and the reverse. */
export function shapeFor(shape: FieldShape, value: unknown): FieldShape {
  if (shape.type === "map") return isRecord(value) ? shape : leaf;
  if (shape.type === "set" || shape.type === "keyed") return Array.isArray(value) ? shape : leaf;
  return shape;
}

function nodeShape(node: SchemaNode): FieldShape {
  const known = shapes.get(node);
  if (known) return known;
  const made = buildShape(node);
  shapes.set(node, made);
  return made;
}

function buildShape(node: SchemaNode): FieldShape {
  const { raw, properties, additionalProperties, items } = node;
  if (items !== undefined || raw.type === "array") return listShape(node);
  if (raw.mapType === "atomic") return leaf;
  if (properties !== undefined) {
    return {
      type: "map",
      isStruct: true,
      below(name) {
        const property = properties.get(name);
        return property ? nodeShape(property) : unknownShape;
      },
    };
  }
  if (typeof additionalProperties === "object") {
    return { type: "map", isStruct: false, below: () => nodeShape(additionalProperties) };
  }
  return raw.type === "object" || raw.preserveUnknownFields === true ? unknownShape : leaf;
}

function listShape({ raw, items }: SchemaNode): FieldShape {
  if (raw.listType === "set") return { type: "set" };
  const keys = raw.listType === "map" ? raw.listMapKeys : raw.mergeKeys;
  if (keys === undefined || items === undefined) return leaf;
  const defaults = new Map<string, unknown>();
  for (const key of keys) {
    const value = items.properties?.get(key)?.raw.default;
    if (value !== undefined) defaults.set(key, value);
  }
  return { type: "keyed", keys, defaults, item: nodeShape(items) };
}

/**
 * What tells `item` apart in a list of this shape, as JSON with its keys in order; undefined when it
 * has nothing that does.
 */
export function itemKey(
  shape: Extract<FieldShape, { readonly type: "keyed" }>,
  item: unknown,
): string | undefined {
  if (!isRecord(item)) return undefined;
  const key = keyFields(shape, item);
  return Object.keys(key).length === 0 ? undefined : JSON.stringify(key);
}

function keyFields(
  { keys, defaults }: Extract<FieldShape, { readonly type: "keyed" }>,
  item: JsonRecord,
): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const key of [...keys].sort()) {
    const value = Object.hasOwn(item, key) ? item[key] : defaults.get(key);
    if (value !== undefined && value !== null) fields[key] = value;
  }
  return fields;
}
