/**
 * A real cluster as the engine's world: what is read and what is not, what readiness says of it, and
 * what nobody may take for gone.
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type ClusterWorldSettings, createClusterWorld } from "../../../src/app/cluster_world.ts";
import type { World } from "../../../src/app/world.ts";
import { MetricsRegistry } from "../../../src/base/metrics.ts";
import { gatewayCrdNames } from "../../../src/kube/bundle_versions.ts";
import { type Kind, kindNames } from "../../../src/kube/kinds.ts";
import { objectKey } from "../../../src/kube/object.ts";
import { ApiDouble } from "../../fakes/api_double.ts";
import { type DoubleReply, refusal } from "../../fakes/double_reply.ts";
import { DoubleTransport } from "../../fakes/double_transport.ts";
import { FakeClock } from "../../fakes/fake_clock.ts";
import { FollowedKind } from "../../fakes/followed_cluster.ts";
import { RecordingLog } from "../../fakes/recording_log.ts";

const settings: ClusterWorldSettings = {
  controllerName: "weir.dev/gateway-controller",
  namespaces: [],
  secretNamespaces: [],
  gatewayClass: undefined,
  without: [],
  writesPerSecond: 200,
  writesParallel: 16,
};
const crdPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/";

/** A world over a double whose CRDs name a release, with followers of every kind. */
class Followed {
  readonly double = new ApiDouble();
  readonly clock = new FakeClock();
  readonly log = new RecordingLog();
  readonly registry = new MetricsRegistry();
  readonly world: World;
  readonly told = new Map<Kind, FollowedKind>();
  readonly bundles: string[] = [];
  readonly paths: string[] = [];
  /** Of each CRD, by its name; undefined: there is no such CRD. */
  readonly releases = new Map<string, string>(gatewayCrdNames.map((name) => [name, "v1.6.3"]));
  /** What the API server says of CRDs in place of them. */
  crdRefusal: DoubleReply | undefined;
  readonly #stop = new AbortController();
  readonly #runs: Promise<void>[] = [];

  constructor(more: Partial<ClusterWorldSettings> = {}) {
    this.double.intercept = (request) => this.#answer(request.path);
    this.world = createClusterWorld({
      config: { ...settings, ...more },
      transport: new DoubleTransport(this.double, this.clock),
      random: () => 0.5,
      registry: this.registry,
      clock: this.clock,
      log: this.log,
    });
    this.world.source.onApiBundle?.(({ versions }) => this.bundles.push(versions.join(" ")));
  }

  /** Runs the subsystems, and follows every kind once the world is loaded. */
  async start(): Promise<void> {
    const { signal } = this.#stop;
    for (const subsystem of this.world.subsystems) this.#runs.push(subsystem.run(signal));
    this.world.loaded.then(() => this.#runs.push(this.#follow(signal)));
    await this.clock.advance(100);
  }

  get readiness(): string {
    const [subsystem] = this.world.subsystems;
    const { ready, reason } = subsystem?.ready() ?? { ready: false, reason: "" };
    return `${ready ? "ready" : "unready"}: ${reason}`;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#runs);
  }

  async #follow(signal: AbortSignal): Promise<void> {
    await Promise.all(kindNames.map((kind) => {
      const follower = new FollowedKind();
      this.told.set(kind, follower);
      return this.world.source.follow(kind, follower, signal);
    }));
  }

  #answer(path: string): DoubleReply | undefined {
    this.paths.push(path);
    if (!path.startsWith(crdPath)) return undefined;
    if (this.crdRefusal) return this.crdRefusal;
    const version = this.releases.get(path.slice(crdPath.length));
    if (version === undefined) return refusal(404, "NotFound");
    const annotations = version === ""
      ? {}
      : { "gateway.networking.k8s.io/bundle-version": version };
    return {
      type: "answer",
      code: 200,
      headers: {},
      body: JSON.stringify({ metadata: { annotations } }),
    };
  }
}

async function follow(
  more: Partial<ClusterWorldSettings>,
  prepare: (followed: Followed) => void,
  check: (followed: Followed) => Promise<void> | void,
): Promise<void> {
  const followed = new Followed(more);
  prepare(followed);
  await followed.start();
  try {
    await check(followed);
  } finally {
    await followed.stop();
  }
}

Deno.test("the cluster is read when its release is known, and says which it is", () =>
  follow({}, ({ double }) => double.put("Service", "a"), ({ world, told, bundles, readiness }) => {
    assertEquals(bundles, ["v1.6.3"]);
    assertEquals([...told.values()].filter(({ snapshotCount }) => snapshotCount === 0), []);
    assertEquals(readiness, "ready: reading 15 kinds");
    assertEquals(world.objects.list("Service").items.map(({ metadata }) => metadata.name), ["a"]);
    assert(world.objects.get("Service", objectKey("default", "a")));
  }));

Deno.test("nothing is read before the release is known: a status without it would take it away", () =>
  follow({}, (followed) => {
    followed.crdRefusal = refusal(503, "ServiceUnavailable");
  }, async (followed) => {
    assertEquals(followed.told.size, 0);
    assertStringIncludes(followed.readiness, "unready: The API server answered 503");
    await followed.clock.advance(5_000);
    const warnings = followed.log.records.filter(({ level }) => level === "warn");
    assertEquals(warnings.length, 1, "told once, not at each attempt");
    assertStringIncludes(warnings[0]?.message ?? "", "weir check says what to do");
    followed.crdRefusal = undefined;
    await followed.clock.advance(30_000);
    assertEquals(followed.told.size, kindNames.length);
    assertEquals(followed.bundles, ["v1.6.3"]);
  }));

Deno.test("CRDs are not asked for where the class is vouched for: a Role gives no right to them", () =>
  follow({ gatewayClass: "weir" }, (followed) => {
    followed.crdRefusal = refusal(403, "Forbidden");
  }, ({ bundles, told, readiness }) => {
    assertEquals([bundles, told.size], [[], kindNames.length]);
    assertEquals(readiness, "ready: reading 14 kinds, not asked for: GatewayClass");
  }));

Deno.test("CRDs of two releases, of none, and that we may not see", async () => {
  await follow({}, ({ releases }) => {
    releases.set("gateways.gateway.networking.k8s.io", "v1.5.0");
    releases.set("tlsroutes.gateway.networking.k8s.io", "");
    releases.delete("udproutes.gateway.networking.k8s.io");
  }, ({ bundles }) => assertEquals(bundles, [" v1.5.0 v1.6.3"]));
  await follow({}, (followed) => {
    followed.crdRefusal = refusal(403, "Forbidden");
  }, ({ bundles, told }) => {
    assertEquals(bundles, [], "then nobody claims to know");
    assertEquals(told.size, kindNames.length, "and that is no reason not to serve");
  });
});

Deno.test("a CRD that is updated is noticed within a minute", () =>
  follow({}, () => {}, async ({ releases, bundles, clock }) => {
    for (const name of releases.keys()) releases.set(name, "v1.7.0");
    await clock.advance(61_000);
    assertEquals(bundles.at(-1), "v1.7.0");
  }));

Deno.test("a kind that is missing is told, and found when it comes", () =>
  follow({}, ({ double }) => double.unserve("UDPRoute"), async (followed) => {
    const { double, clock, told, bundles } = followed;
    assertEquals(followed.readiness, "ready: reading 14 kinds, not in the cluster: UDPRoute");
    const looks = bundles.length;
    double.serve("UDPRoute");
    double.put("UDPRoute", "late");
    await clock.advance(15_000);
    assertEquals([...told.get("UDPRoute")?.objects.keys() ?? []], ["default/late"]);
    assertEquals(followed.readiness, "ready: reading 15 kinds");
    assert(bundles.length > looks, "its CRD may be of another release");
  }));

Deno.test("the log says what to do about a kind that cannot be read, and about one that is missing", () =>
  follow({}, ({ double }) => {
    double.forbidden.add("ReferenceGrant");
    double.unserve("GatewayClass");
    double.unserve("UDPRoute");
  }, async ({ log, double, clock }) => {
    const messages = (kind: Kind) =>
      log.records.filter(({ level, fields }) => fields.kind === kind && level !== "debug")
        .map(({ level, message }) => `${level} ${message}`);
    assertEquals(messages("ReferenceGrant"), [
      "warn A kind cannot be read; weir check says what to do",
    ]);
    assertEquals(messages("GatewayClass"), [
      "warn The cluster does not have a kind; install the CRDs",
    ]);
    assertEquals(messages("UDPRoute"), [
      "info The cluster does not have a kind; it is looked for again",
    ]);
    double.forbidden.add("Service");
    for (const stream of double.streams("Service")) stream.cut();
    await clock.advance(60_000);
    assertEquals(messages("Service").slice(0, 1), [
      "warn A kind cannot be read; what is known of it stays",
    ]);
  }));

Deno.test("a kind that protects and may not be read keeps the gate closed; a route's kind does not", () =>
  follow({}, ({ double: { forbidden } }) => {
    forbidden.add("ReferenceGrant");
    forbidden.add("TCPRoute");
  }, (followed) => {
    assertStringIncludes(followed.readiness, "unready: reading ReferenceGrant; ReferenceGrant: ");
    assertEquals(followed.told.get("TCPRoute")?.calls, ["snapshot 0"]);
    const problems = followed.world.problems.list();
    assertEquals(problems.map(({ object }) => object), ["TCPRoute", "ReferenceGrant"]);
    assertEquals(followed.world.problems.count(), 2);
    assertEquals(followed.world.knowsAbsence("TCPRoute"), false);
    assertEquals(followed.world.knowsAbsence("Gateway"), true);
  }));

Deno.test("--without: a kind is not asked for, and counts as empty", () =>
  follow({ without: ["ReferenceGrant"] }, ({ double: { forbidden } }) => {
    forbidden.add("ReferenceGrant");
  }, (followed) => {
    assertEquals(followed.readiness, "ready: reading 14 kinds, not asked for: ReferenceGrant");
    assertEquals(followed.told.get("ReferenceGrant")?.calls, ["snapshot 0"]);
    assertEquals(followed.double.seen.filter(({ kind }) => kind === "ReferenceGrant"), []);
  }));

Deno.test("--namespaces and --gateway-class: nothing is asked for that a Role cannot allow", () =>
  follow({ namespaces: ["a", "b"], gatewayClass: "mine" }, ({ double }) => {
    double.put("Service", "in", { namespace: "a" });
    double.put("Service", "out", { namespace: "c" });
  }, async ({ paths, told, world }) => {
    assertEquals([...told.get("Service")?.objects.keys() ?? []], ["a/in"]);
    // A collection is at least /apis/group/version/plural, or /api/version/plural.
    const wide = paths.filter((path) =>
      !path.startsWith(crdPath) && !path.includes("/namespaces/") &&
      path.split("/").length > (path.startsWith("/api/") ? 3 : 4)
    );
    assertEquals(wide, []);
    const key = objectKey(undefined, "mine");
    const spec = world.objects.get("GatewayClass", key)?.spec;
    assertEquals(spec, { controllerName: settings.controllerName });
    const options = { live: false, signal: new AbortController().signal };
    const read = await world.statusClient.get("GatewayClass", key, options);
    assertEquals(read.outcome, "gone", "its status is not ours to write");
  }));
