/**
 * What a ListenerSet is told: whether its Gateway takes it, and no more of others than it must know.
 */

import { assert, assertEquals } from "@std/assert";
import type { KubeObject } from "../../../src/kube/object.ts";
import { ComputedWorld } from "../../fakes/computed_world.ts";
import { makeCertificate } from "../../fakes/gateway_certificates.ts";
import { listenerSet } from "../../fakes/gateway_kind_objects.ts";
import {
  gateway,
  gatewayClass,
  httpRoute,
  httpsListener,
  listener,
  referenceGrant,
  service,
  tlsSecret,
} from "../../fakes/gateway_objects.ts";
import { toKey } from "../../fakes/gateway_world.ts";

const pem = await makeCertificate(["a.example.com"]);
const open = { allowedListeners: { namespaces: { from: "All" } } };

function made(...objects: readonly KubeObject[]): ComputedWorld {
  return new ComputedWorld([
    gatewayClass(),
    gateway("gw", undefined, open),
    service("web"),
    ...objects,
  ]);
}

const setOf = (world: ComputedWorld, type = "Accepted", set = "default/set"): string =>
  world.world.condition("ListenerSet", set, type);

function listenerOf(world: ComputedWorld, name: string, type: string, set = "default/set"): string {
  const body = world.computed.outputs.statuses.ListenerSet.get(toKey(set))?.body;
  assert(body?.shape === "conditions");
  const { conditions = [] } = body.listeners?.find((found) => found.name === name) ?? {};
  const found = conditions.find((one) => one.type === type);
  return found ? `${found.status}/${found.reason}` : "-";
}

const attachedSets = (world: ComputedWorld): unknown => {
  const body = world.computed.outputs.statuses.Gateway.get(toKey("default/gw"))?.body;
  return body?.shape === "conditions" ? body.fields.attachedListenerSets : undefined;
};

Deno.test("A set is accepted by a listener that is valid in everything, its references too", () => {
  const broken = httpsListener("broken", ["gone"]);
  const world = made(listenerSet("set", [broken]));
  assertEquals(setOf(world), "False/ListenersNotValid");
  assertEquals(setOf(world, "Programmed"), "False/ListenersNotValid");
  assertEquals(listenerOf(world, "broken", "ResolvedRefs"), "False/InvalidCertificateRef");
  assertEquals(attachedSets(world), 0);
  // One of its certificates would do for the listener, not for the set.
  world.step(
    tlsSecret("one", pem),
    listenerSet("set", [httpsListener("half", ["one", "gone"])]),
  );
  assertEquals(setOf(world), "False/ListenersNotValid");
  assertEquals(world.config().listeners.map(({ name }) => name), ["http"]);
  world.step(
    listenerSet("set", [httpsListener("half", ["one", "gone"]), listener("b", { port: 81 })]),
  );
  assertEquals([setOf(world), attachedSets(world)], ["True/ListenersNotValid", 1]);
  assertEquals(world.config().listeners.map(({ name }) => name), [
    "http",
    "default/set/half",
    "default/set/b",
  ]);
});

Deno.test("A set whose Gateway is not accepted is told so, whatever its listeners are", () => {
  const parametersRef = { group: "g", kind: "K", name: "n" };
  const world = made(listenerSet("set", [listener("main", { port: 81 })]));
  assertEquals(setOf(world), "True/Accepted");
  world.step(gateway("gw", undefined, { ...open, infrastructure: { parametersRef } }));
  assertEquals(setOf(world), "False/ParentNotAccepted");
  assertEquals(setOf(world, "Programmed"), "False/ParentNotProgrammed");
  assertEquals(listenerOf(world, "main", "Accepted"), "True/Accepted", "its own is well");
});

Deno.test("A grant for Gateways does not hold for their sets, and the other way round", () => {
  const far = { name: "far", namespace: "apps" };
  const grant = (kind: string) =>
    referenceGrant("grant", { kind, namespace: "default" }, { kind: "Secret" }, {
      namespace: "apps",
    });
  const world = made(
    tlsSecret("far", pem, { namespace: "apps" }),
    listenerSet("set", [httpsListener("main", [far], { port: 444 })]),
    gateway("gw", [listener("http"), httpsListener("own", [far])], open),
  );
  const refs = (): readonly string[] => [
    listenerOf(world, "main", "ResolvedRefs"),
    world.world.listenerCondition("default/gw", "own", "ResolvedRefs"),
  ];
  const [no, yes] = ["False/RefNotPermitted", "True/ResolvedRefs"];
  assertEquals(refs(), [no, no]);
  world.step(grant("Gateway"));
  assertEquals(refs(), [no, yes]);
  world.step(grant("ListenerSet"));
  assertEquals(refs(), [yes, no]);
  world.world.delete("ReferenceGrant", "apps/grant");
  world.step();
  assertEquals(refs(), [no, no]);
});

Deno.test("A set that lost a port to another Gateway is not told whose it is", () => {
  const world = made(
    gateway("young", [listener("http", { port: 90 })], open, { created: "2026-05-05T00:00:00Z" }),
    listenerSet("set", [listener("main")], { parentRef: { name: "young" } }),
  );
  for (const name of ["gw", "young"]) world.world.address(`default/${name}`, ["192.0.2.9"]);
  world.step();
  assertEquals(listenerOf(world, "main", "Accepted"), "False/PortUnavailable");
  assertEquals(setOf(world, "Programmed"), "False/PortUnavailable");
  const status = world.computed.outputs.statuses.ListenerSet.get(toKey("default/set"));
  assert(!JSON.stringify(status).includes("gw"), "nor at which address");
});

Deno.test("A set that is not allowed takes no routes", () => {
  const world = made(
    listenerSet("set", [listener("main", { port: 81 })]),
    httpRoute("r", { parentRefs: [{ name: "set", kind: "ListenerSet" }] }),
  );
  const accepted = (): string => world.world.routeCondition("default/r", "Accepted");
  assertEquals(accepted(), "True/Accepted");
  world.step(gateway("gw"));
  assertEquals(accepted(), "False/NotAllowedByListeners");
  assertEquals(world.config().listeners.map(({ name }) => name), ["http"]);
});
