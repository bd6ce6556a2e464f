/** What a user would lose: a name from inside the program where a kind of the API should stand. */

import { assert, assertEquals } from "@std/assert";
import { placeOfChange } from "../../../../src/gateway/explain/input_words.ts";
import { Inputs } from "../../../../src/gateway/inputs.ts";
import { kindNames } from "../../../../src/kube/kinds.ts";
import { InputSets } from "../../../../src/query/input_sets.ts";

/** The names of all sets that inputs are read through. */
function namesIn(value: unknown): readonly string[] {
  if (value instanceof InputSets) return [value.name];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(namesIn) : [];
}

function placeOf(input: string, key: string) {
  return placeOfChange({ input, key, slices: ["members"], revision: 1, atMs: 0 });
}

Deno.test("Every set of inputs has words, and members of a kind of the API", () => {
  const names = namesIn(new Inputs().indexes);
  assert(names.length > 10, `${names}`);
  for (const name of names) {
    const { kind, lookedFor } = placeOf(name, "shop/edge");
    assert(kindNames.some((known) => known === kind), `${name} is of kind ${kind}`);
    assert(lookedFor !== undefined, `${name} has words`);
  }
});

Deno.test("What is not the object itself is told apart from it", () => {
  const place = { kind: "Gateway", namespace: "shop", name: "edge" };
  assertEquals(placeOf("addresses", "shop/edge"), {
    ...place,
    field: "members",
    source: "addresses",
  });
  assertEquals(placeOf("acknowledged routes", "shop/edge HTTPRoute shop/cart"), {
    ...place,
    field: "routes[HTTPRoute shop/cart]",
    source: "acknowledgement",
  });
  assertEquals(
    placeOf("shadows", "HTTPRoute ListenerSet shop/set shop/cart").lookedFor,
    'routes of "ListenerSet shop/set" that come before HTTPRoute "shop/cart"',
  );
});
