/**
 * What an elector tells: who leads and since when, for the log, for readiness and for metrics.
 *
 * A failure is told once for each kind until something succeeds. It decides nothing.
 */

import type { Clock } from "../base/clock.ts";
import type { Logger } from "../base/log.ts";
import type { LeaseFailure, LeaseProblem } from "./lease_client.ts";
import type { LeaseGate } from "./lease_gate.ts";
import type { LeaseAction, LeaseMetrics } from "./lease_metrics.ts";
import type { LeasePlace, LeaseRecord } from "./lease_record.ts";

/** What a story is told with. */
export interface LeaseStoryOptions {
  readonly place: LeasePlace;
  readonly identity: string;
  readonly metrics: LeaseMetrics;
  readonly clock: Clock;
  readonly log: Logger;
}

/** See the file's header. */
export class LeaseStory {
  readonly #options: LeaseStoryOptions;
  readonly #gate: LeaseGate;
  readonly #lease: string;
  readonly #told = new Set<LeaseProblem>();
  #failure: LeaseFailure | undefined;
  /** As the Lease says; undefined: not known, or there is none. */
  #holder: string | undefined;
  #transitions = 0;
  #isLeader = false;
  #isStopping = false;
  #lossReason = "";

  constructor(options: LeaseStoryOptions, gate: LeaseGate) {
    this.#options = options;
    this.#gate = gate;
    this.#lease = `${options.place.namespace}/${options.place.name}`;
    gate.onChange(() => this.#tellGate());
  }

  /** One sentence for a person. */
  get reason(): string {
    const lease = `Lease "${this.#lease}"`;
    if (this.#gate.isLeader()) return `leads by ${lease}`;
    const problem = this.#failure;
    if (problem) return `does not lead (${problem.problem}): ${problem.message}`;
    if (this.#holder === undefined) return `does not lead, ${lease} was not read yet`;
    if (this.#holder === "") return `does not lead, nobody holds ${lease}`;
    return `does not lead, "${this.#holder}" holds ${lease}`;
  }

  /** Runs `ask`, and counts how it ended. */
  async timed<Result extends { readonly outcome: "ok" | "absent" | "conflict" } | LeaseFailure>(
    action: LeaseAction,
    ask: () => Promise<Result>,
  ): Promise<Result> {
    const { clock, metrics } = this.#options;
    const startMs = clock.monotonicMs();
    const result = await ask();
    const seconds = (clock.monotonicMs() - startMs) / 1000;
    const outcome = result.outcome === "failed" ? result.problem : result.outcome;
    metrics.request(action, outcome, seconds);
    return result;
  }

  /** The server answered; this is what the Lease says now. */
  sees(record: LeaseRecord | undefined): void {
    const { log, identity } = this.#options;
    this.#failure = undefined;
    // That there is none is answered as well where none can be made.
    if (record !== undefined) this.#told.clear();
    const holder = record?.holder ?? "";
    this.#transitions = record?.transitions ?? 0;
    const before = this.#holder;
    this.#holder = holder;
    if (holder === before || holder === identity) return;
    const lease = this.#lease;
    if (holder === "" && before === undefined) return;
    if (holder === "") log.info("Nobody holds the Lease", { lease, isThere: record !== undefined });
    else log.info("Another replica holds the Lease", { lease, holder });
  }

  /** What comes next is the loss of the Lease to what it says now. */
  loses(record: LeaseRecord | undefined): void {
    this.#lossReason = record === undefined
      ? "the Lease is gone"
      : record.holder === ""
      ? "somebody freed the Lease"
      : `"${record.holder}" holds the Lease`;
  }

  /** A request failed. */
  fails(failure: LeaseFailure): void {
    const { log } = this.#options;
    this.#failure = failure;
    this.#lossReason = failure.message;
    const { problem, message } = failure;
    if (this.#told.has(problem)) return;
    this.#told.add(problem);
    log.warn("Leader election is hindered; trying again, further failures are only counted", {
      ...{ lease: this.#lease, problem, message, isLeader: this.#gate.isLeader() },
      stopsWritingInMs: Math.round(this.#gate.remainingMs()),
    });
  }

  /** What comes next is the end. */
  stops(): void {
    this.#isStopping = true;
  }

  /** The Lease is free. */
  gaveBack(): void {
    this.#holder = "";
    this.#options.log.info("Gave the Lease back", { lease: this.#lease });
  }

  /** It could not be given back; it expires. */
  keeps(why: string): void {
    this.#options.log.warn("Cannot give the Lease back, others have to wait until it expires", {
      ...{ lease: this.#lease, why },
    });
  }

  #tellGate(): void {
    const { log, metrics, identity } = this.#options;
    const wasLeader = this.#isLeader;
    this.#isLeader = this.#gate.isLeader();
    const fields = { lease: this.#lease, identity };
    if (this.#isStopping) return;
    if (this.#isLeader && wasLeader) {
      log.warn("Was late to renew the Lease and did not write for a moment; leads again", fields);
    } else if (this.#isLeader) {
      log.info("Leads now: this replica writes statuses", {
        ...fields,
        transitions: this.#transitions,
      });
      metrics.transition("gained");
    } else if (wasLeader) {
      const why = this.#lossReason || "the Lease was not renewed in time";
      log.warn("Leads no more: this replica writes nothing and goes on serving", {
        ...fields,
        why,
      });
      metrics.transition("lost");
    }
    this.#lossReason = "";
  }
}
