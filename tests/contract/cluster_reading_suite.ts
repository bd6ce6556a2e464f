/**
 * What reading a cluster relies on, as a suite that runs on any API server: the double, the local
 * cluster's API, a real kube-apiserver.
 *
 * The double would be worth nothing if it behaved in another way than the real server. ConfigMaps are
 * used, because every server has them and admits any.
 */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { ApiDiscovery } from "../../src/kube/api_discovery.ts";
import type { Clock } from "../../src/base/clock.ts";
import { ClusterError } from "../../src/kube/cluster_error.ts";
import { ClusterObjectSource } from "../../src/kube/cluster_object_source.ts";
import type { ClusterTransport } from "../../src/kube/cluster_transport.ts";
import { type ClusterEvent, defaultListWatchLimits, ListWatch } from "../../src/kube/list_watch.ts";
import { type ObjectKey, objectKey } from "../../src/kube/object.ts";
import { isOlderVersion } from "../../src/kube/resource_version.ts";
import { FollowedKind } from "../fakes/followed_cluster.ts";

/** A server with one namespace that is the test's own. */
export interface ClusterTarget {
  readonly transport: ClusterTransport;
  readonly clock: Clock;
  /** Empty of ConfigMaps but those whose name starts with `kube-`. */
  readonly namespace: string;
  /** Creates or replaces the ConfigMap `name` with `data`. */
  put(name: string, data: Readonly<Record<string, string>>): Promise<void>;
  remove(name: string): Promise<void>;
  /** Lets the server and its readers work for a short time. */
  pass(): Promise<void>;
  close(): Promise<void>;
}

const collection = { kind: "ConfigMap", version: "v1" } as const;
/** Rounds of `pass` after which what was waited for does not come. */
const roundsMax = 200;

/** Registers the suite for one server. */
export function testClusterReading(
  name: string,
  open: () => Promise<ClusterTarget>,
  options: { readonly ignore?: boolean } = {},
): void {
  const test = (promise: string, check: (reader: Reader) => Promise<void>): void =>
    Deno.test(`${name}: ${promise}`, options, async () => {
      const target = await open();
      const reader = new Reader(target);
      try {
        await check(reader);
      } finally {
        await reader.stop();
        await target.close();
      }
    });

  test("a list has all objects and a version, in pages or not", async ({ target, list, never }) => {
    for (const each of ["a", "b", "c", "d", "e"]) await target.put(each, { "ca.crt": each });
    for (const pageObjects of [1, 2, 5, 500]) {
      const { objects, resourceVersion } = await list({ pageObjects }).list(never);
      const ours = objects.filter(({ metadata }) => !metadata.name.startsWith("kube-"));
      assertEquals(ours.map(({ metadata }) => metadata.name).sort(), ["a", "b", "c", "d", "e"]);
      assertEquals(ours.map((object) => object.kind), ours.map(() => "ConfigMap"));
      const [first] = ours;
      assert(first && !isOlderVersion(resourceVersion, first.metadata.resourceVersion));
    }
  });

  test("versions grow with each change", async ({ target, list, never }) => {
    const before = await list().currentVersion(never);
    await target.put("a", {});
    assert(isOlderVersion(before, await list().currentVersion(never)));
  });

  test("a watch after a list tells what came since, each with its uid", async (reader) => {
    const { target, list, never } = reader;
    await target.put("a", { "ca.crt": "1" });
    const { resourceVersion, objects } = await list().list(never);
    const uid = objects.find(({ metadata }) => metadata.name === "a")?.metadata.uid;
    await target.put("a", { "ca.crt": "2" });
    await target.put("b", {});
    await target.remove("a");
    const events = reader.watch({ after: resourceVersion });
    await reader.until(() => events.filter(isChange).length >= 3);
    const changes = events.filter(isChange);
    assertEquals(changes.map(describe), ["upsert a", "upsert b", "delete a"]);
    const [changed, , deleted] = changes;
    assertEquals([changed?.object.metadata.uid, deleted?.object.metadata.uid], [uid, uid]);
    assertEquals(changed?.object.data, { "ca.crt": "2" });
    const versions = changes.map(({ object }) => object.metadata.resourceVersion);
    assert(isOlderVersion(versions[0] ?? "", versions[1] ?? ""));
    assert(isOlderVersion(versions[1] ?? "", versions[2] ?? ""));
  });

  test("a watch from the start tells all, then ends that, or says that it cannot", async (reader) => {
    const { target } = reader;
    await target.put("a", {});
    const events = reader.watch("all");
    await reader.until(() => events.some(endsInitial) || reader.failure !== undefined);
    if (reader.failure !== undefined) {
      assertEquals(reader.failure.kind, "invalid");
      assert(/sendInitialEvents|resourceVersionMatch/.test(reader.failure.message));
      return;
    }
    const end = events.findIndex(endsInitial);
    assertEquals(events.slice(0, end).filter(isOurs).map(describe), ["upsert a"]);
    await target.put("b", {});
    await reader.until(() => events.length > end + 1);
    assertEquals(events.slice(end + 1).filter(isChange).map(describe), ["upsert b"]);
  });

  test("what is not there is not found", async ({ target, never }) => {
    const { transport } = target;
    const paths = ["/apis/example.invalid/v1", "/apis/example.invalid/v1/things", "/api/v9"];
    for (const path of paths) {
      const error = await assertRejects(
        () => transport.request({ path, signal: never }),
        ClusterError,
      );
      assertEquals(error.kind, "not-found", path);
    }
  });

  test("discovery tells which kinds there are", async ({ target, never }) => {
    const discovery = new ApiDiscovery(target.transport, target.clock);
    assertEquals(await discovery.servedVersion("ConfigMap", never), "v1");
    assertEquals(await discovery.servedVersion("Service", never), "v1");
    assertEquals(await discovery.servedVersion("HTTPRoute", never), "v1");
  });

  test("a follower has what the server has", async (reader) => {
    const { target } = reader;
    await target.put("a", {});
    const followed = reader.follow();
    await reader.until(() => followed.snapshotCount === 1);
    await target.put("b", {});
    await target.put("a", { "ca.crt": "x" });
    await target.remove("b");
    await target.put("b", { "ca.crt": "y" });
    const key = (each: string): ObjectKey => objectKey(target.namespace, each);
    await reader.until(() =>
      JSON.stringify(followed.objects.get(key("b"))?.data) === '{"ca.crt":"y"}'
    );
    assertEquals(followed.objects.get(key("a"))?.data, { "ca.crt": "x" });
    assertEquals(followed.snapshotCount, 1);
  });
}

/** Reads a target, and ends what it began. */
class Reader {
  readonly target: ClusterTarget;
  failure: ClusterError | undefined;
  readonly #stop = new AbortController();
  readonly #tasks: Promise<void>[] = [];

  constructor(target: ClusterTarget) {
    this.target = target;
  }

  /** Aborts when the test is over. */
  get never(): AbortSignal {
    return this.#stop.signal;
  }

  readonly list = (limits: { readonly pageObjects?: number } = {}): ListWatch =>
    new ListWatch(this.target.transport, { ...collection, namespace: this.target.namespace }, {
      ...defaultListWatchLimits,
      ...limits,
    });

  watch(start: Parameters<ListWatch["watch"]>[0]): ClusterEvent[] {
    const events: ClusterEvent[] = [];
    const { signal } = this.#stop;
    const run = async (): Promise<void> => {
      try {
        const options = { timeoutSeconds: 60, onOpen: () => {}, signal };
        for await (const event of this.list().watch(start, options)) events.push(event);
      } catch (error) {
        if (error instanceof ClusterError) this.failure = error;
        else if (!signal.aborted) throw error;
      }
    };
    this.#tasks.push(run());
    return events;
  }

  follow(): FollowedKind {
    const followed = new FollowedKind();
    const source = new ClusterObjectSource({
      transport: this.target.transport,
      clock: this.target.clock,
      random: () => 0.5,
      observer: { onState: () => {}, onSnapshot: () => {}, onFault: () => {} },
      namespaces: [this.target.namespace],
    });
    this.#tasks.push(source.follow("ConfigMap", followed, this.#stop.signal));
    return followed;
  }

  async until(isTrue: () => boolean): Promise<void> {
    for (let round = 0; round < roundsMax && !isTrue(); round++) await this.target.pass();
    assert(isTrue(), "what was waited for did not come");
  }

  async stop(): Promise<void> {
    this.#stop.abort(new Error("The test is over"));
    await Promise.all(this.#tasks);
  }
}

type Change = Extract<ClusterEvent, { readonly object: unknown }>;

function isChange(event: ClusterEvent): event is Change {
  return event.type !== "bookmark";
}

function isOurs(event: ClusterEvent): event is Change {
  return isChange(event) && !event.object.metadata.name.startsWith("kube-");
}

function endsInitial(event: ClusterEvent): boolean {
  return event.type === "bookmark" && event.endsInitial;
}

function describe({ type, object }: Change): string {
  return `${type} ${object.metadata.name}`;
}
