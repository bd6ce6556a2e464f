/** Names and types as rules see them: a wrong name reads as an absent field, and the rule passes. */

import { assertEquals, assertThrows } from "@std/assert";
import { escapeFieldName } from "../../../../src/localkube/admission/cel_field_name.ts";
import { CelMeter } from "../../../../src/localkube/admission/cel_meter.ts";
import { CelConverter } from "../../../../src/localkube/admission/cel_value.ts";
import { objectSchema, schemaNode } from "../../../fakes/openapi_schema.ts";

const names: readonly (readonly [string, string | undefined])[] = [
  ["name", "name"],
  ["namespace", "__namespace__"],
  ["in", "__in__"],
  ["a-b", "a__dash__b"],
  ["a.b/c", "a__dot__b__slash__c"],
  ["a__b", "a__underscores__b"],
  ["_a", "_a"],
  ["1a", undefined],
  ["a b", undefined],
  ["", undefined],
];

for (const [name, escaped] of names) {
  Deno.test(`escapeFieldName() ${JSON.stringify(name)}`, () => {
    assertEquals(escapeFieldName(name), escaped);
  });
}

Deno.test("CelConverter.convert() converts a value once", () => {
  const node = schemaNode(objectSchema({ a: objectSchema({ b: { type: "integer" } }) }));
  const converter = new CelConverter(new CelMeter(100));
  const value = { a: { b: 1 } };
  const whole = converter.convert(value, node);
  assertEquals(whole === converter.convert(value, node), true);
  assertEquals(
    converter.convert(value.a, node.properties?.get("a")) ===
      converter.convert(value.a, node.properties?.get("a")),
    true,
  );
});

Deno.test("CelConverter.convert() refuses what is not JSON", () => {
  const converter = new CelConverter(new CelMeter(100));
  assertThrows(() => converter.convert(() => 1, undefined), TypeError, "is not JSON");
});

Deno.test("CelMeter.spend() throws past its budget, and stays exhausted", () => {
  const meter = new CelMeter(3);
  meter.spend(3);
  assertEquals(meter.isExhausted, false);
  assertThrows(() => meter.spend(1), RangeError, "cost budget used up");
  assertEquals(meter.isExhausted, true);
});
