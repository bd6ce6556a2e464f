/**
 * Schema nodes for tests, from a schema as it stands in a CustomResourceDefinition.
 *
 * It goes the same way as the real schemas: through the table that the script writes and the builder
 * that reads it.
 */

import { SchemaTable } from "../../scripts/schema_table.ts";
import { CelProgram, createCelEnv } from "../../src/localkube/admission/cel_program.ts";
import { decodeSchemaFile } from "../../src/localkube/admission/decode_schema_file.ts";
import { Re2Patterns } from "../../src/localkube/admission/re2_patterns.ts";
import { SchemaBuilder, type SchemaNode } from "../../src/localkube/admission/schema_node.ts";

/** The node of an OpenAPI v3 schema with Kubernetes' keywords. */
export function schemaNode(schema: Record<string, unknown>): SchemaNode {
  const table = new SchemaTable();
  const root = table.add(schema);
  const { nodes, rules, expressions } = decodeSchemaFile(JSON.stringify(table));
  const env = createCelEnv(new Re2Patterns());
  const builder = new SchemaBuilder({ nodes, rules }, (index) => {
    const expression = expressions[index];
    if (expression === undefined) throw new RangeError(`no expression ${index}`);
    return new CelProgram(expression, () => env);
  });
  return builder.node(root);
}

/** An object schema with these properties. */
export function objectSchema(
  properties: Record<string, unknown>,
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  return { type: "object", properties, ...more };
}

/** A schema with one CEL rule. */
export function withRule(
  schema: Record<string, unknown>,
  rule: string,
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  return { ...schema, "x-kubernetes-validations": [{ rule, ...more }] };
}
