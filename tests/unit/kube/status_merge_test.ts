// Merging decides what other controllers, dashboards and `kubectl wait` see in an object's status.
// A fault here loses what somebody else wrote, moves times that people alert on, or makes two
// controllers write for ever.

import { assert, assertEquals } from "@std/assert";
import { conditionsMax, messageLengthMax } from "../../../src/kube/condition_merge.ts";
import { listenersMax } from "../../../src/kube/listener_merge.ts";
import { parentList } from "../../../src/kube/entry_list.ts";
import { asList, isRecord } from "../../../src/kube/json_value.ts";
import {
  mergeStatus,
  retractStatus,
  type StatusMerge,
  withdrawStatus,
} from "../../../src/kube/status_merge.ts";
import {
  atGeneration,
  desiredCondition,
  earlier,
  gateway,
  gatewayStatus,
  httpRoute,
  now,
  ourController,
  placeholder,
  routeStatus,
  storedCondition,
  storedParent,
} from "../../fakes/status_objects.ts";

const other = "example.com/other";

function written(merge: StatusMerge): Readonly<Record<string, unknown>> {
  assert(merge.outcome === "write", `outcome is ${merge.outcome}, wanted write`);
  return merge.status;
}

Deno.test("mergeStatus() keeps the transition time when only reason or generation change", () => {
  const live = gateway({
    conditions: [storedCondition("Accepted", { reason: "ListenersNotValid" })],
  });
  const status = written(
    mergeStatus(gatewayStatus([desiredCondition("Accepted")], { generation: 2 }), live, now),
  );
  assertEquals(status.conditions, [
    storedCondition("Accepted", { observedGeneration: 2, lastTransitionTime: earlier }),
  ]);
});

Deno.test("mergeStatus() moves the transition time when the status flips", () => {
  const live = gateway({ conditions: [storedCondition("Accepted")] });
  const desired = desiredCondition("Accepted", { status: "False", reason: "Invalid" });
  const status = written(mergeStatus(gatewayStatus([desired]), live, now));
  assertEquals(status.conditions, [
    storedCondition("Accepted", { status: "False", reason: "Invalid", lastTransitionTime: now }),
  ]);
});

Deno.test("mergeStatus() does not write what is stored already", () => {
  const live = gateway({ conditions: [storedCondition("Accepted")] });
  const merge = mergeStatus(gatewayStatus([desiredCondition("Accepted")]), live, now);
  assertEquals(merge, { outcome: "unchanged", limits: [] });
});

Deno.test("mergeStatus() does not write for a difference of order", () => {
  const live = gateway({
    conditions: [
      storedCondition("Programmed"),
      storedCondition("example.com/Audited"),
      storedCondition("Accepted"),
    ],
  });
  const desired = [desiredCondition("Accepted"), desiredCondition("Programmed")];
  assertEquals(mergeStatus(gatewayStatus(desired), live, now).outcome, "unchanged");
});

Deno.test("mergeStatus() puts ours first and sorted when a write is due anyway", () => {
  const live = gateway({
    conditions: [
      storedCondition("Zeta"),
      storedCondition("Programmed"),
      storedCondition("Alpha"),
    ],
  });
  const desired = [desiredCondition("Programmed"), desiredCondition("Accepted")];
  const status = written(mergeStatus(gatewayStatus(desired), live, now));
  assertEquals(status.conditions, [
    storedCondition("Accepted", { lastTransitionTime: now }),
    storedCondition("Programmed"),
    storedCondition("Zeta"),
    storedCondition("Alpha"),
  ]);
});

Deno.test("mergeStatus() removes an owned condition that is no longer wanted", () => {
  const live = gateway({
    conditions: [storedCondition("Accepted"), storedCondition("PartiallyInvalid")],
  });
  const status = written(mergeStatus(gatewayStatus([desiredCondition("Accepted")]), live, now));
  assertEquals(status.conditions, [storedCondition("Accepted")]);
});

Deno.test("mergeStatus() leaves a condition alone that was observed at a newer generation", () => {
  const newer = storedCondition("Accepted", { status: "False", observedGeneration: 5 });
  const live = atGeneration(
    5,
    gateway({ conditions: [newer], addresses: [{ value: "192.0.2.1" }] }),
  );
  const merge = mergeStatus(gatewayStatus([desiredCondition("Accepted")]), live, now);
  assertEquals(merge, { outcome: "stale", reason: "newer" });
});

Deno.test("mergeStatus() writes the other conditions beside a newer one", () => {
  const newer = storedCondition("Accepted", { status: "False", observedGeneration: 5 });
  const desired = [desiredCondition("Accepted"), desiredCondition("Programmed")];
  const status = written(
    mergeStatus(gatewayStatus(desired), atGeneration(5, gateway({ conditions: [newer] })), now),
  );
  assertEquals(status.conditions, [
    newer,
    storedCondition("Programmed", { lastTransitionTime: now }),
  ]);
});

Deno.test("mergeStatus() keeps an owned, unwanted condition of a newer generation", () => {
  const newer = storedCondition("PartiallyInvalid", { observedGeneration: 5 });
  const live = atGeneration(5, gateway({ conditions: [storedCondition("Accepted"), newer] }));
  const merge = mergeStatus(gatewayStatus([desiredCondition("Accepted")]), live, now);
  assertEquals(merge, { outcome: "stale", reason: "newer" });
});

for (const stored of ["True", "False"]) {
  Deno.test(`mergeStatus() never lets Unknown/Pending replace a stored ${stored}`, () => {
    const live = gateway({ conditions: [storedCondition("Programmed", { status: stored })] });
    const pending = desiredCondition("Programmed", { status: "Unknown", reason: "Pending" });
    const merge = mergeStatus(gatewayStatus([pending], { generation: 2 }), live, now);
    assertEquals(merge.outcome, "unchanged");
  });
}

Deno.test("mergeStatus() writes Unknown/Pending where nothing is stored", () => {
  const pending = desiredCondition("Programmed", {
    status: "Unknown",
    reason: "Pending",
    message: "No data plane has answered yet",
  });
  const status = written(mergeStatus(gatewayStatus([pending]), gateway(), now));
  assertEquals(status.conditions, [{
    type: "Programmed",
    status: "Unknown",
    reason: "Pending",
    message: "No data plane has answered yet",
    observedGeneration: 1,
    lastTransitionTime: now,
  }]);
});

Deno.test("mergeStatus() replaces the CRD's defaults, unwanted ones too", () => {
  const live = gateway({ conditions: [placeholder("Accepted"), placeholder("Programmed")] });
  const pending = desiredCondition("Accepted", { status: "Unknown", reason: "Pending" });
  const status = written(mergeStatus(gatewayStatus([pending]), live, now));
  assertEquals(status.conditions, [
    storedCondition("Accepted", { status: "Unknown", reason: "Pending", lastTransitionTime: now }),
  ]);
});

Deno.test("mergeStatus() does not write to another object of the same name", () => {
  const merge = mergeStatus(gatewayStatus([], { uid: "uid-of-an-earlier-one" }), gateway(), now);
  assertEquals(merge, { outcome: "stale", reason: "recreated" });
});

Deno.test("mergeStatus() drops a second condition of one owned type, keeps foreign doubles", () => {
  const live = gateway({
    conditions: [
      storedCondition("Accepted"),
      storedCondition("Accepted", { status: "False" }),
      storedCondition("X"),
      storedCondition("X"),
    ],
  });
  const status = written(mergeStatus(gatewayStatus([desiredCondition("Accepted")]), live, now));
  assertEquals(status.conditions, [
    storedCondition("Accepted"),
    storedCondition("X"),
    storedCondition("X"),
  ]);
});

Deno.test("mergeStatus() cuts a message at the API's limit and does not write it again", () => {
  const message = "🚧".repeat(messageLengthMax + 1);
  const desired = gatewayStatus([desiredCondition("Accepted", { message })]);
  const status = written(mergeStatus(desired, gateway(), now));
  const [condition] = status.conditions as { message: string }[];
  assertEquals([...condition?.message ?? ""].length, messageLengthMax);
  assert(condition?.message.endsWith("🚧…"));
  assertEquals(mergeStatus(desired, gateway(status), now).outcome, "unchanged");
});

Deno.test("mergeStatus() keeps foreign conditions when they fill the list, and reports it", () => {
  const foreign = Array.from({ length: conditionsMax - 1 }, (_, i) => storedCondition(`x/${i}`));
  const desired = gatewayStatus([desiredCondition("Accepted"), desiredCondition("Programmed")]);
  const merge = mergeStatus(desired, gateway({ conditions: foreign }), now);
  assert(merge.outcome === "write");
  assertEquals(merge.status.conditions, [
    storedCondition("Accepted", { lastTransitionTime: now }),
    ...foreign,
  ]);
  assertEquals(merge.limits, ["status.conditions"]);
  const again = mergeStatus(desired, gateway(merge.status), now);
  assertEquals(again, { outcome: "unchanged", limits: ["status.conditions"] });
});

Deno.test("mergeStatus() keeps fields of a status that weir does not know", () => {
  const live = gateway({ conditions: [], future: { kept: true } });
  const status = written(mergeStatus(gatewayStatus([desiredCondition("Accepted")]), live, now));
  assertEquals(status.future, { kept: true });
});

Deno.test("mergeStatus() removes addresses that are no longer assigned", () => {
  const live = gateway({
    conditions: [storedCondition("Accepted")],
    addresses: [{ type: "IPAddress", value: "192.0.2.1" }],
  });
  const status = written(mergeStatus(gatewayStatus([desiredCondition("Accepted")]), live, now));
  assertEquals(status, { conditions: [storedCondition("Accepted")] });
});

Deno.test("mergeStatus() takes an empty list for the same as none", () => {
  const live = gateway({ conditions: [storedCondition("Accepted")] });
  const desired = gatewayStatus([desiredCondition("Accepted")], { fields: { addresses: [] } });
  assertEquals(mergeStatus(desired, live, now).outcome, "unchanged");
});

Deno.test("mergeStatus() cuts addresses at the API's limit, and reports it", () => {
  const addresses = Array.from({ length: 17 }, (_, i) => ({ value: `192.0.2.${i}` }));
  const merge = mergeStatus(gatewayStatus([], { fields: { addresses } }), gateway(), now);
  assert(merge.outcome === "write");
  assertEquals(merge.status.addresses, addresses.slice(0, 16));
  assertEquals(merge.limits, ["status.addresses"]);
});

Deno.test("mergeStatus() follows the listeners of the spec and keeps foreign conditions in them", () => {
  const kinds = [{ group: "gateway.networking.k8s.io", kind: "HTTPRoute" }];
  const live = gateway({
    conditions: [],
    listeners: [
      { name: "gone", supportedKinds: kinds, attachedRoutes: 1, conditions: [] },
      {
        name: "web",
        supportedKinds: kinds,
        attachedRoutes: 1,
        conditions: [storedCondition("example.com/Audited"), storedCondition("Accepted")],
      },
    ],
  });
  const listener = { supportedKinds: kinds, conditions: [desiredCondition("Accepted")] };
  const status = written(mergeStatus(
    gatewayStatus([], {
      listeners: [
        { name: "web", attachedRoutes: 2, ...listener },
        { name: "new", attachedRoutes: 0, ...listener },
      ],
    }),
    live,
    now,
  ));
  assertEquals(status.listeners, [
    {
      name: "web",
      supportedKinds: kinds,
      attachedRoutes: 2,
      conditions: [storedCondition("example.com/Audited"), storedCondition("Accepted")],
    },
    {
      name: "new",
      supportedKinds: kinds,
      attachedRoutes: 0,
      conditions: [storedCondition("Accepted", { lastTransitionTime: now })],
    },
  ]);
});

Deno.test("mergeStatus() leaves a listener's counts alone that were written for a newer spec", () => {
  const stored = {
    name: "web",
    supportedKinds: [],
    attachedRoutes: 9,
    conditions: [storedCondition("Accepted", { observedGeneration: 2 })],
  };
  const listeners = [{
    name: "web",
    supportedKinds: [],
    attachedRoutes: 1,
    conditions: [desiredCondition("Accepted")],
  }];
  const live = atGeneration(2, gateway({ conditions: [], listeners: [stored] }));
  const merge = mergeStatus(gatewayStatus([], { listeners }), live, now);
  assertEquals(merge, { outcome: "stale", reason: "newer" });
});

Deno.test("mergeStatus() cuts listeners at the API's limit, and reports it", () => {
  const listeners = Array.from({ length: listenersMax + 1 }, (_, i) => ({
    name: `l${i}`,
    supportedKinds: [],
    attachedRoutes: 0,
    conditions: [],
  }));
  const merge = mergeStatus(gatewayStatus([], { listeners }), gateway(), now);
  assert(merge.outcome === "write");
  assertEquals((merge.status.listeners as unknown[]).length, listenersMax);
  assertEquals(merge.limits, ["status.listeners"]);
});

Deno.test("mergeStatus() keeps the parents of other controllers, in their order, after ours", () => {
  const zoo = storedParent("zoo", other, [storedCondition("Accepted")]);
  const ant = storedParent("ant", "example.com/third", [storedCondition("Accepted")]);
  const live = httpRoute({ parents: [zoo, ant] });
  const desired = routeStatus({
    b: [desiredCondition("Accepted")],
    a: [desiredCondition("Accepted")],
  });
  const status = written(mergeStatus(desired, live, now));
  const ours = (name: string): unknown => ({
    parentRef: { name },
    controllerName: ourController,
    conditions: [storedCondition("Accepted", { lastTransitionTime: now })],
  });
  assertEquals(status.parents, [ours("a"), ours("b"), zoo, ant]);
});

Deno.test("mergeStatus() removes our entry of a parent that is no longer ours", () => {
  const theirs = storedParent("a", other, [storedCondition("Accepted")]);
  const live = httpRoute({
    parents: [theirs, storedParent("a", ourController, [storedCondition("Accepted")])],
  });
  assertEquals(written(mergeStatus(routeStatus({}), live, now)).parents, [theirs]);
});

Deno.test("mergeStatus() matches a stored reference with its defaults spelled out", () => {
  const stored = storedParent("a", ourController, [storedCondition("Accepted")]);
  const live = httpRoute({
    parents: [{ ...stored, parentRef: { kind: "Gateway", namespace: "apps", name: "a" } }],
  });
  const merge = mergeStatus(routeStatus({ a: [desiredCondition("Accepted")] }), live, now);
  assertEquals(merge.outcome, "unchanged");
});

Deno.test("mergeStatus() keeps foreign condition types inside our own entry", () => {
  const live = httpRoute({
    parents: [storedParent("a", ourController, [
      storedCondition("example.com/DNSReady"),
      storedCondition("Accepted", { status: "False" }),
    ])],
  });
  const status = written(
    mergeStatus(routeStatus({ a: [desiredCondition("Accepted")] }), live, now),
  );
  const [entry] = status.parents as { conditions: unknown }[];
  assertEquals(entry?.conditions, [
    storedCondition("Accepted", { lastTransitionTime: now }),
    storedCondition("example.com/DNSReady"),
  ]);
});

Deno.test("mergeStatus() keeps foreign parents when they fill the list, and reports it", () => {
  const foreign = Array.from(
    { length: parentList.entriesMax - 1 },
    (_, i) => storedParent(`x${i}`, other, []),
  );
  const desired = routeStatus({
    a: [desiredCondition("Accepted")],
    b: [desiredCondition("Accepted")],
  });
  const merge = mergeStatus(desired, httpRoute({ parents: foreign }), now);
  assert(merge.outcome === "write");
  const parents = merge.status.parents as { parentRef: { name: string } }[];
  assertEquals(parents.map((entry) => entry.parentRef.name), [
    "a",
    ...foreign.map((_, i) => `x${i}`),
  ]);
  assertEquals(merge.limits, ["status.parents"]);
});

Deno.test("mergeStatus() leaves entries of a sibling instance with our name alone", () => {
  const sibling = storedParent("theirs", ourController, [storedCondition("Accepted")]);
  const live = httpRoute({ parents: [sibling] });
  const merge = mergeStatus(routeStatus({}), live, now, {
    ownsParent: (parent) => parent.name !== "theirs",
  });
  assertEquals(merge.outcome, "unchanged");
});

Deno.test("mergeStatus() never writes a second entry for a parent, whoever may remove the first", () => {
  const stored = storedParent("a", ourController, [storedCondition("Accepted")]);
  const desired = routeStatus({ a: [desiredCondition("Accepted")] });
  const merge = mergeStatus(desired, httpRoute({ parents: [stored] }), now, {
    ownsParent: () => false,
  });
  assertEquals(merge.outcome, "unchanged");
});

Deno.test("mergeStatus() survives a stored status of another shape", () => {
  const live = gateway({ conditions: "none", listeners: { a: 1 } });
  const status = written(
    mergeStatus(gatewayStatus([desiredCondition("Accepted")], { listeners: [] }), live, now),
  );
  assertEquals(status.conditions, [storedCondition("Accepted", { lastTransitionTime: now })]);
});

Deno.test("retractStatus() takes back our entries and nothing else", () => {
  const theirs = storedParent("a", other, [storedCondition("Accepted")]);
  const ours = storedParent("a", ourController, [storedCondition("Accepted")]);
  const live = httpRoute({ parents: [ours, theirs] });
  assertEquals(written(retractStatus(ourController, live)).parents, [theirs]);
  assertEquals(retractStatus(ourController, httpRoute({ parents: [theirs] })).outcome, "unchanged");
});

Deno.test("retractStatus() leaves a Gateway alone that another class took over", () => {
  const live = gateway({ conditions: [storedCondition("Accepted")] });
  assertEquals(retractStatus(ourController, live).outcome, "unchanged");
});

Deno.test("withdrawStatus() writes nothing on a Gateway that nobody has answered for", () => {
  const live = gateway({ conditions: [placeholder("Accepted"), placeholder("Programmed")] });
  assertEquals(withdrawStatus("Gateway", live, now).outcome, "unchanged");
  assertEquals(withdrawStatus("Gateway", gateway(), now).outcome, "unchanged");
});

Deno.test("withdrawStatus() takes back what was said of a ListenerSet, its listeners too", () => {
  const live = gateway({
    conditions: [storedCondition("Accepted"), storedCondition("example.com/Theirs")],
    listeners: [{ name: "a", conditions: [storedCondition("Accepted")] }],
  });
  const { conditions, listeners } = written(withdrawStatus("ListenerSet", live, now));
  assertEquals(
    asList(conditions).filter(isRecord).map(({ type, status }) => `${type} ${status}`),
    ["Accepted Unknown", "Programmed Unknown", "example.com/Theirs True"],
  );
  assertEquals(asList(listeners), []);
});
