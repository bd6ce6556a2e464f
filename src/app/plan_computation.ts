/**
 * A plan of a running process, computed beside it: a copy of its objects, a fork, the proposal.
 *
 * Runs on a thread of its own (plan_worker.ts), because a text that is parsed and an object that is
 * admitted hold the event loop as long as they take.
 */

import type { Plan } from "../api/plan.ts";
import type { Clock } from "../base/clock.ts";
import { noLog } from "../base/log.ts";
import { SchemaAdmission } from "../localkube/admission/schema_admission.ts";
import type { ManifestsLoader } from "../localkube/manifests/manifests_loader.ts";
import type { LocalCluster, Problem } from "../localkube/store_contract.ts";
import { proposalTarget } from "./fork_base.ts";
import { createLoader, createLocalWorld, type LocalWorld } from "./local_world.ts";
import { deleteNamed } from "./plan_deletions.ts";
import { runFork } from "./plan_fork.ts";
import type { PlanJob } from "./plan_thread.ts";
import { toPlan } from "./plan_view.ts";
import { SeedingAdmission, seedPart } from "./seed_cluster.ts";

/** What a computation takes from outside. */
export interface PlanSurroundings {
  readonly clock: Clock;
  /** A new RFC 4122 identifier at each call. */
  readonly newUid: () => string;
}

/** One plan: seeded part by part, then computed once. */
export class PlanComputation {
  readonly #job: PlanJob;
  readonly #clock: Clock;
  readonly #admission = new SeedingAdmission(new SchemaAdmission());
  readonly #world: LocalWorld;
  readonly #target: LocalCluster;
  readonly #loader: ManifestsLoader;

  constructor(job: PlanJob, { clock, newUid }: PlanSurroundings) {
    this.#job = job;
    this.#clock = clock;
    const options = { settings: job.settings, clock, log: noLog, newUid };
    this.#world = createLocalWorld({ ...options, paths: [], admission: this.#admission });
    this.#target = proposalTarget(this.#world.cluster, job.base, clock);
    const source = { paths: ["-"], standardInputText: job.manifests };
    this.#loader = createLoader(this.#target, { ...options, ...source });
  }

  /** Takes a part of the objects of now, as `SnapshotWriter` writes it. */
  seed(part: string): void {
    seedPart(this.#world.cluster, part);
  }

  /** The plan. Rejects with the signal's reason when it aborts first. */
  async compute(signal: AbortSignal): Promise<Plan> {
    const { cluster, certificates } = this.#world;
    const loader = this.#loader;
    const { base, settings, deletions, baseRevision } = this.#job;
    this.#admission.endSeeding();
    const problems: Problem[] = [];
    const fork = await runFork({
      cluster,
      base,
      settings,
      clock: this.#clock,
      signal,
      propose: async () => {
        await loader.initialLoad();
        problems.push(...loader.problems(), ...deleteNamed(this.#target, deletions));
        await certificates?.issueMissing();
      },
    });
    return toPlan(fork, baseRevision, problems);
  }
}
