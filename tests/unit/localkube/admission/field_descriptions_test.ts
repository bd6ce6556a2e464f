/** Help texts: an explanation of a field that is another field's would mislead. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { describeField } from "../../../../src/localkube/admission/field_descriptions.ts";

Deno.test("describeField() finds a field below lists, with and without indexes", async () => {
  const plain = await describeField("HTTPRoute", "spec.rules.matches.path.value");
  assertEquals(plain, "Value of the HTTP path to match against.");
  assertEquals(await describeField("HTTPRoute", "spec.rules[0].matches[12].path.value"), plain);
});

Deno.test("describeField() describes a kind by the empty path", async () => {
  assertStringIncludes(await describeField("Gateway", "") ?? "", "Gateway represents an instance");
});

Deno.test("describeField() knows nothing of unknown kinds and fields", async () => {
  assertEquals(await describeField("Nope", "spec"), undefined);
  assertEquals(await describeField("HTTPRoute", "spec.nope"), undefined);
  assertEquals(await describeField("HTTPRoute", "spec.rules.matches.path.value.x"), undefined);
  assertEquals(await describeField("HTTPRoute", "spec.constructor"), undefined);
});
