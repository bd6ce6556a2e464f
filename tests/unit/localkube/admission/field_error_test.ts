/** The words of a refusal: people search for them, and tools compare them with a cluster's. */

import { assertEquals } from "@std/assert";
import {
  duplicate,
  type FieldError,
  forbidden,
  formatValue,
  invalid,
  notSupported,
  omittedValue,
  quote,
  required,
  tooLong,
  tooMany,
  typeInvalid,
} from "../../../../src/localkube/admission/field_error.ts";

const messages: readonly (readonly [FieldError, string, string])[] = [
  [required("spec.a"), "FieldValueRequired", "Required value"],
  [required("spec.a", "why"), "FieldValueRequired", "Required value: why"],
  [invalid("spec.a", "x", "why"), "FieldValueInvalid", 'Invalid value: "x": why'],
  [invalid("spec.a", omittedValue, "why"), "FieldValueInvalid", "Invalid value: why"],
  [invalid("spec.a", null, "why"), "FieldValueInvalid", "Invalid value: null: why"],
  [typeInvalid("spec.a", "x", "why"), "FieldValueTypeInvalid", 'Invalid value: "x": why'],
  [
    notSupported("spec.a", "x", ["a", "b"]),
    "FieldValueNotSupported",
    'Unsupported value: "x": supported values: "a", "b"',
  ],
  [
    notSupported("spec.a", 5, [1, true]),
    "FieldValueNotSupported",
    'Unsupported value: 5: supported values: "1", "true"',
  ],
  [forbidden("spec.a", "why"), "FieldValueForbidden", "Forbidden: why"],
  [
    duplicate("spec.a", { name: "n", ab: "<" }),
    "FieldValueDuplicate",
    'Duplicate value: {"ab":"\\u003c","name":"n"}',
  ],
  [tooLong("spec.a", 63), "FieldValueTooLong", "Too long: may not be more than 63 bytes"],
  [tooMany("spec.a", 17, 16), "FieldValueTooMany", "Too many: 17: must have at most 16 items"],
];

for (const [error, reason, message] of messages) {
  Deno.test(`field errors read as the API server's: ${message}`, () => {
    assertEquals({ ...error }, { reason: error.reason, field: "spec.a", message });
    assertEquals(error.reason, reason);
  });
}

Deno.test("invalid() names a fault of no field <nil>, as the API server does", () => {
  assertEquals(invalid("", "", "why").field, "<nil>");
});

Deno.test("quote() escapes as Go does, so that a message stays on one line", () => {
  assertEquals(quote('a"b\\c'), '"a\\"b\\\\c"');
  assertEquals(quote("line\nbreak\ttab\u0007\u0001\u007f"), '"line\\nbreak\\ttab\\a\\x01\\x7f"');
  assertEquals(quote("zwsp\u200b nbsp\u00a0 ü 日"), '"zwsp\\u200b nbsp\\u00a0 ü 日"');
  assertEquals(quote("\u{e0001}"), '"\\U000e0001"');
});

Deno.test("formatValue() prints plain values plainly and others as JSON", () => {
  assertEquals(
    [formatValue(1.5), formatValue(true), formatValue([1, { b: 2, a: 1 }])],
    ["1.5", "true", '[1,{"a":1,"b":2}]'],
  );
});
