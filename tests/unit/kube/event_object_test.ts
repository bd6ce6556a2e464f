// Events that the API takes, whatever the names and texts of what they are about.

import { assert, assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import {
  cutOctets,
  eventName,
  type EventToWrite,
  renderEvent,
  renderSeries,
  reportingController,
} from "../../../src/kube/event_object.ts";

const event: EventToWrite = {
  regarding: { kind: "Gateway", namespace: "shop", name: "web", uid: "u1" },
  type: "Normal",
  reason: "Accepted",
  action: "UpdateStatus",
  note: "The Gateway is accepted",
};
const origin = { controllerName: "weir.dev/gateway-controller", identity: "weir-0_id" };
const epochMs = Date.UTC(2026, 0, 1);

Deno.test("an Event says what, about what, by whom and when", () => {
  assertEquals(renderEvent(event, origin, { name: "web.1", epochMs }), {
    apiVersion: "events.k8s.io/v1",
    kind: "Event",
    metadata: { name: "web.1", namespace: "shop" },
    eventTime: "2026-01-01T00:00:00.000000Z",
    reportingController: "weir.dev/gateway-controller",
    reportingInstance: "weir-0_id",
    regarding: {
      apiVersion: "gateway.networking.k8s.io/v1",
      kind: "Gateway",
      namespace: "shop",
      name: "web",
      uid: "u1",
    },
    type: "Normal",
    reason: "Accepted",
    action: "UpdateStatus",
    note: "The Gateway is accepted",
  });
  assertEquals(renderSeries(3, epochMs), {
    series: { count: 3, lastObservedTime: "2026-01-01T00:00:00.000000Z" },
  });
});

Deno.test("an Event about an object without a namespace is in default", () => {
  const about = { ...event, regarding: { kind: "GatewayClass" as const, name: "weir" } };
  const { metadata } = renderEvent(about, origin, { name: "weir.1", epochMs });
  assertEquals(metadata, { name: "weir.1", namespace: "default" });
});

Deno.test("a note of more than 1,024 octets is cut between characters", () => {
  fc.assert(fc.property(fc.string({ unit: "grapheme", maxLength: 900 }), (text) => {
    const cut = cutOctets(text, 1024);
    assert(new TextEncoder().encode(cut).length <= 1024);
    assert(cut === text || (cut.endsWith("…") && text.startsWith(cut.slice(0, -1))), cut);
  }));
});

Deno.test("names of Events are DNS names, and reporting controllers qualified names", () => {
  const names = ["web", `${"a".repeat(60)}.`.repeat(4) + "b".repeat(9), "a.b-c"];
  for (const name of names) {
    const made = eventName(name, epochMs, 0.5);
    assert(made.length <= 253);
    for (const label of made.split(".")) assertMatch(label, /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/);
  }
  for (const name of ["a.b/c", "a.b/c/d", "a.b/~", `a.b/${"x".repeat(90)}`]) {
    const [prefix = "", part = "", ...rest] = reportingController(name).split("/");
    assertEquals([prefix, rest], ["a.b", []]);
    assertMatch(part, /^(?=.{1,63}$)([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/);
  }
});
