/** A schema keyword that is lost when the files are made would be a check that no longer happens. */

import { assertEquals, assertThrows } from "@std/assert";
import { DescriptionTable } from "../../../scripts/description_table.ts";
import { SchemaTable } from "../../../scripts/schema_table.ts";

Deno.test("SchemaTable.add() keeps equal schemas once, whatever their descriptions", () => {
  const table = new SchemaTable();
  const text = (description: string) => ({ type: "string", maxLength: 5, description });
  const root = table.add({ type: "object", properties: { b: text("one"), a: text("two") } });
  assertEquals(table.toJSON(), {
    nodes: [
      { maxLength: 5, type: "string" },
      { properties: { a: 0, b: 0 }, type: "object" },
    ],
    rules: [],
    expressions: [],
  });
  assertEquals(root, 1);
});

Deno.test("SchemaTable.add() keeps rules and expressions once, and parses them", () => {
  const table = new SchemaTable();
  table.add({
    type: "string",
    "x-kubernetes-validations": [
      { rule: "self == 'a'", message: "one", messageExpression: "self" },
      { rule: "self == 'a'", message: "two", reason: "FieldValueForbidden" },
    ],
  });
  const { nodes, rules, expressions } = table.toJSON();
  assertEquals(nodes, [{ type: "string", rules: [0, 1] }]);
  assertEquals(rules, [
    { expression: 0, message: "one", messageExpression: 1 },
    { expression: 0, message: "two", reason: "FieldValueForbidden" },
  ]);
  assertEquals(expressions, [
    { source: "self == 'a'", tree: ["call", "_==_", null, ["id", "self"], ["string", "a"]] },
    { source: "self", tree: ["id", "self"] },
  ]);
});

Deno.test("SchemaTable.add() refuses a keyword that it does not know", () => {
  assertThrows(
    () => new SchemaTable().add({ type: "object", patternProperties: {} }),
    Error,
    'keyword "patternProperties" is unknown',
  );
});

Deno.test("SchemaTable.add() refuses a rule that does not parse", () => {
  const schema = { type: "string", "x-kubernetes-validations": [{ rule: "self ==" }] };
  assertThrows(() => new SchemaTable().add(schema));
});

Deno.test("DescriptionTable.add() names fields below lists and maps, each text once", () => {
  const table = new DescriptionTable();
  const text = { type: "string", description: "a text" };
  table.add("Kind", {
    description: "a kind",
    properties: {
      list: { items: { properties: { a: text, b: text } } },
      map: { description: "a map", additionalProperties: text },
    },
  });
  assertEquals(table.toJSON(), {
    texts: ["a kind", "a text", "a map"],
    kinds: { Kind: [0, { list: [-1, { a: 1, b: 1 }], map: 2 }] },
  });
});
