/** Structural faults, in the API server's words: what a person reads when a manifest is refused. */

import { assert, assertEquals } from "@std/assert";
import schemaText from "../../../../src/localkube/schema/gateway_api.json" with { type: "text" };
import { decodeSchemaFile } from "../../../../src/localkube/admission/decode_schema_file.ts";
import { FaultList } from "../../../../src/localkube/admission/fault_list.ts";
import { Re2Patterns } from "../../../../src/localkube/admission/re2_patterns.ts";
import { ValueValidator } from "../../../../src/localkube/admission/validate_value.ts";
import { objectSchema, schemaNode } from "../../../fakes/openapi_schema.ts";

function faultsOf(schema: Record<string, unknown>, value: unknown): string[] {
  const faults = new FaultList();
  new ValueValidator(new Re2Patterns()).validate(value, schemaNode(schema), "spec.a", faults);
  return faults.toCauses().map(({ reason, field, message }) =>
    `${field} ${reason.replace("FieldValue", "")} ${message}`
  );
}

const int32 = { type: "integer", format: "int32" };
const choice = {
  type: "string",
  anyOf: [{ format: "ipv4" }, { format: "ipv6" }],
};

/** Schema, value, faults. */
const table: readonly (readonly [Record<string, unknown>, unknown, readonly string[]])[] = [
  [{ type: "string" }, "x", []],
  [{ type: "string" }, 5, [
    'spec.a TypeInvalid Invalid value: "integer": spec.a in body must be of type string: "integer"',
  ]],
  [{ type: "integer" }, "5", [
    'spec.a TypeInvalid Invalid value: "string": spec.a in body must be of type integer: "string"',
  ]],
  [{ type: "integer" }, 1.5, [
    'spec.a TypeInvalid Invalid value: "number": spec.a in body must be of type integer: "number"',
  ]],
  [int32, "80", [
    'spec.a TypeInvalid Invalid value: "string": spec.a in body must be of type integer: "string"',
  ]],
  [int32, true, [
    'spec.a TypeInvalid Invalid value: "": spec.a in body must be of type int32: ""',
  ]],
  [int32, 2 ** 31, [
    '<nil> Invalid Invalid value: "": Checked value must be of type integer with format int32 in spec.a',
  ]],
  [{ type: "number" }, 5, []],
  [{ type: "boolean" }, "true", [
    'spec.a TypeInvalid Invalid value: "string": spec.a in body must be of type boolean: "string"',
  ]],
  [{ type: "array", items: { type: "string" } }, {}, [
    'spec.a TypeInvalid Invalid value: "object": spec.a in body must be of type array: "object"',
  ]],
  [{ type: "array", items: { type: "string" } }, [null], [
    'spec.a[0] TypeInvalid Invalid value: "null": spec.a[0] in body must be of type string: "null"',
  ]],
  [{ type: "array", items: { type: "string", nullable: true } }, [null], []],
  [{ "x-kubernetes-int-or-string": true }, 80, []],
  [{ "x-kubernetes-int-or-string": true }, "http", []],
  [{ "x-kubernetes-int-or-string": true }, true, [
    'spec.a TypeInvalid Invalid value: "boolean": spec.a in body must be of type integer,string: "boolean"',
  ]],
  [{ type: "string", enum: ["A", "B"] }, "C", [
    'spec.a NotSupported Unsupported value: "C": supported values: "A", "B"',
  ]],
  [{ type: "string", pattern: "^[a-z]+$" }, "A", [
    "spec.a Invalid Invalid value: \"A\": spec.a in body should match '^[a-z]+$'",
  ]],
  [{ type: "string", pattern: "b" }, "abc", []],
  // A default is right by definition: the API server refuses definitions where it is not.
  [{ type: "string", pattern: "^[a-z]+$", default: "A" }, "A", []],
  [{ type: "string", pattern: "^[a-z]+$", default: "A" }, "B", [
    "spec.a Invalid Invalid value: \"B\": spec.a in body should match '^[a-z]+$'",
  ]],
  [{ type: "string", minLength: 1 }, "", [
    'spec.a Invalid Invalid value: "": spec.a in body should be at least 1 chars long',
  ]],
  [{ type: "string", maxLength: 3 }, "abcd", [
    "spec.a TooLong Too long: may not be more than 3 bytes",
  ]],
  // Code points count, not UTF-16 units.
  [{ type: "string", maxLength: 3, minLength: 3 }, "😀😀😀", []],
  [{ type: "string", minLength: 4 }, "😀😀😀", [
    'spec.a Invalid Invalid value: "😀😀😀": spec.a in body should be at least 4 chars long',
  ]],
  [{ ...int32, minimum: 1, maximum: 65535 }, 0, [
    "spec.a Invalid Invalid value: 0: spec.a in body should be greater than or equal to 1",
  ]],
  [{ ...int32, minimum: 1, maximum: 65535 }, 65536, [
    "spec.a Invalid Invalid value: 65536: spec.a in body should be less than or equal to 65535",
  ]],
  [{ type: "number", minimum: 1, exclusiveMinimum: true, maximum: 2, exclusiveMaximum: true }, 1, [
    "spec.a Invalid Invalid value: 1: spec.a in body should be greater than 1",
  ]],
  [{ type: "number", maximum: 2, exclusiveMaximum: true }, 2, [
    "spec.a Invalid Invalid value: 2: spec.a in body should be less than 2",
  ]],
  [{ type: "integer", multipleOf: 5 }, 7, [
    "spec.a Invalid Invalid value: 7: spec.a in body should be a multiple of 5",
  ]],
  [{ type: "array", items: { type: "integer" }, minItems: 1 }, [], [
    "spec.a Invalid Invalid value: 0: spec.a in body should have at least 1 items",
  ]],
  // Items before the list, as in the API server.
  [{ type: "array", items: { type: "string" }, maxItems: 1 }, ["x", 1], [
    'spec.a[1] TypeInvalid Invalid value: "integer": spec.a[1] in body must be of type string: "integer"',
    "spec.a TooMany Too many: 2: must have at most 1 items",
  ]],
  [{ type: "object", additionalProperties: { type: "string" }, maxProperties: 1 }, {
    a: 1,
    b: 2,
  }, ["spec.a TooMany Too many: 2: must have at most 1 items"]],
  [{ type: "object", additionalProperties: { type: "string" }, minProperties: 1 }, {}, [
    "spec.a Invalid Invalid value: 0: spec.a in body should have at least 1 properties",
  ]],
  [{ type: "object", additionalProperties: { type: "string" } }, { "b.c/d": 1 }, [
    'spec.a.b.c/d TypeInvalid Invalid value: "integer": spec.a.b.c/d in body must be of type string: "integer"',
  ]],
  // All faults, not the first: fields, then what is missing.
  [
    objectSchema({ x: { type: "string" }, y: int32, z: int32 }, { required: ["z", "x", "w"] }),
    { y: "1", x: 2 },
    [
      'spec.a.x TypeInvalid Invalid value: "integer": spec.a.x in body must be of type string: "integer"',
      'spec.a.y TypeInvalid Invalid value: "string": spec.a.y in body must be of type integer: "string"',
      "spec.a.z Required Required value",
      "spec.a.w Required Required value",
    ],
  ],
  [{ type: "string", format: "date-time" }, "2026-02-30T00:00:00Z", [
    'spec.a TypeInvalid Invalid value: "2026-02-30T00:00:00Z": spec.a in body must be of type date-time: "2026-02-30T00:00:00Z"',
  ]],
  [{ type: "string", format: "date-time" }, "2024-02-29T23:59:59.123+02:00", []],
  [{ type: "string", format: "unheard-of" }, "x", []],
  [choice, "10.0.0.1", []],
  [choice, "::1", []],
  [choice, "host", [
    '<nil> Invalid Invalid value: "": "spec.a" must validate at least one schema (anyOf)',
    'spec.a TypeInvalid Invalid value: "host": spec.a in body must be of type ipv4: "host"',
  ]],
  [{ type: "integer", oneOf: [{ minimum: 5 }, { multipleOf: 2 }] }, 6, [
    '<nil> Invalid Invalid value: "": "spec.a" must validate one and only one schema (oneOf). Found 2 valid alternatives',
  ]],
  [{ type: "integer", oneOf: [{ minimum: 5 }, { multipleOf: 2 }] }, 3, [
    '<nil> Invalid Invalid value: "": "spec.a" must validate one and only one schema (oneOf). Found none valid',
    "spec.a Invalid Invalid value: 3: spec.a in body should be greater than or equal to 5",
  ]],
  [{ type: "integer", allOf: [{ minimum: 5 }, { multipleOf: 2 }] }, 6, []],
  [{ type: "integer", allOf: [{ minimum: 5 }, { multipleOf: 2 }] }, 3, [
    "spec.a Invalid Invalid value: 3: spec.a in body should be greater than or equal to 5",
    "spec.a Invalid Invalid value: 3: spec.a in body should be a multiple of 2",
    '<nil> Invalid Invalid value: "": "spec.a" must validate all the schemas (allOf). None validated',
  ]],
  [{ type: "string", not: { enum: ["A"] } }, "A", [
    '<nil> Invalid Invalid value: "": "spec.a" must not validate the schema (not)',
  ]],
  [{ type: "string", not: { enum: ["A"] } }, "B", []],
];

for (const [schema, value, expected] of table) {
  Deno.test(`ValueValidator.validate() ${JSON.stringify(value)} against ${JSON.stringify(schema)}`, () => {
    assertEquals(faultsOf(schema, value), [...expected]);
  });
}

Deno.test("ValueValidator.validate() explains the alternative that fits best", () => {
  const schema = objectSchema({ type: { type: "string" }, value: { type: "string" } }, {
    oneOf: [
      { properties: { type: { not: { enum: ["IP"] } } } },
      { properties: { type: { enum: ["IP"] }, value: { format: "ipv4" } } },
    ],
  });
  assertEquals(faultsOf(schema, { type: "IP", value: "x" }), [
    '<nil> Invalid Invalid value: "": "spec.a" must validate one and only one schema (oneOf). Found none valid',
    'spec.a.value TypeInvalid Invalid value: "x": spec.a.value in body must be of type ipv4: "x"',
  ]);
});

Deno.test("every default text in the Gateway API's definitions is right, so it needs no check", () => {
  let count = 0;
  for (const { default: text, rules: _, ...schema } of decodeSchemaFile(schemaText).nodes) {
    if (typeof text !== "string") continue;
    assertEquals(faultsOf({ ...schema }, text), [], JSON.stringify(schema));
    count++;
  }
  assert(count > 10);
});
