/** Without these a programmer error could go on silently and serve a wrong configuration. */

import { assertEquals, assertThrows } from "@std/assert";
import { invariant, InvariantError } from "../../../src/base/invariant.ts";

Deno.test("invariant() throws its message for anything falsy", () => {
  invariant(1 < 2, "numbers are ordered");
  for (const value of [false, undefined, null, 0, ""]) {
    const error = assertThrows(() => invariant(value, "Queue is bounded"), InvariantError);
    assertEquals([error.name, error.message], ["InvariantError", "Queue is bounded"]);
  }
});
