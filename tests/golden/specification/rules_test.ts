// Every rule that weir promises to keep has a test that fails without it. A rule whose test was renamed
// or removed would otherwise be kept by luck.

import { assert, assertEquals } from "@std/assert";
import { caseNames } from "../translate/cases.ts";
import { complaints, defects } from "./lessons.ts";
import { precisions } from "./precisions.ts";
import { promises } from "./promises.ts";
import { attachmentRules, listenerRules, precedenceRules, type Rule } from "./rules.ts";
import { hasTest } from "./test_names.ts";

const lists: Readonly<Record<string, readonly Rule[]>> = {
  attachment: attachmentRules,
  listeners: listenerRules,
  precedence: precedenceRules,
  precisions,
  defects,
  complaints,
  promises,
};

/** Whether the case or test that a proof names is there. */
function exists(proof: string): boolean {
  const at = proof.indexOf(": ");
  const [place, name] = [proof.slice(0, at), proof.slice(at + 2)];
  return place === "golden" ? caseNames.includes(name) : hasTest(place, name);
}

for (const [name, rules] of Object.entries(lists)) {
  Deno.test(`every rule of ${name} is proven by tests that exist`, () => {
    for (const { rule, proofs } of rules) {
      assert(proofs.length > 0, rule);
      assertEquals(proofs.filter((proof) => !exists(proof)), [], rule);
    }
  });
}

Deno.test("the numbered lists of rules are whole", () => {
  const numbers = (rules: readonly Rule[]): readonly number[] =>
    rules.map(({ rule }) => Number.parseInt(rule));
  const upTo = (last: number): readonly number[] =>
    Array.from({ length: last }, (_, index) => index + 1);
  assertEquals(numbers(precisions), upTo(21).filter((number) => number !== 20));
  assertEquals(numbers(defects), upTo(12));
  assertEquals(numbers(complaints), upTo(17));
  assertEquals(numbers(promises), upTo(23));
});
