/** What is stored is what a cluster would store: the engine relies on defaults being there. */

import { assert, assertEquals } from "@std/assert";
import { Shaper, warningsMax } from "../../../../src/localkube/admission/shape_value.ts";
import { objectSchema, schemaNode } from "../../../fakes/openapi_schema.ts";

function shape(schema: Record<string, unknown>, value: unknown) {
  const shaper = new Shaper();
  return { value: shaper.shape(value, schemaNode(schema), ""), warnings: shaper.warnings };
}

const text = { type: "string" };

Deno.test("Shaper.shape() drops unknown fields at every level and names them", () => {
  const schema = objectSchema({
    list: { type: "array", items: objectSchema({ a: text }) },
    map: { type: "object", additionalProperties: objectSchema({ a: text }) },
  });
  assertEquals(
    shape(schema, { list: [{ a: "1" }, { a: "2", b: 1 }], map: { k: { c: 1 } }, x: { y: 1 } }),
    {
      value: { list: [{ a: "1" }, { a: "2" }], map: { k: {} } },
      warnings: [
        'unknown field "list[1].b"',
        'unknown field "map.k.c"',
        'unknown field "x"',
      ],
    },
  );
});

Deno.test("Shaper.shape() keeps unknown fields where the schema preserves them, and shapes known ones", () => {
  const schema = objectSchema({ a: objectSchema({ b: text }) }, {
    "x-kubernetes-preserve-unknown-fields": true,
  });
  assertEquals(shape(schema, { a: { b: "1", c: 2 }, d: { e: [null] } }), {
    value: { a: { b: "1" }, d: { e: [null] } },
    warnings: ['unknown field "a.c"'],
  });
});

Deno.test("Shaper.shape() adds defaults inside objects, lists, maps and defaults", () => {
  const inner = objectSchema({ b: { ...text, default: "B" } });
  const schema = objectSchema({
    a: { ...inner, default: {} },
    absent: inner,
    list: { type: "array", items: inner },
    map: { type: "object", additionalProperties: inner },
  });
  assertEquals(shape(schema, { list: [{}, { b: "1" }], map: { k: {} } }).value, {
    list: [{ b: "B" }, { b: "1" }],
    map: { k: { b: "B" } },
    a: { b: "B" },
  });
});

Deno.test("Shaper.shape() takes a null for absent unless the schema allows null", () => {
  const schema = objectSchema({
    plain: text,
    defaulted: { ...text, default: "d" },
    nullable: { ...text, nullable: true, default: "n" },
    list: { type: "array", items: { ...text, default: "i" } },
    holes: { type: "array", items: text },
  });
  const value = { plain: null, defaulted: null, nullable: null, list: [null], holes: [null] };
  assertEquals(shape(schema, value), {
    value: { nullable: null, list: ["i"], holes: [null], defaulted: "d" },
    warnings: [],
  });
});

Deno.test("Shaper.shape() gives every object its own copy of a default", () => {
  const node = schemaNode(
    objectSchema({ a: { ...objectSchema({ b: text }), default: { b: "1" } } }),
  );
  const first = new Shaper().shape({}, node, "");
  const second = new Shaper().shape({}, node, "");
  assertEquals(first, second);
  assert((first as { a: unknown }).a !== (second as { a: unknown }).a);
  assert((first as { a: unknown }).a !== node.properties?.get("a")?.raw.default);
});

Deno.test("Shaper.shape() leaves its input alone", () => {
  const input = Object.freeze({ a: Object.freeze({ c: 1 }), x: 1 });
  const schema = objectSchema({ a: objectSchema({ b: { ...text, default: "B" } }) });
  assertEquals(shape(schema, input).value, { a: { b: "B" } });
  assertEquals(input, { a: { c: 1 }, x: 1 });
});

Deno.test("Shaper.shape() treats __proto__ as the name of a field", () => {
  const value = JSON.parse('{"map":{"__proto__":"x"}}');
  const schema = objectSchema({ map: { type: "object", additionalProperties: text } });
  const shaped = shape(schema, value).value as { map: Record<string, unknown> };
  assertEquals(Object.keys(shaped.map), ["__proto__"]);
  assertEquals(Object.getPrototypeOf(shaped.map), Object.prototype);
});

Deno.test("Shaper.shape() stops naming unknown fields at its limit", () => {
  const value = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`f${index}`, 1]));
  const { value: shaped, warnings } = shape(objectSchema({}), value);
  assertEquals([shaped, warnings.length], [{}, warningsMax]);
});
