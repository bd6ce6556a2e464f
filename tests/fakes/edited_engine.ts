/**
 * A running engine that is edited, with a data plane that takes its time, and what a reader of its
 * events knows.
 */

import { DataPlanePush } from "../../src/gateway/data_plane_push.ts";
import { type Outputs, type StatusKind, statusKinds } from "../../src/gateway/outputs.ts";
import type { StateOptions } from "../../src/gateway/state_options.ts";
import type { DesiredStatus } from "../../src/kube/desired_status.ts";
import type { Kind } from "../../src/kube/kinds.ts";
import { keyOf, type KubeObject, type ObjectKey } from "../../src/kube/object.ts";
import { GatewayEngine } from "./gateway_engine.ts";
import { kindOf } from "./gateway_world.ts";
import { addressesByName, type Edit } from "./random_gateway_world.ts";
import { SteppedDataPlane } from "./stepped_data_plane.ts";

/** See the file's header. */
export class EditedEngine {
  readonly engine: GatewayEngine;
  readonly dataPlane = new SteppedDataPlane();
  /** What is in the cluster, in the order in which it came. */
  readonly objects = new Map<string, KubeObject>();
  /** Statuses as a writer would have written them: only what events told of. */
  readonly written = new Map<string, DesiredStatus>();
  #recreated = 0;

  constructor(objects: readonly KubeObject[], options: Omit<Partial<StateOptions>, "clock"> = {}) {
    this.engine = new GatewayEngine({ addresses: addressesByName, ...options });
    for (const object of objects) this.#put(object);
    for (const kind of statusKinds) {
      this.engine.state.statusEvents(kind).start({ add: (key) => this.#write(kind, key) });
    }
  }

  /** Starts everything; the first configuration is in service then. */
  async start(): Promise<void> {
    await this.engine.run(
      new DataPlanePush(this.engine.state, this.dataPlane, this.engine.clock, () => 0),
    );
    await this.finishAll();
  }

  /** Lets the data plane do all that it was asked. */
  async finishAll(): Promise<Outputs> {
    do {
      await this.engine.settle();
    } while (this.dataPlane.finish());
    return this.engine.state.outputs;
  }

  /** Ends everything, what the data plane is busy with too. */
  async stop(): Promise<void> {
    const stopped = this.engine.stop();
    this.dataPlane.finish();
    await stopped;
  }

  /** Lets `edit` happen in the cluster. */
  edit({ object, action }: Edit): void {
    const key = `${object.kind} ${keyOf(object)}`;
    if (action === "put") {
      const uid = this.objects.get(key)?.metadata.uid ?? object.metadata.uid;
      return this.#put({ ...object, metadata: { ...object.metadata, uid } });
    }
    if (!this.objects.delete(key)) return;
    this.engine.source.delete(kindOf(object), keyOf(object));
    if (action === "delete") return;
    const uid = `again-${++this.#recreated}`;
    this.#put({ ...object, metadata: { ...object.metadata, uid } });
  }

  /** Lets `edit` happen while nobody watches its kind, and starts the watch over. */
  editUnseen(edit: Edit): void {
    const kind: Kind = kindOf(edit.object);
    this.engine.source.hold(kind);
    this.edit(edit);
    this.engine.source.release(kind);
  }

  #put(object: KubeObject): void {
    this.objects.set(`${object.kind} ${keyOf(object)}`, object);
    this.engine.source.put(object);
  }

  #write(kind: StatusKind, key: ObjectKey): void {
    const desired = this.engine.state.outputs.statuses[kind].get(key);
    if (desired) this.written.set(`${kind} ${key}`, desired);
    else this.written.delete(`${kind} ${key}`);
  }
}
