// Names of Leases: shared by replicas that do the same, and by nobody else; always valid.

import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import fc from "fast-check";
import { identityOf, leaseNameOf, type ServedScope } from "../../../src/app/leader_names.ts";
import { controllerNameType } from "../../../src/config/network_types.ts";

const whole: ServedScope = {
  controllerName: "weir.dev/gateway-controller",
  gateways: [],
  gatewayClass: undefined,
  namespaces: [],
};

Deno.test("the Lease is named after the controller", () => {
  assertEquals(leaseNameOf(whole), "weir-weir.dev-gateway-controller");
});

Deno.test("who serves something else has another Lease, in whatever order it is named", () => {
  const names = [
    leaseNameOf(whole),
    leaseNameOf({ ...whole, gateways: ["shop/web"] }),
    leaseNameOf({ ...whole, namespaces: ["shop"] }),
    leaseNameOf({ ...whole, gatewayClass: "shop" }),
    leaseNameOf({ ...whole, controllerName: "weir.dev/gateway/controller" }),
    leaseNameOf({ ...whole, controllerName: "weir.dev/Gateway-controller" }),
  ];
  assertEquals(new Set(names).size, names.length);
  assertEquals(
    leaseNameOf({ ...whole, gateways: ["a/b", "c/d"] }),
    leaseNameOf({ ...whole, gateways: ["c/d", "a/b"] }),
  );
});

Deno.test("every controller name makes a name that the API takes", () => {
  const part = fc.stringMatching(/^[A-Za-z0-9/\-._~%!$&'()*+,;=:]{1,240}$/);
  fc.assert(fc.property(part, (path) => {
    const controllerName = `a.example/${path}`;
    if (!controllerNameType.parse(controllerName).ok) return;
    const name = leaseNameOf({ ...whole, controllerName });
    assert(name.length <= 253);
    for (const label of name.split(".")) assertMatch(label, /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/);
  }));
});

Deno.test("an identity is for people and for one process alone", () => {
  assertEquals(identityOf("weir-0", "id"), "weir-0_id");
  assertNotEquals(identityOf("weir-0", "id-1"), identityOf("weir-0", "id-2"));
  assertEquals(identityOf("ö \n".repeat(99), "i".repeat(36)).length, 128);
});
