/** A running engine whose statuses can be explained, with a data plane that answers. */

import { DataPlanePush } from "../../src/gateway/data_plane_push.ts";
import { followConditions } from "../../src/gateway/explain/follow_conditions.ts";
import { StatusExplainer } from "../../src/gateway/explain/explain_status.ts";
import type {
  ExplainedCondition,
  ExplainedInput,
} from "../../src/gateway/explain/explained_status.ts";
import type { StatusKind } from "../../src/gateway/outputs.ts";
import type { KubeObject } from "../../src/kube/object.ts";
import { assert } from "@std/assert";
import { GatewayEngine, RecordingDataPlane } from "./gateway_engine.ts";
import { toKey } from "./gateway_world.ts";

/** See the file's header. */
export class ExplainedEngine extends GatewayEngine {
  readonly dataPlane = new RecordingDataPlane();
  readonly history = followConditions(this.state, this.clock);

  /** Starts with `objects`, and lets the data plane answer. */
  async start(...objects: readonly KubeObject[]): Promise<void> {
    this.source.put(...objects);
    await this.run(new DataPlanePush(this.state, this.dataPlane, this.clock, () => 0.5));
    await this.settle();
  }

  /** Explains the status of an object. */
  open(kind: StatusKind, key: string): StatusExplainer {
    const { state: { view, inputs, outputs }, history } = this;
    const found = StatusExplainer.open({ view, inputs, outputs, history }, kind, toKey(key));
    assert(found, `${kind} "${key}" has a status`);
    return found;
  }

  /** One condition; `group` as in `listeners[http]`, empty for the object itself. */
  explain(kind: StatusKind, key: string, group: string, type: string): ExplainedCondition {
    const groups = this.open(kind, key).step() ?? [];
    const found = groups.find(({ id }) => id === group)?.conditions
      .find(({ condition }) => condition.type === type);
    assert(found, `${kind} "${key}" ${group} has condition ${type}`);
    return found;
  }
}

/** `Kind namespace/name field`, with what else there is to tell, as one line. */
export function showInput(input: ExplainedInput): string {
  const { kind, namespace, name, field, source, isAbsent, lookedFor } = input;
  return [
    ...(source === "object" ? [] : [source]),
    ...[kind, namespace === undefined ? name : `${namespace}/${name}`],
    ...(field === undefined ? [] : [field]),
    ...(lookedFor === undefined ? [] : [`(${input.count} ${lookedFor})`]),
    ...(isAbsent ? ["absent"] : []),
  ].join(" ");
}
