/**
 * How rules are run: what they see, when transition rules run, what is said, and where it stops.
 *
 * The rules of the Gateway API themselves are in the golden tests; here are the keywords that they do
 * not use but that the next definition may.
 */

import { assert, assertEquals } from "@std/assert";
import { CelValidator } from "../../../../src/localkube/admission/cel_validator.ts";
import { FaultList } from "../../../../src/localkube/admission/fault_list.ts";
import { objectSchema, schemaNode, withRule } from "../../../fakes/openapi_schema.ts";

const text = { type: "string" };
const integer = { type: "integer" };

function faultsOf(
  schema: Record<string, unknown>,
  value: unknown,
  old?: unknown,
  budget?: number,
): string[] {
  const faults = new FaultList();
  new CelValidator(faults, budget).validate(value, old, schemaNode(schema), "spec");
  return faults.toCauses().map(({ reason, field, message }) =>
    `${field} ${reason.replace("FieldValue", "")} ${message}`
  );
}

Deno.test("CelValidator.validate() repeats a plain value and leaves out a compound one", () => {
  const schema = objectSchema({
    name: withRule(text, "self == 'a'", { message: "must be a" }),
    port: withRule(integer, "self == 80", { message: "must be 80" }),
    list: withRule({ type: "array", items: text }, "size(self) == 0", { message: "must be empty" }),
    map: withRule({ type: "object", additionalProperties: text }, "size(self) == 0", {
      message: "must be empty",
    }),
  });
  assertEquals(faultsOf(schema, { name: "b", port: 81, list: ["x"], map: { k: "v" } }), [
    "spec.list Invalid Invalid value: must be empty",
    "spec.map Invalid Invalid value: must be empty",
    'spec.name Invalid Invalid value: "b": must be a',
    "spec.port Invalid Invalid value: 81: must be 80",
  ]);
});

Deno.test("CelValidator.validate() without a message names the rule", () => {
  const schema = withRule(objectSchema({ a: integer }), " self.a > 1 ");
  assertEquals(faultsOf(schema, { a: 1 }), ["spec Invalid Invalid value: failed rule: self.a > 1"]);
});

Deno.test("CelValidator.validate() computes a message, and falls back to the fixed one", () => {
  const computed = withRule(text, "self == 'a'", {
    message: "fixed",
    messageExpression: "'got ' + self",
  });
  assertEquals(faultsOf(computed, "b"), ['spec Invalid Invalid value: "b": got b']);
  for (const messageExpression of ["self.missing", "'a\\nb'", "'  '"]) {
    const broken = withRule(text, "self == 'a'", { message: "fixed", messageExpression });
    assertEquals(faultsOf(broken, "b"), ['spec Invalid Invalid value: "b": fixed']);
  }
});

Deno.test("CelValidator.validate() gives the rule's reason and field", () => {
  const schema = (reason: string) =>
    withRule(objectSchema({ a: text }), "has(self.a)", { message: "m", reason, fieldPath: ".a" });
  assertEquals(faultsOf(schema("FieldValueRequired"), {}), ["spec.a Required Required value: m"]);
  assertEquals(faultsOf(schema("FieldValueForbidden"), {}), ["spec.a Forbidden Forbidden: m"]);
  assertEquals(faultsOf(schema("FieldValueInvalid"), {}), ["spec.a Invalid Invalid value: m"]);
  assertEquals(faultsOf(schema("FieldValueDuplicate"), {}), ["spec.a Duplicate Duplicate value"]);
});

Deno.test("CelValidator.validate() says why a rule could not be evaluated", () => {
  const missing = withRule(objectSchema({ a: text }), "self.a == 'x'", { message: "m" });
  assertEquals(faultsOf(missing, {}), [
    'spec Invalid Invalid value: "object": no such key: a evaluating rule: m',
  ]);
  const index = withRule({ type: "array", items: text }, "self[2] == 'x'", { message: "m" });
  assertEquals(faultsOf(index, ["a"]), [
    'spec Invalid Invalid value: "array": index out of bounds: 2 evaluating rule: m',
  ]);
  const overload = withRule({ "x-kubernetes-int-or-string": true }, "self.startsWith('a')", {
    message: "m",
  });
  assertEquals(faultsOf(overload, 5), [
    "spec Invalid Invalid value: \"\": 'no such overload': call arguments did not match a supported " +
    "operator, function or macro signature for rule: m",
  ]);
});

Deno.test("CelValidator.validate() runs a transition rule only where something was stored", () => {
  const schema = objectSchema({ a: withRule(text, "self == oldSelf", { message: "immutable" }) });
  assertEquals(faultsOf(schema, { a: "2" }), []);
  assertEquals(faultsOf(schema, { a: "2" }, {}), []);
  assertEquals(faultsOf(schema, { a: "1" }, { a: "1" }), []);
  assertEquals(faultsOf(schema, { a: "2" }, { a: "1" }), [
    'spec.a Invalid Invalid value: "2": immutable',
  ]);
});

Deno.test("CelValidator.validate() pairs the items of a map list by key, of other lists not at all", () => {
  const item = objectSchema({
    name: text,
    port: withRule(integer, "self == oldSelf", { message: "immutable" }),
  });
  const list = (listType: string) => ({
    type: "array",
    items: item,
    "x-kubernetes-list-type": listType,
    "x-kubernetes-list-map-keys": ["name"],
  });
  const value = [{ name: "b", port: 2 }, { name: "a", port: 9 }, { name: "c", port: 3 }];
  const old = [{ name: "a", port: 1 }, { name: "b", port: 2 }];
  assertEquals(faultsOf(list("map"), value, old), [
    "spec[1].port Invalid Invalid value: 9: immutable",
  ]);
  assertEquals(faultsOf(list("atomic"), value, old), []);
});

Deno.test("CelValidator.validate() does not look into an atomic map for what was stored", () => {
  const properties = { a: withRule(text, "self == oldSelf", { message: "immutable" }) };
  const atomic = objectSchema(properties, { "x-kubernetes-map-type": "atomic" });
  assertEquals(faultsOf(atomic, { a: "2" }, { a: "1" }), []);
});

Deno.test("CelValidator.validate() runs an optional transition rule without a stored value too", () => {
  const schema = withRule(text, "!oldSelf.hasValue() || oldSelf.value() == self", {
    message: "immutable",
    optionalOldSelf: true,
  });
  assertEquals(faultsOf(schema, "b"), []);
  assertEquals(faultsOf(schema, "b", "a"), ['spec Invalid Invalid value: "b": immutable']);
  const always = withRule(text, "oldSelf.hasValue()", { message: "m", optionalOldSelf: true });
  assertEquals(faultsOf(always, "b"), ['spec Invalid Invalid value: "b": m']);
});

Deno.test("CelValidator.validate() runs the rules of map values and names them by key", () => {
  const schema = {
    type: "object",
    additionalProperties: withRule(text, "self != ''", { message: "must not be empty" }),
  };
  assertEquals(faultsOf(schema, { "a/b": "", c: "x" }), [
    'spec[a/b] Invalid Invalid value: "": must not be empty',
  ]);
});

Deno.test("CelValidator.validate() shows integers as ints, numbers as doubles, names escaped", () => {
  const properties = { int: integer, number: { type: "number" }, namespace: text, "a-b": text };
  const rule = "type(self.int) == int && type(self.number) == double && self.int == 2 && " +
    "self.__namespace__ == 'n' && self.a__dash__b == 'x'";
  const schema = withRule(objectSchema(properties), rule, { message: "m" });
  assertEquals(faultsOf(schema, { int: 2, number: 2, namespace: "n", "a-b": "x" }), []);
});

Deno.test("CelValidator.validate() runs no rule on null or an absent field", () => {
  const schema = objectSchema({ a: withRule({ ...text, nullable: true }, "false") });
  assertEquals(faultsOf(schema, { a: null }), []);
  assertEquals(faultsOf(schema, {}), []);
});

Deno.test("CelValidator.validate() stops when its budget is used up, whatever the rule says", () => {
  const list = { type: "array", items: integer };
  const quadratic = "self.all(a, self.exists(b, a == b)) || true";
  const schema = objectSchema({
    a: withRule(list, quadratic, { message: "a" }),
    b: withRule(list, "false", { message: "b" }),
  });
  const value = { a: Array.from({ length: 100 }, (_, index) => index), b: [] };
  assertEquals(faultsOf(schema, value, undefined, 20_000), ["spec.b Invalid Invalid value: b"]);
  assertEquals(faultsOf(schema, value, undefined, 5_000), [
    'spec.a Invalid Invalid value: "array": validation failed due to running out of cost budget, ' +
    "no further validation rules will be run",
  ]);
});

Deno.test("CelValidator.spent counts what rules iterate over, also keys and memberships", () => {
  const schema = objectSchema({
    list: withRule({ type: "array", items: integer }, "self.all(x, x > 0) && 1 in self"),
    map: withRule({ type: "object", additionalProperties: text }, "self.all(k, k != '')"),
  });
  const validator = new CelValidator(new FaultList());
  assert(
    validator.validate(
      { list: [1, 2, 3], map: { a: "", b: "" } },
      undefined,
      schemaNode(schema),
      "",
    ),
  );
  assertEquals(validator.spent, 3 + 3 + 2);
});
