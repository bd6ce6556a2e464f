// `weir translate` prints what a status would be. People diff its output in CI, so its bytes must
// depend on the input alone, and it must not promise more than the API takes.

import { assertEquals } from "@std/assert";
import { renderStatus } from "../../../src/kube/render_status.ts";
import {
  desiredCondition,
  gatewayStatus,
  ourController,
  routeStatus,
} from "../../fakes/status_objects.ts";

Deno.test("renderStatus() has the API's shape, in one order, without times", () => {
  const status = renderStatus(gatewayStatus(
    [desiredCondition("Programmed"), desiredCondition("Accepted", { message: "fine" })],
    {
      generation: 3,
      fields: { addresses: [{ type: "IPAddress", value: "192.0.2.1" }] },
      listeners: [{ name: "web", supportedKinds: [], attachedRoutes: 2, conditions: [] }],
    },
  ));
  const condition = (type: string, message: string): unknown => ({
    type,
    status: "True",
    reason: type,
    message,
    observedGeneration: 3,
  });
  assertEquals(
    JSON.stringify(status),
    JSON.stringify({
      addresses: [{ type: "IPAddress", value: "192.0.2.1" }],
      conditions: [condition("Accepted", "fine"), condition("Programmed", "")],
      listeners: [{ name: "web", supportedKinds: [], attachedRoutes: 2, conditions: [] }],
    }),
  );
});

Deno.test("renderStatus() sorts the parents and keeps references as the spec has them", () => {
  const status = renderStatus(
    routeStatus({ b: [desiredCondition("Accepted")], a: [desiredCondition("Accepted")] }),
  );
  const parent = (name: string): unknown => ({
    parentRef: { name },
    controllerName: ourController,
    conditions: [
      { type: "Accepted", status: "True", reason: "Accepted", message: "", observedGeneration: 1 },
    ],
  });
  assertEquals(status, { parents: [parent("a"), parent("b")] });
});

Deno.test("renderStatus() leaves out empty lists and cuts full ones, as a write would", () => {
  const addresses = Array.from({ length: 17 }, (_, i) => ({ value: `192.0.2.${i}` }));
  const status = renderStatus(
    gatewayStatus([], { fields: { addresses, attachedListenerSets: [] } }),
  );
  assertEquals(status, { addresses: addresses.slice(0, 16), conditions: [] });
});
