/**
 * Who reads whom. Layers keep the computation free of circles: listeners never read routes, and what
 * Services are never reads who sends to them. A read against the order is a circle that only some
 * cluster will have.
 */

import { assert, assertEquals } from "@std/assert";
import { IncrementalOutputs } from "../../../src/gateway/incremental_outputs.ts";
import { statusKinds } from "../../../src/gateway/outputs.ts";
import { routeKinds } from "../../../src/gateway/route_kinds.ts";
import { type ReadNode, takeReads } from "../../../src/query/explain.ts";
import type { MemoTable } from "../../../src/query/memo_table.ts";
import {
  backendTLSPolicy,
  configMap,
  grpcRoute,
  listenerSet,
  tcpRoute,
  tlsRoute,
  udpRoute,
} from "../../fakes/gateway_kind_objects.ts";
import {
  endpointSlice,
  gateway,
  gatewayClass,
  httpRoute,
  listener,
  service,
} from "../../fakes/gateway_objects.ts";
import { GatewayWorld } from "../../fakes/gateway_world.ts";
import { playedSettings } from "../../fakes/played_gateway_world.ts";

/** The layers, from the bottom; queries of one layer do not read each other. */
const layers: readonly (readonly string[])[] = [
  ["own listeners", "set listeners", "policy terms"],
  ["joined listeners", "backend TLS"],
  ["port losers"],
  ["port losses"],
  ["listeners"],
  ["Gateway frame", "Service port"],
  ["isolators", ...routeKinds.map((kind) => `${kind} rules`)],
  // The kinds that may want the same host.
  ["HTTPRoute meetings", "GRPCRoute meetings"],
  ["host rivals"],
  routeKinds.map((kind) => `${kind} bindings`),
  ["route Gateways", ...routeKinds.map((kind) => `${kind}s of parent`)],
  ["attached routes", "Gateways of Service"],
  [
    "Gateway configuration",
    "shadows of parent",
    "resolved Gateway",
    ...statusKinds.map((kind) => `${kind} status`),
  ],
];
const layerOf = new Map(layers.flatMap((names, index) => names.map((name) => [name, index])));

/** Layers that know nothing of routes. */
const listenerLayers = layers.slice(0, 6).flat();

function everything(): IncrementalOutputs {
  const world = new GatewayWorld();
  const computed = new IncrementalOutputs(world.inputs, playedSettings.full);
  const listeners = [
    listener("http"),
    listener("tls", { port: 443, protocol: "TLS", tls: { mode: "Passthrough" } }),
    listener("tcp", { port: 9000, protocol: "TCP" }),
    listener("udp", { port: 53, protocol: "UDP" }),
  ];
  world.put(
    gatewayClass(),
    gateway("gw", listeners, { allowedListeners: { namespaces: { from: "Same" } } }),
    gateway("second"),
    service("web"),
    endpointSlice("s", "web", ["10.0.0.1"]),
    httpRoute("r"),
    grpcRoute("r"),
    tlsRoute("r"),
    tcpRoute("r"),
    udpRoute("r"),
    listenerSet("set", [listener("more", { port: 81 })]),
    backendTLSPolicy("p"),
    configMap("ca", { "ca.crt": "none" }),
  );
  // At one address Gateways look at each other's ports.
  world.address("default/second", ["192.0.2.1"]);
  computed.step();
  world.acknowledge("default/gw");
  computed.step();
  return computed;
}

/** Every read of one query by another, or of an input by a query. */
function readsOf({ view }: IncrementalOutputs): readonly { reader: string; read: ReadNode }[] {
  const seen = new Map<string, { reader: string; read: ReadNode }>();
  const walk = (node: ReadNode): void => {
    for (const read of node.reads) {
      const edge = `${node.name} ${read.name}`;
      if (!seen.has(edge)) seen.set(edge, { reader: node.name, read });
      walk(read);
    }
  };
  const tables: readonly MemoTable<string, unknown>[] = [
    ...Object.values(view.statuses),
    view.parts,
    view.shadows,
    view.resolvedGateways,
  ];
  for (const table of tables) {
    for (const key of table.keys()) {
      const node = takeReads(table, key, { nodesMax: 10_000, readsMax: 10_000 });
      if (node) walk(node);
    }
  }
  return [...seen.values()];
}

Deno.test("Queries read downwards, layer by layer, and the world of this test has all of them", () => {
  const reads = readsOf(everything());
  const upwards = reads.filter(({ reader, read }) =>
    read.input === undefined && (layerOf.get(reader) ?? -1) <= (layerOf.get(read.name) ?? Infinity)
  );
  assertEquals(upwards.map(({ reader, read }) => `${reader} reads ${read.name}`), []);
  const met = new Set(
    reads.flatMap(({ reader, read }) => read.input ? [reader] : [reader, read.name]),
  );
  assertEquals([...layerOf.keys()].filter((name) => !met.has(name)), []);
});

Deno.test("Listeners and Services follow from no route", () => {
  const inputs = new Set<string>();
  for (const { reader, read } of readsOf(everything())) {
    if (read.input && listenerLayers.includes(reader)) inputs.add(read.name);
  }
  assert(inputs.has("Gateway") && inputs.has("Service"));
  const routes = [...inputs].filter((name) => routeKinds.some((kind) => name.startsWith(kind)));
  assertEquals([...routes, ...[...inputs].filter((name) => name.startsWith("acknowledged"))], []);
});
