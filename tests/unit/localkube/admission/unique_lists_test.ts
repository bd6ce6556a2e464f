/** Two entries under one key: a cluster refuses them, because it could not merge them later. */

import { assertEquals } from "@std/assert";
import { FaultList } from "../../../../src/localkube/admission/fault_list.ts";
import { checkUniqueLists } from "../../../../src/localkube/admission/unique_lists.ts";
import { objectSchema, schemaNode } from "../../../fakes/openapi_schema.ts";

function faultsOf(schema: Record<string, unknown>, value: unknown): string[] {
  const faults = new FaultList();
  checkUniqueLists(value, schemaNode(schema), "spec", faults);
  return faults.toCauses().map(({ field, message }) => `${field} ${message}`);
}

function mapList(...keys: string[]): Record<string, unknown> {
  return {
    type: "array",
    items: objectSchema({}, { "x-kubernetes-preserve-unknown-fields": true }),
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": keys,
  };
}

Deno.test("checkUniqueLists() reports the second of equal items of a set, and no third", () => {
  const schema = {
    type: "array",
    items: { "x-kubernetes-int-or-string": true },
    "x-kubernetes-list-type": "set",
  };
  assertEquals(faultsOf(schema, ["a", "b", "a", "a", "b", 1, "1"]), [
    'spec[2] Duplicate value: "a"',
    'spec[4] Duplicate value: "b"',
  ]);
});

Deno.test("checkUniqueLists() compares the keys of a map list and prints them", () => {
  assertEquals(faultsOf(mapList("name"), [{ name: "a", x: 1 }, { name: "a" }, {}, {}]), [
    'spec[1] Duplicate value: {"name":"a"}',
    "spec[3] Duplicate value: {}",
  ]);
  const ports = [{ port: 1, protocol: "TCP" }, { protocol: "UDP", port: 1 }, {
    protocol: "TCP",
    port: 1,
  }];
  assertEquals(faultsOf(mapList("port", "protocol"), ports), [
    'spec[2] Duplicate value: {"port":1,"protocol":"TCP"}',
  ]);
});

Deno.test("checkUniqueLists() refuses what has no keys", () => {
  assertEquals(faultsOf(mapList("name"), [{ name: "a" }, "b"]), [
    'spec[1] Invalid value: "b": must be an object for an array of list-type map',
  ]);
});

Deno.test("checkUniqueLists() looks below fields, items and map values", () => {
  const set = { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" };
  const schema = objectSchema({
    list: { type: "array", items: objectSchema({ set }) },
    map: { type: "object", additionalProperties: set },
  });
  assertEquals(faultsOf(schema, { list: [{ set: ["x", "x"] }], map: { k: ["y", "y"] } }), [
    'spec.list[0].set[1] Duplicate value: "x"',
    'spec.map[k][1] Duplicate value: "y"',
  ]);
});

Deno.test("checkUniqueLists() leaves atomic lists alone", () => {
  const schema = { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "atomic" };
  assertEquals(faultsOf(schema, ["x", "x"]), []);
});
