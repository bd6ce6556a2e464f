/**
 * The same inputs in any order of arrival give the same outputs, byte for byte; and outputs that
 * were reached step by step equal those computed from scratch. Without this two replicas would write
 * different statuses and fight.
 */

import fc from "fast-check";
import { assertEquals } from "@std/assert";
import { equal } from "../../src/base/equal.ts";
import { RegexCache } from "../../src/dataplane/regex.ts";
import type { ComputeSettings } from "../../src/gateway/compute/input_view.ts";
import { byStatusKind, noOutputs } from "../../src/gateway/outputs.ts";
import { recompute } from "../../src/gateway/recompute.ts";
import { keyOf, type KubeObject } from "../../src/kube/object.ts";
import { fullCapabilities } from "../fakes/data_planes.ts";
import {
  backendTLSPolicy,
  configMap,
  grpcRoute,
  listenerSet,
  tcpRoute,
  tlsRoute,
} from "../fakes/gateway_kind_objects.ts";
import {
  backend,
  controllerName,
  endpointSlice,
  gateway,
  gatewayClass,
  httpRoute,
  listener,
  namespace,
  referenceGrant,
  rule,
  service,
} from "../fakes/gateway_objects.ts";
import { outputsText } from "../fakes/outputs_text.ts";
import { GatewayWorld, kindOf } from "../fakes/gateway_world.ts";

const older = { created: "2025-01-01T00:00:00Z" };

/** A small world in which objects depend on each other in every way that the engine knows. */
const objects: readonly KubeObject[] = [
  gatewayClass(),
  gatewayClass("foreign", { controllerName: "other.example/controller" }),
  gateway("gw", [
    listener("all"),
    listener("apps", {
      port: 81,
      allowedRoutes: { namespaces: { from: "Selector", selector: { matchLabels: { a: "b" } } } },
    }),
    listener("tcp", { protocol: "TCP", port: 90 }),
    listener("tls", { protocol: "TLS", port: 443, tls: { mode: "Passthrough" } }),
  ], { allowedListeners: { namespaces: { from: "All" } } }),
  gateway("shared", [listener("clash")], {}, { created: "2026-02-01T00:00:00Z" }),
  gateway("foreign", undefined, { gatewayClassName: "foreign" }),
  namespace("apps", { a: "b" }),
  service("web"),
  service("far", {}, { namespace: "apps" }),
  endpointSlice("s1", "web", ["10.0.0.2", "10.0.0.1"]),
  endpointSlice("s2", "web", ["10.0.0.1", "10.0.0.3"]),
  referenceGrant("grant", { kind: "HTTPRoute", namespace: "default" }, { kind: "Service" }, {
    namespace: "apps",
  }),
  httpRoute("one", { rules: [rule("/a"), rule("/b", "nobody")] }),
  httpRoute("two", { hostnames: ["x.example.com", "*.example.com"] }),
  httpRoute("far", { rules: [{ backendRefs: [backend("far", { namespace: "apps" })] }] }),
  httpRoute("both", { parentRefs: [{ name: "shared" }, { name: "gw" }, { name: "foreign" }] }),
  httpRoute("app", { parentRefs: [{ name: "gw", namespace: "default" }] }, { namespace: "apps" }),
  httpRoute("foreign", { parentRefs: [{ name: "foreign" }] }),
  gateway("default", [listener("http", { port: 8080 })], { defaultScope: "All" }),
  httpRoute("default", { parentRefs: [], useDefaultGateways: "All" }),
  // Two sets of one age that clash with each other, and one that is older.
  ...["b", "a"].map((name) => listenerSet(name, [listener("main", { port: 82 })])),
  listenerSet("old", [listener("main", { port: 83 }), listener("clash", { port: 82 })], {}, older),
  httpRoute("set", { parentRefs: [{ name: "old", kind: "ListenerSet" }] }),
  // Rivals for hostnames, of one age and of another.
  grpcRoute("two", { hostnames: ["y.example.com"] }),
  grpcRoute("old", { hostnames: ["*.example.org"] }, older),
  httpRoute("young", { hostnames: ["a.example.org"] }),
  tcpRoute("one"),
  tcpRoute("two"),
  tlsRoute("one", { hostnames: ["*.example.com"] }),
  tlsRoute("two", { hostnames: ["*.example.com", "a.example.com"] }),
  configMap("ca", { "ca.crt": "nonsense" }),
  ...["b", "a"].map((name) => backendTLSPolicy(name)),
];

const settings: ComputeSettings = {
  controllerName,
  dataPlane: fullCapabilities,
  regexes: new RegexCache(),
};

/** Gateways share an address, as they do with a pool of one. */
function put(world: GatewayWorld, object: KubeObject): void {
  world.put(object);
  if (object.kind === "Gateway") world.address(keyOf(object), ["127.0.0.1"]);
  // A class that came later brings Gateways in that the source had offered before.
  if (object.kind === "GatewayClass") {
    for (const key of world.inputs.keys("Gateway")) world.address(key, ["127.0.0.1"]);
  }
}

Deno.test("Outputs do not depend on the order in which inputs arrive", () => {
  const reference = new GatewayWorld({}, fullCapabilities);
  for (const object of objects) put(reference, object);
  const wanted = outputsText(reference.outputs());
  fc.assert(
    fc.property(
      fc.shuffledSubarray([...objects], { minLength: objects.length, maxLength: objects.length }),
      (shuffled) => {
        const world = new GatewayWorld({}, fullCapabilities);
        for (const object of shuffled) put(world, object);
        assertEquals(outputsText(world.outputs()), wanted);
      },
    ),
    { numRuns: 60 },
  );
});

/** A step: an object comes, goes, or comes back as another one. */
const step = fc.record({
  index: fc.nat({ max: objects.length - 1 }),
  action: fc.constantFrom("put", "delete", "recreate"),
});

Deno.test("Outputs reached step by step equal those from scratch and those of the rest alone", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const world = new GatewayWorld({}, fullCapabilities);
      const present = new Map<string, KubeObject>();
      let outputs = noOutputs;
      for (const { index, action } of steps) {
        const object = objects[index];
        if (!object) continue;
        const key = keyOf(object);
        if (action === "delete") {
          world.delete(kindOf(object), key);
          present.delete(`${object.kind} ${key}`);
        } else {
          const metadata = action === "put"
            ? object.metadata
            : { ...object.metadata, uid: "again", creationTimestamp: "2026-06-01T00:00:00Z" };
          put(world, { ...object, metadata });
          present.set(`${object.kind} ${key}`, { ...object, metadata });
        }
        outputs = recompute(world.inputs, settings, outputs).outputs;
        assertEquals(outputsText(outputs), outputsText(world.outputs()));
      }
      const fresh = new GatewayWorld({}, fullCapabilities);
      for (const object of present.values()) put(fresh, object);
      assertEquals(outputsText(outputs), outputsText(fresh.outputs()));
    }),
    { numRuns: 40 },
  );
});

Deno.test("A recompute that changes nothing returns the very same parts and no keys", () => {
  const world = new GatewayWorld({}, fullCapabilities);
  for (const object of objects) put(world, object);
  const first = recompute(world.inputs, settings, noOutputs).outputs;
  const second = recompute(world.inputs, settings, first);
  assertEquals(second.changes, {
    revision: first.revision,
    statuses: byStatusKind(() => []),
    dataPlane: false,
    certificates: [],
    gateways: [],
  });
  assertEquals(second.outputs.dataPlane === first.dataPlane, true);
  assertEquals(second.outputs.gateways === first.gateways, true);
  assertEquals(equal(second.outputs, first), true);
});
