/**
 * The form of the schema files.
 *
 * A file holds every distinct schema node once; a child is an index into that table (tests nest
 * instead). The files are imported as text: that works the same from source, in a
 * bundle and in a compiled binary, needs no read permission, costs nothing until it is parsed, and
 * keeps a hundred kilobytes of literal types away from the type checker, unlike a JSON import.
 */

/** A child: an index into the table, or the node itself. */
export type RawChild = number | RawNode;

/** One schema node, with the keywords of a structural OpenAPI v3 schema. */
export interface RawNode {
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly required?: readonly string[];
  readonly nullable?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly properties?: Readonly<Record<string, RawChild>>;
  readonly items?: RawChild;
  readonly additionalProperties?: RawChild | boolean;
  readonly oneOf?: readonly RawChild[];
  readonly anyOf?: readonly RawChild[];
  readonly allOf?: readonly RawChild[];
  readonly not?: RawChild;
  /** `x-kubernetes-list-type`: `atomic`, `set` or `map`. */
  readonly listType?: string;
  readonly listMapKeys?: readonly string[];
  /** As `listMapKeys`, for merging alone: that items are unique is checked elsewhere. */
  readonly mergeKeys?: readonly string[];
  /** `x-kubernetes-map-type`: `granular` or `atomic`. */
  readonly mapType?: string;
  readonly intOrString?: boolean;
  readonly preserveUnknownFields?: boolean;
  readonly embeddedResource?: boolean;
  /** `x-kubernetes-validations`: indexes into the table of rules. */
  readonly rules?: readonly number[];
}

/** One entry of `x-kubernetes-validations`. */
export interface RawRule {
  /** Index into the table of expressions. */
  readonly expression: number;
  readonly message?: string;
  /** Index into the table of expressions. */
  readonly messageExpression?: number;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/** A CEL expression: its text, and its syntax tree as `cel_expression.ts` reads it. */
export interface RawExpression {
  readonly source: string;
  readonly tree: unknown;
}

/** One served version of a kind. */
export interface RawVersion {
  readonly root: RawChild;
  /** What the API server warns of when an object of this version is sent. */
  readonly deprecationWarning?: string;
}

/** Kind, then version. */
export type RawKinds = Readonly<Record<string, Readonly<Record<string, RawVersion>>>>;

/** A schema file. */
export interface SchemaFile {
  readonly provenance: {
    readonly project: string;
    readonly version: string;
    readonly licence: string;
    readonly files: readonly string[];
  };
  readonly channels: Readonly<Record<"experimental" | "standard", RawKinds>>;
  readonly nodes: readonly RawNode[];
  readonly rules: readonly RawRule[];
  readonly expressions: readonly RawExpression[];
}

/** The schema file of Kubernetes' own kinds, which have no rules in their schemas. */
export interface KubernetesSchemaFile {
  readonly provenance: SchemaFile["provenance"];
  /** By apiVersion, then kind. */
  readonly kinds: Readonly<Record<string, Readonly<Record<string, RawVersion>>>>;
  readonly nodes: readonly RawNode[];
}

/** The release of the Gateway API whose schemas are bundled; what their provenance says. */
export const bundledApiVersion = "v1.6.3";
