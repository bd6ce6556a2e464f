/**
 * A table of distinct schema nodes, CEL rules and parsed CEL expressions.
 *
 * Nodes are added depth first, so a node refers only to smaller indexes and can be read in one pass.
 * Equal sub-schemas (which is nearly all of them) get the same index. A keyword that the table does
 * not know is an error: a new release of the API must not lose a check silently.
 */

import { parse } from "@bufbuild/cel";
import { encodeExpression } from "./cel_expression.ts";

/** Keywords copied as they are. */
const copied = new Set([
  // Of kinds whose lists are checked by code.
  "mergeKeys",
  "type",
  "format",
  "pattern",
  "enum",
  "default",
  "required",
  "nullable",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "uniqueItems",
  "minProperties",
  "maxProperties",
]);

/** Kubernetes' own keywords, under shorter names. */
const renamed: Readonly<Record<string, string>> = {
  "x-kubernetes-list-type": "listType",
  "x-kubernetes-list-map-keys": "listMapKeys",
  "x-kubernetes-map-type": "mapType",
  "x-kubernetes-int-or-string": "intOrString",
  "x-kubernetes-preserve-unknown-fields": "preserveUnknownFields",
  "x-kubernetes-embedded-resource": "embeddedResource",
};

/** Keywords without meaning for admission. */
const ignored = new Set(["description", "title", "example", "externalDocs"]);

type Json = Record<string, unknown>;

/** Values that get an index once, however often they occur. */
class Interned {
  readonly #indexes = new Map<string, number>();
  readonly values: unknown[] = [];

  index(value: unknown): number {
    const text = JSON.stringify(value);
    const known = this.#indexes.get(text);
    if (known !== undefined) return known;
    const index = this.values.push(value) - 1;
    this.#indexes.set(text, index);
    return index;
  }
}

/** Collects schemas and turns them into indexes. */
export class SchemaTable {
  readonly #nodes = new Interned();
  readonly #rules = new Interned();
  readonly #expressions = new Interned();

  /** The index of `schema`, which is added with all its children when it is new. */
  add(schema: Json): number {
    const node: Json = {};
    for (const key of Object.keys(schema).sort()) {
      const value = schema[key];
      if (ignored.has(key)) continue;
      const short = renamed[key];
      if (copied.has(key)) node[key] = value;
      else if (short !== undefined) node[short] = value;
      else node[key === "x-kubernetes-validations" ? "rules" : key] = this.#child(key, value);
    }
    return this.#nodes.index(node);
  }

  /** The tables, ready for JSON. */
  toJSON(): { nodes: unknown[]; rules: unknown[]; expressions: unknown[] } {
    return {
      nodes: this.#nodes.values,
      rules: this.#rules.values,
      expressions: this.#expressions.values,
    };
  }

  #child(key: string, value: unknown): unknown {
    switch (key) {
      case "properties": {
        const properties = value as Record<string, Json>;
        return Object.fromEntries(
          Object.keys(properties).sort().map((name) => [name, this.add(properties[name] ?? {})]),
        );
      }
      case "items":
      case "not":
        return this.add(value as Json);
      case "additionalProperties":
        return typeof value === "boolean" ? value : this.add(value as Json);
      case "oneOf":
      case "anyOf":
      case "allOf":
        return (value as Json[]).map((each) => this.add(each));
      case "x-kubernetes-validations":
        return (value as Json[]).map((each) => this.#rule(each));
      default:
        throw new Error(`Cannot make a schema node: keyword "${key}" is unknown`);
    }
  }

  #rule(rule: Json): number {
    const { rule: source, messageExpression, ...rest } = rule;
    return this.#rules.index({
      expression: this.#expression(String(source)),
      ...rest,
      ...(messageExpression === undefined
        ? {}
        : { messageExpression: this.#expression(String(messageExpression)) }),
    });
  }

  #expression(source: string): number {
    const tree = parse(source).expr;
    if (tree === undefined) throw new Error(`Cannot parse the CEL rule "${source}": it is empty`);
    return this.#expressions.index({ source, tree: encodeExpression(tree) });
  }
}
