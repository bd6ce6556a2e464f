/**
 * An API double with a source that follows it, and the view that a consumer gets: what the tests of
 * reading a cluster share.
 */

import { ClusterObjectSource } from "../../src/kube/cluster_object_source.ts";
import type { ClusterObjectSourceOptions } from "../../src/kube/cluster_object_source.ts";
import type { ClusterErrorKind } from "../../src/kube/cluster_error.ts";
import type { KindPhase } from "../../src/kube/kind_state.ts";
import type { Kind } from "../../src/kube/kinds.ts";
import { keyOf, type KubeObject, type ObjectKey } from "../../src/kube/object.ts";
import { ApiDouble, type SeenRequest } from "./api_double.ts";
import { DoubleTransport } from "./double_transport.ts";
import { FakeClock } from "./fake_clock.ts";

/** What a consumer of one kind knows. */
export class FollowedKind {
  readonly objects = new Map<ObjectKey, KubeObject>();
  snapshotCount = 0;
  /** One word for each call: `snapshot 2`, `upsert a`, `delete a`. */
  readonly calls: string[] = [];

  snapshot(objects: readonly KubeObject[]): void {
    this.snapshotCount++;
    this.calls.push(`snapshot ${objects.length}`);
    this.objects.clear();
    for (const object of objects) this.objects.set(keyOf(object), object);
  }

  upsert(object: KubeObject): void {
    this.calls.push(`upsert ${object.metadata.name}`);
    this.objects.set(keyOf(object), object);
  }

  delete(object: KubeObject): void {
    this.calls.push(`delete ${object.metadata.name}`);
    this.objects.delete(keyOf(object));
  }
}

/** See the file's header. */
export class FollowedCluster {
  readonly double = new ApiDouble();
  readonly clock = new FakeClock();
  readonly transport: DoubleTransport;
  readonly source: ClusterObjectSource;
  /** Each phase that a kind came to. */
  readonly phases: `${Kind} ${KindPhase}`[] = [];
  readonly faults: { readonly kind: ClusterErrorKind; readonly waitMs: number }[] = [];
  readonly #stop = new AbortController();
  readonly #runs: Promise<void>[] = [];

  constructor(
    options: Partial<ClusterObjectSourceOptions> = {},
    random: () => number = () => 0.5,
  ) {
    this.transport = new DoubleTransport(this.double, this.clock);
    this.source = new ClusterObjectSource({
      transport: this.transport,
      clock: this.clock,
      random,
      observer: {
        onState: (kind, { phase }) => {
          const isSame = this.phases.findLast((text) => text.startsWith(`${kind} `)) ===
            `${kind} ${phase}`;
          if (!isSame) this.phases.push(`${kind} ${phase}`);
        },
        onSnapshot: () => {},
        onFault: (_kind, { kind }, waitMs) => this.faults.push({ kind, waitMs }),
      },
      ...options,
    });
  }

  follow(kind: Kind): FollowedKind {
    const followed = new FollowedKind();
    this.#runs.push(this.source.follow(kind, followed, this.#stop.signal));
    return followed;
  }

  /** How often the server was asked in one of the ways. */
  count(...types: readonly SeenRequest["type"][]): number {
    return this.double.seen.filter(({ type }) => types.includes(type)).length;
  }

  async stop(): Promise<void> {
    this.#stop.abort(new Error("The test is over"));
    await Promise.all(this.#runs);
  }
}

/** Name and version of each object, sorted: what two views are compared by. */
export function versionsOf(objects: ReadonlyMap<ObjectKey, KubeObject>): readonly string[] {
  return [...objects.values()]
    .map(({ metadata: { name, namespace = "", uid, resourceVersion } }) =>
      `${namespace}/${name} ${uid} ${resourceVersion}`
    ).sort();
}
