/**
 * What the process and the thread that computes a plan say to each other.
 *
 * The thread asks for the objects of now, a part at a time, so that neither side holds its loop for
 * long and what waits between them is one part. It reports once how it ended, and does nothing more.
 * Nobody can interrupt a thread that computes: it notices a cancellation at its next pause.
 */

import type { TranslateSettings } from "../cli/translate_flags.ts";
import type { ForkBase } from "./fork_base.ts";

/** The settings that decide what a plan says. */
export type PlanSettings = TranslateSettings;

/** What a thread is started with. */
export interface PlanJob {
  readonly settings: PlanSettings;
  readonly base: ForkBase;
  /** `EPOCH.COUNT` of what the plan is computed from. */
  readonly baseRevision: string;
  /** Manifests, YAML or JSON. */
  readonly manifests: string;
  /** `KIND/NAMESPACE/NAME` of what would be deleted. */
  readonly deletions: readonly string[];
}

/** Said to the thread. */
export type PlanCommand =
  /** Objects as `encodeObjects` writes them; sent when the thread asks. */
  | { readonly type: "objects"; readonly text: string; readonly isLast: boolean }
  | { readonly type: "cancel" };

/** Said by the thread. All but `next` are the last word. */
export type PlanReport =
  | { readonly type: "next" }
  /** The plan as JSON, in UTF-8. */
  | { readonly type: "done"; readonly answer: Uint8Array<ArrayBuffer> }
  | { readonly type: "cancelled" }
  | { readonly type: "outOfMemory" }
  /** A fault of ours; for the log. */
  | { readonly type: "failed"; readonly message: string };

/** What is told of a thread while it lives. */
export interface PlanThreadListener {
  onReport(report: PlanReport): void;
  /** It ended by itself, without a report: it could not start, say. */
  onFailure(error: Error): void;
}

/** A thread, as the process sees it. */
export interface PlanThread {
  send(command: PlanCommand): void;
  /** Lets go of it; it ends at its next pause. */
  terminate(): void;
}

/** Starts a thread for one job. */
export type StartPlanThread = (job: PlanJob, listener: PlanThreadListener) => PlanThread;

/** The process, as the thread sees it. */
export interface PlanPort {
  report(report: PlanReport): void;
  /** Calls `listener` with each command from now on. */
  onCommand(listener: (command: PlanCommand) => void): void;
}
