// What people look for with kubectl describe: told when it changes, and not when it only is.

import { assertEquals } from "@std/assert";
import { conditionEvents } from "../../../src/gateway/condition_events.ts";
import type { StatusKind } from "../../../src/gateway/outputs.ts";
import type { KubeObject } from "../../../src/kube/object.ts";

const ours = "weir.dev/gateway-controller";

type Given = readonly [type: string, status: string, reason?: string, message?: string | undefined];

function conditions(...given: readonly Given[]) {
  return given.map(([type, status, reason = type, message = "said"]) => ({
    ...{ type, status, reason, message },
  }));
}

function object(kind: StatusKind, status: unknown): KubeObject {
  const metadata = { name: "web", namespace: "shop", uid: "u1", resourceVersion: "1" };
  return {
    apiVersion: "gateway.networking.k8s.io/v1",
    kind,
    metadata: { ...metadata, creationTimestamp: "" },
    status,
  };
}

function told(kind: StatusKind, before: unknown, after: unknown): readonly string[] {
  return conditionEvents(kind, object(kind, before), object(kind, after), ours)
    .map(({ type, reason, note }) => `${type} ${reason}: ${note}`);
}

Deno.test("a Gateway that becomes accepted and programmed is told, once", () => {
  const waiting = { conditions: conditions(["Accepted", "Unknown", "Pending"]) };
  const good = { conditions: conditions(["Accepted", "True"], ["Programmed", "True"]) };
  const both = ["Normal Accepted: said", "Normal Programmed: said"];
  assertEquals(told("Gateway", undefined, good), both);
  assertEquals(told("Gateway", waiting, good), both);
  assertEquals(told("Gateway", good, good), []);
});

Deno.test("what is bad is told with the reason of the condition, and again for another reason", () => {
  const bad = (reason: string, message?: string) => ({
    conditions: conditions(["Programmed", "False", reason, message]),
  });
  assertEquals(told("Gateway", undefined, bad("Invalid")), [
    "Warning NotProgrammed: Invalid: said",
  ]);
  assertEquals(told("Gateway", bad("Invalid"), bad("Invalid", "other words")), []);
  assertEquals(told("Gateway", bad("Invalid"), bad("AddressNotAssigned")), [
    "Warning NotProgrammed: AddressNotAssigned: said",
  ]);
});

Deno.test("a listener is told when it is bad, and when it is good after that", () => {
  const listeners = (...given: readonly Given[]) => ({
    listeners: [{ name: "https", conditions: conditions(...given) }],
  });
  const good = listeners(["Accepted", "True"], ["ResolvedRefs", "True"], ["Conflicted", "False"]);
  const bad = listeners(
    ["Accepted", "True"],
    ["ResolvedRefs", "False", "InvalidCertificateRef"],
    ["Conflicted", "True", "HostnameConflict"],
  );
  assertEquals(told("Gateway", undefined, good), []);
  assertEquals(told("Gateway", good, bad), [
    `Warning UnresolvedRefs: Listener "https": InvalidCertificateRef: said`,
    `Warning Conflicted: Listener "https": HostnameConflict: said`,
  ]);
  assertEquals(told("Gateway", bad, good), [
    `Normal ResolvedRefs: Listener "https": said`,
    `Normal NoConflicts: Listener "https": said`,
  ]);
});

Deno.test("a route is told for each parent of ours, and for nobody else's", () => {
  const parents = (accepted: string, reason: string) => ({
    parents: [
      {
        parentRef: { namespace: "infra", name: "web", sectionName: "http" },
        controllerName: ours,
        conditions: conditions(["Accepted", accepted, reason], ["weir.dev/Programmed", "True"]),
      },
      {
        parentRef: { name: "other" },
        controllerName: "other.example/controller",
        conditions: conditions(["Accepted", "False", "Broken"]),
      },
    ],
  });
  assertEquals(told("HTTPRoute", undefined, parents("True", "Accepted")), [
    `Normal Accepted: Gateway "infra/web" section "http": said`,
    `Normal Programmed: Gateway "infra/web" section "http": said`,
  ]);
  assertEquals(
    told("HTTPRoute", parents("True", "Accepted"), parents("False", "NotAllowedByListeners")),
    [`Warning NotAccepted: Gateway "infra/web" section "http": NotAllowedByListeners: said`],
  );
});

Deno.test("a policy is told for its ancestors, a shadowed route for its parent", () => {
  const ancestors = [{
    ancestorRef: { name: "web" },
    controllerName: ours,
    conditions: conditions(["Accepted", "False", "Conflicted"]),
  }];
  assertEquals(told("BackendTLSPolicy", {}, { ancestors }), [
    `Warning NotAccepted: Gateway "web": Conflicted: said`,
  ]);
  const parents = [{
    parentRef: { name: "web" },
    controllerName: ours,
    conditions: conditions(["weir.dev/Shadowed", "True", "Shadowed"]),
  }];
  assertEquals(told("HTTPRoute", {}, { parents }), [`Warning Shadowed: Gateway "web": said`]);
});

Deno.test("an event is about the object that was written", () => {
  const good = { conditions: conditions(["Accepted", "True"]) };
  const [event] = conditionEvents("Gateway", object("Gateway", {}), object("Gateway", good), ours);
  assertEquals(event?.regarding, { kind: "Gateway", namespace: "shop", name: "web", uid: "u1" });
});

Deno.test("statuses of any shape are no fault", () => {
  for (
    const odd of [null, 1, [], { conditions: 1, listeners: [1, null], parents: [[], { a: 1 }] }]
  ) {
    assertEquals(told("Gateway", odd, odd), []);
  }
});
