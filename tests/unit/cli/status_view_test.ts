// What a user would lose: `weir check` would pass a policy or a route that does not work.

import { assertEquals } from "@std/assert";
import { badConditions } from "../../../src/cli/status_view.ts";
import { faultsOf } from "../../../src/app/status_faults.ts";
import { statusFacts } from "../../../src/gateway/output_diff/status_facts.ts";
import type { DesiredStatus } from "../../../src/kube/desired_status.ts";
import { parseObjectKey } from "../../../src/kube/object.ts";
import { renderStatus } from "../../../src/kube/render_status.ts";
import { desiredCondition, policyStatus, routeStatus } from "../../fakes/status_objects.ts";

const conditions = [
  desiredCondition("Accepted"),
  desiredCondition("ResolvedRefs", { status: "False", reason: "Invalid", message: "no bundle" }),
];

/** The parts that are bad in the three views that people have of a status. */
function badParts(desired: DesiredStatus): readonly unknown[] {
  const { kind, key } = desired;
  const { namespace, name } = parseObjectKey(key);
  const metadata = namespace === undefined ? { name } : { namespace, name };
  const shown = badConditions({ apiVersion: "v1", kind, metadata, status: renderStatus(desired) });
  return [
    shown.map(({ part, type }) => `${part} ${type}`),
    [...faultsOf(desired).keys()],
    [...statusFacts(desired).keys()].filter((path) => path.includes("ResolvedRefs")),
  ];
}

Deno.test("A bad condition of a route is told with its parent, in every view", () => {
  assertEquals(badParts(routeStatus({ edge: conditions })), [
    ["parent apps/edge ResolvedRefs"],
    ["parent apps/edge ResolvedRefs=False"],
    ["status.parents[apps/edge].conditions[ResolvedRefs]"],
  ]);
});

Deno.test("A bad condition of a policy is told with its ancestor, in every view", () => {
  assertEquals(badParts(policyStatus({ edge: conditions })), [
    ["ancestor apps/edge ResolvedRefs"],
    ["ancestor apps/edge ResolvedRefs=False"],
    ["status.ancestors[apps/edge].conditions[ResolvedRefs]"],
  ]);
});
