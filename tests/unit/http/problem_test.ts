/**
 * What a user would lose if these failed: error answers of a bounded size in the standard's form.
 */

import { assertEquals } from "@std/assert";
import { parse } from "valibot";
import { ProblemSchema } from "../../../src/api/problem.ts";
import { problemResponse } from "../../../src/http/problem.ts";

Deno.test("problemResponse() repeats at most the beginning of a long path", async () => {
  const response = problemResponse({
    status: 404,
    reason: "NotFound",
    detail: "Find route: none",
    instance: `/${"x".repeat(10_000)}`,
  });
  const problem = parse(ProblemSchema, await response.json());
  assertEquals(problem.instance, `/${"x".repeat(511)}…`);
});
