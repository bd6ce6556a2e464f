/**
 * A process's cluster in memory and plans over it, computed on this thread.
 */

import { assert } from "@std/assert";
import { parse } from "valibot";
import { type Plan, PlanSchema } from "../../src/api/plan.ts";
import { createPlanView, type PlanViewOptions } from "../../src/app/plan_mount.ts";
import { noLog } from "../../src/base/log.ts";
import { decodeSettings } from "../../src/config/decode_settings.ts";
import { flags } from "../../src/config/flags.ts";
import type { PlanAnswer, PlanView } from "../../src/http/views.ts";
import { isKind } from "../../src/kube/kinds.ts";
import type { KubeObject } from "../../src/kube/object.ts";
import { SchemaAdmission } from "../../src/localkube/admission/schema_admission.ts";
import { MemoryCluster } from "../../src/localkube/store.ts";
import type { Admission, ObjectInput } from "../../src/localkube/store_contract.ts";
import { FakeClock } from "./fake_clock.ts";
import { localPlanThreads } from "./plan_thread.ts";

const { settings: config } = decodeSettings(flags, []);

/** What a test may touch. */
export interface PlanWorld {
  readonly cluster: MemoryCluster;
  readonly clock: FakeClock;
  readonly view: PlanView;
  plan(manifests: string, ...deletions: readonly string[]): Promise<Plan>;
  ask(manifests: string, ...deletions: readonly string[]): Promise<PlanAnswer>;
}

/** A process's cluster with these objects, and a view of plans over it. */
export function worldOf(
  objects: readonly KubeObject[],
  options: Partial<PlanViewOptions> = {},
  admission: Admission = new SchemaAdmission(),
): PlanWorld {
  let uids = 0;
  const clock = new FakeClock();
  const cluster = new MemoryCluster({
    admission,
    clock,
    newUid: () => `uid-${++uids}`,
    freezesObjects: true,
  });
  for (const object of objects) {
    const { uid: _, resourceVersion: __, generation: ___, ...metadata } = object.metadata;
    assert(isKind(object.kind));
    const input: ObjectInput = { ...object, metadata };
    const stored = cluster.apply(object.kind, input);
    assert(stored.ok, stored.ok ? "" : stored.error.message);
  }
  const view = createPlanView({
    cluster,
    state: { hasPublished: true, revision: 7 },
    settings: config,
    startThread: localPlanThreads({ clock, newUid: () => `fork-${++uids}` }),
    clock,
    log: noLog,
    epoch: "e1",
    ...options,
  });
  const ask = (manifests: string, ...deletions: readonly string[]) =>
    view.plan({ manifests, deletions }, new AbortController().signal);
  return {
    cluster,
    clock,
    view,
    ask,
    async plan(manifests, ...deletions) {
      const answer = await ask(manifests, ...deletions);
      assert(answer.ok, answer.ok ? "" : answer.detail);
      // Every answer has the shape that the document promises.
      return parse(PlanSchema, JSON.parse(new TextDecoder().decode(answer.plan)));
    },
  };
}

/** `! Kind name path`, the sign only where it is worse. */
export function linesOf({ changes }: Plan): readonly string[] {
  return changes.map(({ kind, name, path, isWorse }) =>
    `${isWorse ? "! " : ""}${kind} ${name} ${path}`
  );
}
