/**
 * What the HTTP API asks of the rest of the process. The composition fills these interfaces.
 *
 * Every method but a plan and the explanation of a status is synchronous, reads the latest state and
 * never throws. What comes back is safe to show: secret values have been replaced before.
 */

import type { RequestExplanation } from "../api/explain.ts";
import type { StatusExplanation } from "../api/explain_status.ts";
import type { RequestQuestion } from "../api/request_question.ts";
import type { EventSink } from "./event_sink.ts";
import type { Check } from "../api/readiness.ts";
import type { ProxyState } from "../api/proxy.ts";
import type { StateObject, StateSummary } from "../api/state.ts";

/** Health of the parts of the process. */
export interface ReadinessView {
  /** One check for each subsystem, then one for each feature that is off. */
  checks(): readonly Check[];
}

/** The text of a scrape. */
export interface MetricsView {
  /** All metrics in the exposition format 0.0.4. */
  render(): string;
}

/** How a kind may be called in a path. */
export interface KindNames {
  readonly kind: string;
  /** Lower case. */
  readonly plural: string;
  readonly shortNames: readonly string[];
  readonly namespaced: boolean;
}

/** Which page of which objects. */
export interface PageQuery {
  /** Only objects of this namespace. */
  readonly namespace?: string;
  /** Only objects after this one in the order of namespace and name. */
  readonly after?: ObjectName;
  /** At least 1. */
  readonly limit: number;
}

/** Names an object within its kind. */
export interface ObjectName {
  /** Absent for a cluster-scoped object. */
  readonly namespace?: string;
  readonly name: string;
}

/** Some of the objects of a kind, in order. */
export interface ObjectPage {
  readonly items: readonly StateObject[];
  /** Objects that the query selects after these. */
  readonly remaining: number;
}

/** The inputs as the cluster keeps them. */
export interface StateView {
  readonly kinds: readonly KindNames[];
  /** `EPOCH.COUNT`. */
  revision(): string;
  summary(): StateSummary;
  /** @param kind a `kind` of {@linkcode kinds} */
  list(kind: string, query: PageQuery): ObjectPage;
  /** @param kind a `kind` of {@linkcode kinds} */
  get(kind: string, name: ObjectName): StateObject | undefined;
}

/** What the data plane serves. */
export interface ProxyView {
  /** The configuration that was applied last. */
  state(): ProxyState;
}

/** Why a status says what it says, or why that cannot be told. */
export type StatusAnswer =
  | { readonly ok: true; readonly explanation: StatusExplanation }
  | {
    readonly ok: false;
    readonly reason: "NotReady" | "NotFound" | "NoStatus";
    /** For a person. */
    readonly detail: string;
  };

/** Why things are as they are. */
export interface ExplainView {
  readonly kinds: readonly KindNames[];
  /**
   * Why the status of an object says what it says. Never rejects for a reason that lies in the
   * question.
   *
   * @param kind a `kind` of {@linkcode kinds}
   */
  status(kind: string, name: ObjectName): Promise<StatusAnswer>;
  /** Who would serve a request; undefined before the first configuration is computed. */
  request(question: RequestQuestion): RequestExplanation | undefined;
}

/** What is to be planned. */
export interface PlanQuestion {
  /** Manifests, YAML or JSON; may be empty. */
  readonly manifests: string;
  /** KIND/NAMESPACE/NAME, or KIND/NAME for a kind without namespaces. */
  readonly deletions: readonly string[];
}

/** Why there is no plan. */
export type PlanRefusal =
  | "NotReady"
  | "PlanInProgress"
  | "TooManyObjects"
  | "PlanTimeout"
  | "PlanTooLarge";

/** A plan, or why there is none. */
export type PlanAnswer =
  /** A `Plan` as JSON in UTF-8: it is made where it does not hold the event loop. */
  | { readonly ok: true; readonly plan: Uint8Array<ArrayBuffer> }
  | {
    readonly ok: false;
    readonly reason: PlanRefusal;
    /** For a person. */
    readonly detail: string;
  };

/** What would change. */
export interface PlanView {
  /**
   * Never rejects for a reason that lies in the question. Gives up and rejects with its reason when
   * `signal` aborts.
   */
  plan(question: PlanQuestion, signal: AbortSignal): Promise<PlanAnswer>;
}

/** Changes of the outputs, as they are made. */
export interface ChangesView {
  /**
   * Sends what came after the revision `since` and then everything that comes; the returned function
   * ends that. Sends an event `gap` first when `since` is not known any more.
   */
  follow(since: string | undefined, sink: EventSink): () => void;
}
