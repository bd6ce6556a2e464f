// The golden cases of `weir translate`: manifests in, statuses, proxy configuration and problems out.
//
// Each folder is a case. Its input begins with the rule of the Gateway API that it pins and with what
// a user would lose. The expectations were written from the API's text and from what its conformance
// tests assert, not from the engine's answers: where they differ, one of the two is wrong, and the
// case is changed only with a reason from the API's text. How to read them: summarise.ts and
// expectation.ts.

import { assert, assertEquals } from "@std/assert";
import { allIssued, caseFolder, caseNames, readInput } from "./cases.ts";
import { findDifferences } from "./expectation.ts";
import { summarise } from "./summarise.ts";
import { translate, translateCase } from "./translate_under_test.ts";
import type { Condition, ProxyGateway, TranslateResult } from "./translate_result.ts";

function allConditions({ statuses }: TranslateResult): Condition[] {
  return statuses.flatMap(({ status }) => [
    ...status.conditions ?? [],
    ...(status.listeners ?? []).flatMap((listener) => listener.conditions),
    ...(status.parents ?? []).flatMap((parent) => parent.conditions),
    ...(status.ancestors ?? []).flatMap((ancestor) => ancestor.conditions),
  ]);
}

function statusOf(conditions: readonly Condition[], type: string): string | undefined {
  return conditions.find((condition) => condition.type === type)?.status;
}

/** What must not depend on where a document stands. */
function ofOneOrder(result: TranslateResult): unknown {
  const { statuses, gateways, proxy } = result;
  return { statuses, gateways, proxy };
}

for (const name of caseNames) {
  Deno.test(`translate ${name}`, async () => {
    const text = await readInput(name);
    const expectation = await Deno.readTextFile(new URL(`${name}/expected.txt`, caseFolder));
    const lines = summarise(await translateCase(name));
    const differences = findDifferences(expectation, lines);
    const why = text.slice(0, text.indexOf("\n\n"));
    const found = lines.map((line) => line.text).join("\n");
    assertEquals(differences, [], `${differences.join("\n")}\n\n${why}\n\nAll lines:\n${found}\n`);
  });
}

Deno.test("translate writes conditions of the generation that it saw, without times", async () => {
  for (const name of caseNames) {
    for (const condition of allConditions(await translateCase(name))) {
      assertEquals(condition.observedGeneration, 1, `${name}: ${condition.type}`);
      assert(!("lastTransitionTime" in condition), `${name}: ${condition.type} has a time`);
      assert(condition.message !== undefined, `${name}: ${condition.type} has no message`);
    }
  }
});

Deno.test("translate serves exactly the listeners that it says are programmed", async () => {
  for (const name of caseNames) {
    const { statuses, proxy } = await translateCase(name);
    const served = proxy.gateways.flatMap(({ listeners }) => listeners.map(placeOf));
    const programmed = statuses.flatMap(({ kind, metadata, status }) =>
      (status.listeners ?? [])
        .filter(({ conditions }) => statusOf(conditions, "Programmed") === "True")
        .map((listener) => `${kind} ${metadata.namespace}/${metadata.name}#${listener.name}`)
    );
    assertEquals(served.sort(), programmed.sort(), name);
  }
});

/** `Kind namespace/name#listener` of the object that the listener stands in. */
function placeOf({ owner, name }: ProxyGateway["listeners"][number]): string {
  // The name of one in a ListenerSet is unique in the Gateway: namespace/set/name.
  return `${owner.kind} ${owner.namespace}/${owner.name}#${name.split("/").at(-1)}`;
}

// A route that is refused may keep requests out that a filter of it was to look at, and no more.
Deno.test("translate serves only routes that it says are accepted, and counts them", async () => {
  for (const name of caseNames) {
    const { statuses, proxy } = await translateCase(name);
    const counted = new Map(
      statuses.flatMap(({ kind, metadata, status }) =>
        (status.listeners ?? []).map((listener): [string, number] => [
          `${kind} ${metadata.namespace}/${metadata.name}#${listener.name}`,
          listener.attachedRoutes,
        ])
      ),
    );
    for (const listener of proxy.gateways.flatMap(({ listeners }) => listeners)) {
      const place = placeOf(listener);
      const byRoute = Map.groupBy(
        [...listener.routes, ...listener.streams],
        ({ route }) => `${route.kind} ${route.namespace}/${route.name}`,
      );
      let accepted = 0;
      for (const [route, entries] of byRoute) {
        const parents = statuses.find(({ kind, metadata }) =>
          `${kind} ${metadata.namespace}/${metadata.name}` === route
        )?.status.parents ?? [];
        const isAccepted = parents.some(({ parentRef, conditions }) =>
          (parentRef.kind ?? "Gateway") === listener.owner.kind &&
          parentRef.name === listener.owner.name && statusOf(conditions, "Accepted") === "True"
        );
        if (isAccepted) {
          accepted++;
        }
        const bars = entries.every(({ backends }) =>
          backends.length === 0
        ) &&
          listener.routes.every((entry) => !entries.includes(entry) || entry.filters.length === 0);
        assert(isAccepted || bars, `${name}: ${place} serves ${route}, which is not accepted`);
      }
      assert(accepted <= (counted.get(place) ?? 0), `${name}: ${place} counts too few`);
    }
  }
});

Deno.test("translate prints no private key", async () => {
  for (const name of caseNames) {
    const result = JSON.stringify(await translateCase(name));
    assert(!result.includes("PRIVATE KEY"), name);
    for (const { privateKey } of await allIssued()) {
      assert(!result.includes(btoa(privateKey).slice(0, 100)), name);
    }
  }
});

Deno.test("translate gives the same answer whatever the order of the documents", async () => {
  // A document that stands twice is the one thing whose order means something.
  for (const name of caseNames.filter((name) => !name.includes("document-twice"))) {
    const text = await readInput(name);
    const reversed = text.split(/^---\n/m).map((part) => `${part.trimEnd()}\n`).reverse();
    assertEquals(
      ofOneOrder(await translate(name, reversed.join("---\n"))),
      ofOneOrder(await translateCase(name)),
      name,
    );
  }
});

Deno.test("every golden case names its rule and what a user would lose", () => {
  assert(caseNames.length >= 40, `${caseNames.length} cases`);
  for (const name of caseNames) {
    const text = Deno.readTextFileSync(new URL(`${name}/input.yaml`, caseFolder));
    const comment = text.split("\n").filter((line) => line.startsWith("# ")).join(" ");
    assert(comment.length > 100, `${name}: the comment is missing or says too little`);
  }
});
