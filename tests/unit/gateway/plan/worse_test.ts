// What a user would lose: a pipeline that stops for what hurts somebody, and for nothing else.

import { assertEquals } from "@std/assert";
import { isBad } from "../../../../src/cli/status_view.ts";
import type { TrafficTarget } from "../../../../src/gateway/plan/door_side.ts";
import { isTrafficWorse, isWorse } from "../../../../src/gateway/plan/worse.ts";
import { ownedConditionTypes } from "../../../../src/kube/desired_status.ts";

const good = { status: "True", reason: "Accepted", message: "" };
const bad = { status: "False", reason: "Invalid", message: "" };
const unknown = { status: "Unknown", reason: "Pending", message: "" };
const to = (...clusters: string[]) => ({
  match: {},
  backends: clusters.map((cluster) => ({ weight: 1, cluster })),
});

interface Case {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
  /** For an object that is not in the proposal, and for one that is. */
  readonly worse: readonly [forOthers: boolean, forProposed: boolean];
}

const accepted = "status.parents[default/gw].conditions[Accepted]";
const conflicted = "status.listeners[http].conditions[Conflicted]";
const entry = "served[default/gw/http].rules[0].matches[0]";

const cases: readonly Case[] = [
  { path: accepted, before: good, after: bad, worse: [true, true] },
  { path: accepted, before: null, after: bad, worse: [true, true] },
  { path: accepted, before: bad, after: { ...bad, reason: "Other" }, worse: [false, false] },
  { path: accepted, before: bad, after: good, worse: [false, false] },
  { path: accepted, before: good, after: null, worse: [false, false] },
  { path: accepted, before: good, after: unknown, worse: [false, false] },
  { path: conflicted, before: bad, after: good, worse: [true, true] },
  { path: conflicted, before: good, after: bad, worse: [false, false] },
  { path: "endpoints[80]", before: ["a"], after: [], worse: [true, true] },
  { path: "endpoints[80]", before: ["a", "b"], after: ["b"], worse: [false, false] },
  { path: "endpoints[80]", before: ["a"], after: null, worse: [false, false] },
  { path: entry, before: to("a"), after: null, worse: [true, false] },
  { path: entry, before: to("a"), after: to("b"), worse: [true, false] },
  { path: entry, before: to("a"), after: { ...to("a"), filters: [] }, worse: [false, false] },
  { path: entry, before: null, after: to("a"), worse: [false, false] },
  { path: "served.addresses", before: ["1"], after: ["1", "2"], worse: [false, false] },
  { path: "served.addresses", before: ["1", "2"], after: ["2"], worse: [true, false] },
  { path: "served.addresses", before: ["1"], after: null, worse: [true, false] },
  { path: "served.listeners[http]", before: { port: 80 }, after: null, worse: [true, false] },
  { path: "certificate", before: { digest: "a" }, after: { digest: "b" }, worse: [false, false] },
  { path: "status.listeners[http].attachedRoutes", before: 2, after: 1, worse: [false, false] },
];

Deno.test("isWorse() is about conditions that turn bad and traffic that others lose", () => {
  for (const { path, before, after, worse } of cases) {
    const change = { kind: "K", namespace: "n", name: "x", path, before, after };
    const found = [isWorse(change, false), isWorse(change, true)];
    assertEquals(found, [...worse], `${path} ${JSON.stringify([before, after])}`);
  }
});

Deno.test("isWorse() and weir check judge every condition alike", () => {
  for (const type of ownedConditionTypes) {
    // Types of weir's own are told by other conditions too, so a check leaves them out.
    if (type.includes("/")) continue;
    for (const status of ["True", "False", "Unknown"] as const) {
      const after = { status, reason: "R", message: "" };
      const change = {
        kind: "K",
        name: "x",
        path: `status.conditions[${type}]`,
        before: null,
        after,
      };
      assertEquals(isWorse(change, true), isBad({ type, status }), `${type} ${status}`);
    }
  }
});

Deno.test("isTrafficWorse() is about requests that a route served that nobody proposed to change", () => {
  const route = { kind: "HTTPRoute", namespace: "n", name: "r" };
  const target: TrafficTarget = {
    decision: "backend",
    gateway: "n/gw",
    listener: "http",
    protocol: "HTTP",
    route,
    backends: [],
  };
  const { route: _, ...nobodys } = target;
  const judged = (before: TrafficTarget | undefined, isProposed: boolean): boolean =>
    isTrafficWorse(before ? { before } : {}, () => isProposed);
  assertEquals([judged(target, false), judged(target, true)], [true, false]);
  assertEquals(judged({ ...target, decision: "redirect" }, false), true);
  for (const decision of ["404", "500", "503", "refused"] as const) {
    assertEquals(judged({ ...target, decision }, false), false);
  }
  assertEquals([judged(undefined, false), judged({ ...nobodys, decision: "404" }, false)], [
    false,
    false,
  ]);
});
