/** A manifest with thousands of faults must not fill the log, and must still say how many. */

import { assertEquals } from "@std/assert";
import { FaultList, faultsMax } from "../../../../src/localkube/admission/fault_list.ts";
import { duplicate, invalid, required } from "../../../../src/localkube/admission/field_error.ts";

Deno.test("FaultList.toCauses() lists faults in order", () => {
  const faults = new FaultList();
  faults.add(required("b"));
  faults.add(required("a"));
  assertEquals(faults.toCauses().map((fault) => fault.field), ["b", "a"]);
});

Deno.test("FaultList.toCauses() says how many faults it left out", () => {
  const faults = new FaultList();
  for (let index = 0; index < faultsMax + 7; index++) faults.add(required(`spec.f${index}`));
  const causes = faults.toCauses();
  assertEquals(causes.length, faultsMax + 1);
  assertEquals(causes.at(-1), {
    reason: "FieldValueInvalid",
    field: "<nil>",
    message: `Invalid value: ${faultsMax + 7}: 7 more faults are not listed`,
  });
});

Deno.test("FaultList.addAll() keeps the count of what the other left out", () => {
  const inner = new FaultList();
  for (let index = 0; index < faultsMax + 3; index++) inner.add(required(`spec.f${index}`));
  const outer = new FaultList();
  outer.addAll(inner);
  assertEquals([outer.count, outer.isBlocking], [faultsMax + 3, true]);
});

Deno.test("FaultList.isBlocking is for faults of shape, not of value", () => {
  const faults = new FaultList();
  faults.add(invalid("spec.a", "x", "should match"));
  faults.add(duplicate("spec.b[1]", "x"));
  assertEquals(faults.isBlocking, false);
  faults.add(required("spec.c"));
  assertEquals(faults.isBlocking, true);
});
