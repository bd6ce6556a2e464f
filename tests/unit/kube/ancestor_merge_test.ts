// The status of a policy is shared by every controller that honours it. Writing one's own entry must
// cost nobody else theirs, and an entry that stays after the Gateway left misleads who debugs TLS.

import { assert, assertEquals } from "@std/assert";
import { ancestorList } from "../../../src/kube/entry_list.ts";
import { renderStatus } from "../../../src/kube/render_status.ts";
import { mergeStatus, retractStatus, type StatusMerge } from "../../../src/kube/status_merge.ts";
import {
  atGeneration,
  desiredCondition,
  now,
  ourController,
  policy,
  policyStatus,
  storedAncestor,
  storedCondition,
} from "../../fakes/status_objects.ts";

const other = "example.com/other";
const accepted = [desiredCondition("Accepted")];

function written(merge: StatusMerge): Readonly<Record<string, unknown>> {
  assert(merge.outcome === "write", `outcome is ${merge.outcome}, wanted write`);
  return merge.status;
}

function ours(name: string, lastTransitionTime = now): unknown {
  return {
    ancestorRef: { name },
    controllerName: ourController,
    conditions: [storedCondition("Accepted", { lastTransitionTime })],
  };
}

Deno.test("mergeStatus() puts our ancestors first and sorted, others after them in their order", () => {
  const zoo = storedAncestor("zoo", other, [storedCondition("Accepted")]);
  const ant = storedAncestor("ant", "example.com/third", [storedCondition("Accepted")]);
  const status = written(
    mergeStatus(policyStatus({ b: accepted, a: accepted }), policy({ ancestors: [zoo, ant] }), now),
  );
  assertEquals(status, { ancestors: [ours("a"), ours("b"), zoo, ant] });
});

Deno.test("mergeStatus() does not write for a difference in the order of ancestors", () => {
  const live = policy({
    ancestors: [
      storedAncestor("b", ourController, [storedCondition("Accepted")]),
      storedAncestor("x", other, []),
      storedAncestor("a", ourController, [storedCondition("Accepted")]),
    ],
  });
  const desired = policyStatus({ a: accepted, b: accepted });
  assertEquals(mergeStatus(desired, live, now), { outcome: "unchanged", limits: [] });
});

Deno.test("mergeStatus() removes our entry of an ancestor that the policy left", () => {
  const theirs = storedAncestor("a", other, [storedCondition("Accepted")]);
  const live = policy({
    ancestors: [storedAncestor("a", ourController, [storedCondition("Accepted")]), theirs],
  });
  assertEquals(written(mergeStatus(policyStatus({}), live, now)), { ancestors: [theirs] });
});

Deno.test("mergeStatus() leaves an ancestor alone that was written for a newer generation", () => {
  const newer = storedAncestor("a", ourController, [
    storedCondition("Accepted", { status: "False", observedGeneration: 5 }),
  ]);
  const live = atGeneration(5, policy({ ancestors: [newer] }));
  for (const desired of [policyStatus({ a: accepted }), policyStatus({})]) {
    assertEquals(mergeStatus(desired, live, now), { outcome: "stale", reason: "newer" });
  }
});

for (const [room, kept] of [[2, ["a", "b"]], [1, ["a"]], [0, []]] as const) {
  Deno.test(`mergeStatus() adds ${room} of three ancestors where others left room for ${room}`, () => {
    const foreign = Array.from(
      { length: ancestorList.entriesMax - room },
      (_, index) => storedAncestor(`x${index}`, other, []),
    );
    const desired = policyStatus({ c: accepted, b: accepted, a: accepted });
    const merge = mergeStatus(desired, policy({ ancestors: foreign }), now);
    assert(merge.outcome !== "stale");
    assertEquals(merge.limits, ["status.ancestors"]);
    if (room === 0) return assertEquals(merge.outcome, "unchanged");
    const wanted = [...kept.map((name) => ours(name)), ...foreign];
    assertEquals(written(merge).ancestors, wanted);
  });
}

Deno.test("mergeStatus() leaves ancestors of a sibling instance with our name alone", () => {
  const sibling = storedAncestor("theirs", ourController, [storedCondition("Accepted")]);
  const merge = mergeStatus(policyStatus({}), policy({ ancestors: [sibling] }), now, {
    ownsParent: (ancestor) => ancestor.name !== "theirs",
  });
  assertEquals(merge.outcome, "unchanged");
});

Deno.test("mergeStatus() survives stored ancestors of another shape", () => {
  for (const ancestors of ["none", { a: 1 }, null]) {
    const status = written(mergeStatus(policyStatus({ a: accepted }), policy({ ancestors }), now));
    assertEquals(status.ancestors, [ours("a")]);
  }
  const odd = [7, null, { controllerName: other }];
  const status = written(
    mergeStatus(policyStatus({ a: accepted }), policy({ ancestors: odd }), now),
  );
  assertEquals(status.ancestors, [ours("a"), ...odd]);
});

Deno.test("mergeStatus() does not take a parent for an ancestor", () => {
  const parents = [{ parentRef: { name: "a" }, controllerName: ourController, conditions: [] }];
  const status = written(mergeStatus(policyStatus({ a: accepted }), policy({ parents }), now));
  assertEquals(status, { ancestors: [ours("a")], parents });
});

Deno.test("retractStatus() takes our ancestors back and leaves those of others", () => {
  const theirs = storedAncestor("a", other, [storedCondition("Accepted")]);
  const mine = storedAncestor("a", ourController, [storedCondition("Accepted")]);
  assertEquals(written(retractStatus(ourController, policy({ ancestors: [mine, theirs] }))), {
    ancestors: [theirs],
  });
  const live = policy({ ancestors: [theirs] });
  assertEquals(retractStatus(ourController, live), { outcome: "unchanged", limits: [] });
});

Deno.test("renderStatus() sorts ancestors and cuts them at the API's limit, as a write would", () => {
  const names = Array.from({ length: 17 }, (_, index) => `g${String(index).padStart(2, "0")}`);
  const entries = Object.fromEntries(names.toReversed().map((name) => [name, accepted]));
  const status = renderStatus(policyStatus(entries));
  const condition = {
    type: "Accepted",
    status: "True",
    reason: "Accepted",
    message: "",
    observedGeneration: 1,
  };
  assertEquals<unknown>(status, {
    ancestors: names.slice(0, 16).map((name) => ({
      ancestorRef: { name },
      controllerName: ourController,
      conditions: [condition],
    })),
  });
});
