/**
 * A status writer of Gateways over a cluster that fails as scripted, with one Gateway to begin with.
 */

import type { DesiredStatus } from "../../src/kube/desired_status.ts";
import type { LeaderGate } from "../../src/kube/leader_gate.ts";
import { type ObjectKey, objectKey } from "../../src/kube/object.ts";
import type {
  StatusKeySink,
  StatusWriteOutcome,
  WriteConflict,
} from "../../src/kube/status_client.ts";
import { StatusWriter } from "../../src/kube/status_writer.ts";
import { unlimitedWrites, WritePermits } from "../../src/kube/write_permits.ts";
import { FakeClock } from "./fake_clock.ts";
import { ScriptedStatusClient } from "./scripted_status_client.ts";
import { desiredCondition, gateway, gatewayStatus } from "./status_objects.ts";

/** The key of the Gateway. */
export const edge: ObjectKey = objectKey("infra", "edge");
/** What it shall say. */
export const accepted: DesiredStatus = gatewayStatus([desiredCondition("Accepted")]);

/** Leads until told otherwise. */
export class SwitchedGate implements LeaderGate {
  leads = true;
  listener: () => void = () => {};
  isLeader(): boolean {
    return this.leads;
  }
  leftMs = Infinity;
  remainingMs(): number {
    return this.leads ? this.leftMs : 0;
  }
  onChange(listener: () => void): () => void {
    this.listener = listener;
    return () => (this.listener = () => {});
  }
}

/** See the file's header. */
export class Bench {
  readonly clock = new FakeClock();
  readonly client = new ScriptedStatusClient();
  readonly gate = new SwitchedGate();
  readonly outputs = new Map<ObjectKey, DesiredStatus>();
  readonly outcomes: StatusWriteOutcome[] = [];
  readonly conflicts: WriteConflict[] = [];
  readonly limited: string[] = [];
  readonly warnings: string[] = [];
  /** The statuses before and after each write. */
  readonly written: (readonly [before: unknown, after: unknown])[] = [];
  isAnswerComing = false;
  readonly #abort = new AbortController();
  readonly writer: StatusWriter;
  #queue: StatusKeySink | undefined;
  #run: Promise<void> | undefined;

  constructor(options: { readonly workers?: number; readonly random?: () => number } = {}) {
    const log = {
      debug: () => {},
      info: () => {},
      warn: (message: string) => void this.warnings.push(message),
      error: () => {},
      child: () => log,
    };
    this.writer = new StatusWriter({
      kind: "Gateway",
      controllerName: "weir.dev/gateway-controller",
      source: { start: (queue) => void (this.#queue = queue) },
      outputs: {
        desired: (_, key) => this.outputs.get(key),
        revision: () => 1,
        isAnswerComing: () => this.isAnswerComing,
      },
      client: this.client,
      gate: this.gate,
      permits: new WritePermits(this.gate, this.clock, unlimitedWrites),
      metrics: {
        conflict: (_, reason) => void this.conflicts.push(reason),
        outcome: (_, outcome) => void this.outcomes.push(outcome),
        limited: (_, list) => void this.limited.push(list),
      },
      onWritten: (before, after) => void this.written.push([before.status, after.status]),
      log,
      clock: this.clock,
      random: () => 0.5,
      ...options,
    });
    this.client.put(gateway());
    this.outputs.set(edge, accepted);
  }

  async start(): Promise<void> {
    this.#run = this.writer.run(this.#abort.signal);
    await this.clock.settle();
  }

  async add(key: ObjectKey = edge): Promise<void> {
    this.#queue?.add(key);
    await this.clock.settle();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort(new Error("The test ends"));
    await this.#run;
  }
}

/** A bench whose writer runs. */
export async function started(
  options: ConstructorParameters<typeof Bench>[0] = {},
): Promise<Bench> {
  const bench = new Bench(options);
  await bench.start();
  return bench;
}
