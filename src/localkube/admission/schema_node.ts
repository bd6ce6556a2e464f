/**
 * Schema nodes as admission walks them: children resolved, and what a walk can skip known ahead.
 *
 * Nodes are shared: one node stands for every place in every kind that has the same schema. They
 * are built on first use, so a kind that nobody sends costs nothing, and never change afterwards.
 */

import type { RawChild, RawNode, SchemaFile } from "./schema_file.ts";
import { CelRule } from "./cel_rule.ts";
import type { CelProgram } from "./cel_program.ts";

/** A schema node. Absent keywords are undefined; lists are empty. */
export interface SchemaNode {
  readonly raw: RawNode;
  /** The types that a value may have; empty: any. */
  readonly types: readonly string[];
  readonly properties: ReadonlyMap<string, SchemaNode> | undefined;
  /** Names and schemas of the properties with a default, in schema order. */
  readonly defaults: readonly (readonly [string, SchemaNode])[];
  readonly required: readonly string[];
  readonly items: SchemaNode | undefined;
  /** The schema of other properties; true when anything goes; undefined when none are allowed. */
  readonly additionalProperties: SchemaNode | true | undefined;
  readonly oneOf: readonly SchemaNode[];
  readonly anyOf: readonly SchemaNode[];
  readonly allOf: readonly SchemaNode[];
  readonly not: SchemaNode | undefined;
  readonly rules: readonly CelRule[];
  /** Whether this node or one below has CEL rules. */
  readonly hasRules: boolean;
  /** Whether this node or one below has rules that compare with the stored object. */
  readonly hasTransitionRules: boolean;
  /** Whether this node or one below is a list whose items must be unique. */
  readonly hasUniqueLists: boolean;
}

const noNodes: readonly SchemaNode[] = [];
const integerOrString: readonly string[] = ["integer", "string"];

/** Builds nodes out of one schema file. */
export class SchemaBuilder {
  readonly #file: Pick<SchemaFile, "nodes" | "rules">;
  readonly #program: (expression: number) => CelProgram;
  readonly #nodes = new Map<RawNode, SchemaNode>();
  readonly #rules = new Map<number, CelRule>();

  /** @param program gives the program of an expression of the file; called when a rule is built */
  constructor(
    file: Pick<SchemaFile, "nodes" | "rules">,
    program: (expression: number) => CelProgram,
  ) {
    this.#file = file;
    this.#program = program;
  }

  /** The node for `child`. Throws for an index that the file does not have. */
  node(child: RawChild): SchemaNode {
    const raw = typeof child === "number" ? this.#file.nodes[child] : child;
    if (raw === undefined) throw new RangeError(`Cannot find schema node ${child}: out of range`);
    const known = this.#nodes.get(raw);
    if (known !== undefined) return known;
    const built = this.#build(raw);
    this.#nodes.set(raw, built);
    return built;
  }

  #build(raw: RawNode): SchemaNode {
    const properties = raw.properties === undefined ? undefined : new Map(
      Object.entries(raw.properties).map(([name, child]) => [name, this.node(child)]),
    );
    const additional = raw.additionalProperties;
    const items = raw.items === undefined ? undefined : this.node(raw.items);
    const additionalProperties = additional === undefined || additional === false
      ? undefined
      : additional === true || this.node(additional);
    const rules = (raw.rules ?? []).map((index) => this.#rule(index));
    const allOf = this.#list(raw.allOf);
    const below = [...properties?.values() ?? [], ...allOf];
    if (items !== undefined) below.push(items);
    if (typeof additionalProperties === "object") below.push(additionalProperties);
    return {
      raw,
      types: raw.intOrString === true ? integerOrString : raw.type === undefined ? [] : [raw.type],
      properties,
      defaults: [...properties ?? []].filter(([, node]) => node.raw.default !== undefined),
      required: raw.required ?? [],
      items,
      additionalProperties,
      oneOf: this.#list(raw.oneOf),
      anyOf: this.#list(raw.anyOf),
      allOf,
      not: raw.not === undefined ? undefined : this.node(raw.not),
      rules,
      hasRules: rules.length > 0 || below.some((node) => node.hasRules),
      hasTransitionRules: rules.some((rule) => rule.usesOldSelf) ||
        below.some((node) => node.hasTransitionRules),
      hasUniqueLists: raw.listType === "set" || raw.listType === "map" ||
        below.some((node) => node.hasUniqueLists),
    };
  }

  #list(children: readonly RawChild[] | undefined): readonly SchemaNode[] {
    return children === undefined ? noNodes : children.map((child) => this.node(child));
  }

  #rule(index: number): CelRule {
    const known = this.#rules.get(index);
    if (known !== undefined) return known;
    const raw = this.#file.rules[index];
    if (raw === undefined) throw new RangeError(`Cannot find CEL rule ${index}: out of range`);
    const rule = new CelRule(raw, this.#program);
    this.#rules.set(index, rule);
    return rule;
  }
}
