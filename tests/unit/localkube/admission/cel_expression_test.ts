/** The rules that run must be the rules of the API: their parsed form is compared with their text. */

import { assertEquals, assertThrows } from "@std/assert";
import { parse, plan } from "@bufbuild/cel";
import schemaText from "../../../../src/localkube/schema/gateway_api.json" with { type: "text" };
import { decodeExpression, mentions } from "../../../../src/localkube/admission/cel_expression.ts";
import { createCelEnv } from "../../../../src/localkube/admission/cel_program.ts";
import { decodeSchemaFile } from "../../../../src/localkube/admission/decode_schema_file.ts";
import { Re2Patterns } from "../../../../src/localkube/admission/re2_patterns.ts";

const { expressions } = decodeSchemaFile(schemaText);
const env = createCelEnv(new Re2Patterns());

/** The tree without the parser's ids, and without fields that are absent or at their default. */
function withoutIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIds);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, field]) => key !== "id" && field !== undefined)
      .map(([key, field]) => [key, withoutIds(field)]),
  );
}

Deno.test("decodeExpression() gives what the parser makes of every rule's text", () => {
  assertEquals(expressions.length, 90);
  for (const { source, tree } of expressions) {
    assertEquals(withoutIds(decodeExpression(tree)), withoutIds(parse(source).expr), source);
  }
});

Deno.test("every rule plans, and calls no unknown function", () => {
  for (const { source, tree } of expressions) {
    plan(env, decodeExpression(tree));
    for (const name of calls(tree)) {
      const known = operators.has(name) || env.funcs.find(name) !== undefined;
      assertEquals(known, true, `${name} in ${source}`);
    }
  }
});

/** Operators that the planner knows itself. */
const operators = new Set(["_&&_", "_||_", "_?_:_", "_[_]", "@not_strictly_false"]);

function calls(tree: unknown): string[] {
  if (!Array.isArray(tree)) return [];
  return [...tree[0] === "call" ? [String(tree[1])] : [], ...tree.flatMap(calls)];
}

Deno.test("mentions() finds a variable, not a field or a text of that name", () => {
  assertEquals(
    mentions(["call", "_==_", null, ["id", "self"], ["id", "oldSelf"]], "oldSelf"),
    true,
  );
  assertEquals(mentions(["get", ["id", "self"], "oldSelf"], "oldSelf"), false);
  assertEquals(mentions(["string", "oldSelf"], "oldSelf"), false);
});

for (const tree of [null, ["nope"], ["get", ["id", "a"]], ["string", 1], ["call", "f"]]) {
  Deno.test(`decodeExpression() refuses ${JSON.stringify(tree)}`, () => {
    assertThrows(() => decodeExpression(tree), TypeError, "Cannot decode a CEL expression");
  });
}
