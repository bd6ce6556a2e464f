// What weir cannot read for the moment, it does not know; and what it does not know it may not take
// back. Controllers of DNS records remove a name as soon as an address or Programmed is gone: a restart
// of the API server, a right that is taken away or a new process of weir must not cost traffic.

import { assert, assertEquals } from "@std/assert";
import { createClusterWorld } from "../../src/app/cluster_world.ts";
import { mountGateway } from "../../src/app/gateway_mount.ts";
import { MetricsRegistry } from "../../src/base/metrics.ts";
import { addressRangeType } from "../../src/config/address_range.ts";
import { decodeSettings } from "../../src/config/decode_settings.ts";
import { flags } from "../../src/config/flags.ts";
import type { DataPlane } from "../../src/dataplane/data_plane.ts";
import { AssumedDataPlane } from "../../src/app/assumed_data_plane.ts";
import { findKind, type Kind, kindNames } from "../../src/kube/kinds.ts";
import { keyOf, type KubeObject } from "../../src/kube/object.ts";
import { ApiDouble } from "../fakes/api_double.ts";
import { DnsReader } from "../fakes/dns_reader.ts";
import type { DoubleReply } from "../fakes/double_reply.ts";
import { DoubleTransport } from "../fakes/double_transport.ts";
import { FakeClock } from "../fakes/fake_clock.ts";
import { backendTLSPolicy, configMap, listenerSet } from "../fakes/gateway_kind_objects.ts";
import {
  endpointSlice,
  gateway,
  gatewayClass,
  httpRoute,
  httpsListener,
  listener,
  namespace,
  referenceGrant,
  service,
  tlsSecret,
} from "../fakes/gateway_objects.ts";
import { makeCertificate } from "../fakes/gateway_certificates.ts";
import { RecordingLog } from "../fakes/recording_log.ts";
import { SteppedDataPlane } from "../fakes/stepped_data_plane.ts";

const { settings } = decodeSettings(flags, []);
const range = addressRangeType.parse("127.0.0.1-127.0.0.3");
const config = { ...settings, ...range.ok ? { gatewayAddresses: [range.value] } : {} };
const certificate = await makeCertificate(["a.example.com"]);
const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/";
const bundle = {
  metadata: { annotations: { "gateway.networking.k8s.io/bundle-version": "v1.6.3" } },
};

/** A cluster with all kinds in use, and processes of weir that come and go. */
class Scene implements AsyncDisposable {
  readonly clock = new FakeClock();
  readonly double = new ApiDouble();
  readonly reader: DnsReader;
  /** Whether the API server answers. */
  isDown = false;
  #stop = new AbortController();
  #running: Promise<unknown> = Promise.resolve();

  constructor() {
    this.double.intercept = ({ path }) => this.#intercept(path);
    this.reader = new DnsReader(this.double);
    const selector = { matchLabels: { team: "shop" } };
    const selected = { namespaces: { from: "Selector", selector } };
    this.put(
      gatewayClass(),
      namespace("default", { team: "shop" }),
      namespace("certs"),
      gateway("gw", [
        listener("http", { allowedRoutes: selected }),
        httpsListener("https", [{ name: "tls", namespace: "certs" }], { port: 443 }),
      ], { allowedListeners: { namespaces: { from: "All" } } }),
      gateway("second", [listener("http")]),
      tlsSecret("tls", certificate, { namespace: "certs" }),
      referenceGrant(
        "grant",
        { group: "gateway.networking.k8s.io", kind: "Gateway", namespace: "default" },
        { group: "", kind: "Secret" },
        { namespace: "certs" },
      ),
      listenerSet("set", [listener("extra", { port: 8080 })]),
      service("web"),
      endpointSlice("web-1", "web", ["127.0.0.1"]),
      configMap("ca", { "ca.crt": certificate.certificate }),
      backendTLSPolicy("policy"),
      httpRoute("r"),
      httpRoute("s", { parentRefs: [{ kind: "ListenerSet", name: "set" }] }),
    );
  }

  put(...objects: readonly KubeObject[]): void {
    for (const { apiVersion, kind: name, metadata, ...fields } of objects) {
      const kind = findKind(apiVersion, name);
      assert(kind, name);
      const { resourceVersion: _, uid: __, ...kept } = metadata;
      const before = this.double.objects(kind).get(keyOf({ metadata }));
      const generation = (before?.metadata.generation ?? 0) + 1;
      this.double.put(kind, metadata.name, {
        ...fields,
        ...before?.status === undefined ? {} : { status: before.status },
        metadata: { ...kept, generation },
        ...metadata.namespace === undefined ? {} : { namespace: metadata.namespace },
      });
    }
  }

  /** A new process of weir, after the last one has ended. */
  async start(dataPlane: DataPlane = new AssumedDataPlane("none")): Promise<void> {
    const { clock } = this;
    const common = { registry: new MetricsRegistry(), clock, log: new RecordingLog() };
    const random = (): number => 0.5;
    const transport = new DoubleTransport(this.double, clock);
    const world = createClusterWorld({ ...common, config, transport, random });
    const mount = mountGateway({ ...common, config, world, dataPlane, random });
    const { signal } = this.#stop = new AbortController();
    const subsystems = [...world.subsystems, mount.subsystem];
    this.#running = Promise.all(subsystems.map((subsystem) => subsystem.run(signal)));
    await clock.advance(5_000);
  }

  async stop(): Promise<void> {
    this.#stop.abort(new Error("The process ends"));
    await this.clock.advance(1_000);
    await this.#running;
  }

  /** Life goes on: somebody adds a route, which makes weir write what it knows. */
  async edit(name: string): Promise<void> {
    this.put(httpRoute(name, { hostnames: [`${name}.example.com`] }));
    await this.clock.advance(30_000);
  }

  cut(): void {
    for (const kind of kindNames) for (const stream of this.double.streams(kind)) stream.cut();
  }

  #intercept(path: string): DoubleReply | undefined {
    if (this.isDown) return { type: "reset" };
    if (!path.startsWith(crds)) return undefined;
    return { type: "answer", code: 200, body: JSON.stringify(bundle) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}

/** A scene in which weir has said all that there is to say. */
async function settled(): Promise<Scene> {
  const scene = new Scene();
  await scene.start();
  await scene.clock.advance(30_000);
  assertEquals(scene.reader.told, expected);
  return scene;
}

/** What the readers of statuses live on. */
const expected: readonly string[] = [
  "Gateway gw listener http: Accepted",
  "Gateway gw listener http: Programmed",
  "Gateway gw listener https: Accepted",
  "Gateway gw listener https: Programmed",
  "Gateway gw: Accepted",
  "Gateway gw: Programmed",
  "Gateway gw: address 127.0.0.1",
  "Gateway second listener http: Accepted",
  "Gateway second listener http: Programmed",
  "Gateway second: Accepted",
  "Gateway second: Programmed",
  "Gateway second: address 127.0.0.2",
  "GatewayClass weir: Accepted",
  "HTTPRoute r at Gateway gw: Accepted",
  "HTTPRoute s at ListenerSet set: Accepted",
  "ListenerSet set listener extra: Accepted",
  "ListenerSet set listener extra: Programmed",
  "ListenerSet set: Accepted",
  "ListenerSet set: Programmed",
];

Deno.test("A new process of weir takes nothing back, also while its data plane is silent", async () => {
  await using scene = await settled();
  await scene.stop();
  const silent = new SteppedDataPlane();
  await scene.start(silent);
  await scene.edit("t");
  await scene.clock.advance(600_000);
  const stopping = scene.stop();
  silent.finish();
  await stopping;
  await scene.start();
  await scene.edit("u");
  assertEquals(scene.reader.losses, []);
});

Deno.test("A restart of the API server takes nothing back", async () => {
  await using scene = await settled();
  scene.isDown = true;
  scene.cut();
  await scene.clock.advance(300_000);
  scene.isDown = false;
  // It comes back without the history of before.
  scene.double.compact();
  await scene.clock.advance(60_000);
  await scene.edit("t");
  assertEquals(scene.reader.losses, []);
});

Deno.test("A process that starts while the API server is away takes nothing back", async () => {
  await using scene = await settled();
  await scene.stop();
  scene.isDown = true;
  await scene.start();
  await scene.clock.advance(120_000);
  scene.isDown = false;
  await scene.clock.advance(120_000);
  await scene.edit("t");
  assertEquals(scene.reader.losses, []);
});

for (const kind of kindNames) {
  Deno.test(`The right to read ${kind}, taken away and given back, costs nobody anything`, async () => {
    await using scene = await settled();
    forbid(scene, kind);
    await scene.edit("t");
    await scene.clock.advance(300_000);
    await scene.edit("u");
    assertEquals(scene.reader.losses, []);
    scene.double.forbidden.delete(kind);
    await scene.clock.advance(300_000);
    await scene.edit("v");
    assertEquals(scene.reader.losses, []);
  });

  Deno.test(`A process that starts without the right to read ${kind} takes nothing back`, async () => {
    await using scene = await settled();
    await scene.stop();
    forbid(scene, kind);
    await scene.start();
    await scene.edit("t");
    await scene.clock.advance(300_000);
    assertEquals(scene.reader.losses, []);
    scene.double.forbidden.delete(kind);
    await scene.clock.advance(300_000);
    await scene.edit("u");
    assertEquals(scene.reader.losses, []);
  });
}

Deno.test("A Gateway that moves to a class that cannot be read is left to whose it may be", async () => {
  await using scene = await settled();
  forbid(scene, "GatewayClass");
  scene.put(gatewayClass("theirs", { controllerName: "example.com/theirs" }));
  scene.put(gateway("second", [listener("http")], { gatewayClassName: "theirs" }));
  await scene.clock.advance(60_000);
  assertEquals(scene.reader.losses, []);
});

/** Reads of `kind` are refused, watches end; writes of its status are not touched by that. */
function forbid({ double }: Scene, kind: Kind): void {
  double.forbidden.add(kind);
  for (const stream of double.streams(kind)) stream.cut();
}
