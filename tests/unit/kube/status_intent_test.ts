// What is ours of a status goes to the cluster as one whole: what is missing there is taken away from
// the object, and what is too much there is taken away from somebody else.

import { assert, assertEquals } from "@std/assert";
import { mergeStatus } from "../../../src/kube/status_merge.ts";
import {
  atGeneration,
  desiredCondition,
  gateway,
  gatewayStatus,
  httpRoute,
  now,
  routeStatus,
  storedCondition,
} from "../../fakes/status_objects.ts";

Deno.test("mergeStatus() names what is ours of a status, and nothing of others", () => {
  const foreign = storedCondition("example.com/Theirs");
  const unwanted = storedCondition("Conflicted");
  const live = gateway({
    conditions: [foreign, storedCondition("Accepted"), unwanted],
    listeners: [
      { name: "left", supportedKinds: [], attachedRoutes: 1, conditions: [] },
      { name: "web", supportedKinds: [], attachedRoutes: 9, conditions: [foreign] },
    ],
    addresses: [{ type: "IPAddress", value: "192.0.2.1" }],
    unknownField: 1,
  });
  const listeners = [{
    name: "web",
    supportedKinds: [],
    attachedRoutes: 1,
    conditions: [desiredCondition("Programmed")],
  }];
  const fields = { addresses: [{ type: "IPAddress", value: "192.0.2.1" }] };
  const desired = gatewayStatus([desiredCondition("Accepted")], { listeners, fields });
  const merge = mergeStatus(desired, live, now);
  assert(merge.outcome === "write");
  assertEquals(merge.intent, {
    // What did not change is part of it: a manager loses what it does not name.
    addresses: [{ type: "IPAddress", value: "192.0.2.1" }],
    conditions: [storedCondition("Accepted")],
    listeners: [{
      name: "web",
      supportedKinds: [],
      attachedRoutes: 1,
      conditions: [storedCondition("Programmed", { lastTransitionTime: now })],
    }],
  });
});

Deno.test("mergeStatus() keeps in our name what was written for a newer generation", () => {
  const newer = storedCondition("Accepted", { observedGeneration: 5 });
  const addresses = [{ type: "IPAddress", value: "192.0.2.1" }];
  const live = atGeneration(5, gateway({ conditions: [newer], addresses }));
  const desired = gatewayStatus([desiredCondition("Programmed")]);
  const merge = mergeStatus(desired, live, now);
  assert(merge.outcome === "write");
  assertEquals(merge.intent, {
    addresses,
    conditions: [newer, storedCondition("Programmed", { lastTransitionTime: now })],
  });
});

Deno.test("mergeStatus() has no intent for a list that controllers share as one piece", () => {
  const merge = mergeStatus(routeStatus({ a: [desiredCondition("Accepted")] }), httpRoute(), now);
  assert(merge.outcome === "write" && merge.intent === undefined);
});

// A server-side apply to the status of a custom resource does not check the uid: what was meant for
// an object can reach its successor. The same is found after a restored backup.
Deno.test("mergeStatus() replaces what claims to have observed a generation that is yet to come", () => {
  const impossible = storedCondition("Accepted", { status: "False", observedGeneration: 5 });
  const desired = gatewayStatus([desiredCondition("Accepted")]);
  const merge = mergeStatus(desired, gateway({ conditions: [impossible] }), now);
  assert(merge.outcome === "write");
  assertEquals(merge.status.conditions, [storedCondition("Accepted", { lastTransitionTime: now })]);
});
