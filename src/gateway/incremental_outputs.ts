/**
 * Outputs that follow their inputs, change by change.
 *
 * What has outputs is wanted: a status for each object, a configuration for each Gateway, and the
 * clusters and certificates that configurations name. A run verifies what became dirty of these, in
 * steps, and publishes at the end: one set of outputs that shares with the one before all that is
 * equal, and the keys of what is not. Its cost follows the number of changes, not of objects.
 */

import type {
  Certificate,
  CertificateName,
  Cluster,
  ClusterName,
  GatewayKey,
} from "../dataplane/model.ts";
import { type ObjectKey, objectKey } from "../kube/object.ts";
import { causeOf } from "../query/explain.ts";
import type { MemoTable, ValueChange } from "../query/memo_table.ts";
import { Recompute } from "../query/recompute.ts";
import type { GatewayPart } from "./compute/gateway_part.ts";
import { QueryView } from "./compute/query_view.ts";
import type { ComputeSettings } from "./compute/input_view.ts";
import { diffOutputs, type OutputChanges } from "./diff.ts";
import { keepEqual } from "./edit_map.ts";
import type { Inputs } from "./inputs.ts";
import { byStatusKind, type Outputs, type StatusKind, statusKinds } from "./outputs.ts";
import { gatewayParent, type ParentKey, setParent } from "./parent_keys.ts";
import { Publication } from "./publication.ts";
import { isSameStatus } from "./same_status.ts";
import { keepDataPlane, noSortedOutputs, type SortedOutputs } from "./sorted_outputs.ts";
import { WantedNames } from "./wanted_names.ts";

/** What a run led to. */
export interface PublishedOutputs {
  readonly outputs: Outputs;
  readonly changes: OutputChanges;
}

/** See the file's header. */
export class IncrementalOutputs {
  readonly #inputs: Inputs;
  readonly #settings: ComputeSettings;
  #view: QueryView;
  #clusters: WantedNames<ClusterName, Cluster>;
  #certificates: WantedNames<CertificateName, Certificate>;
  /** What was published before everything was started over. */
  #replaced: SortedOutputs | undefined;
  #outputs = noSortedOutputs;
  /** The objects that came or went, and are (not) wanted from this run on. */
  #comings: (readonly [StatusKind, ObjectKey])[] = [];
  #partChanges: readonly ValueChange<ObjectKey, GatewayPart | undefined>[] = [];
  /** The run that is under way. */
  #run: Generator<void, PublishedOutputs | undefined> | undefined;
  #isOver: () => boolean = never;

  constructor(inputs: Inputs, settings: ComputeSettings) {
    this.#inputs = inputs;
    this.#settings = settings;
    this.#view = new QueryView(inputs, settings);
    this.#clusters = new WantedNames(this.#view.clusters);
    this.#certificates = new WantedNames(this.#view.certificates);
  }

  /** The queries, for explain and check mode. */
  get view(): QueryView {
    return this.#view;
  }

  /** The outputs as last published. */
  get outputs(): Outputs {
    return this.#replaced ?? this.#outputs;
  }

  /** Whether a run is under way; until it is done the inputs must not change. */
  get isRunning(): boolean {
    return this.#run !== undefined;
  }

  /**
   * Works until all is up to date, or `isOver` says so, which is asked now and then. Undefined: it is
   * not done. What it returns at the end is published: getters and the next run go on from there.
   * What a query throws ends the run; nothing of it is published, and the next one takes it up.
   */
  step(isOver: () => boolean = never): PublishedOutputs | undefined {
    this.#isOver = isOver;
    this.#run ??= this.#work();
    try {
      const { value, done } = this.#run.next();
      if (!done) return undefined;
      this.#run = undefined;
      return value ?? undefined;
    } catch (error) {
      this.#run = undefined;
      throw error;
    }
  }

  /** Ends a run early; the next one takes up what it left. */
  cancel(): void {
    this.#run?.return(undefined);
    this.#run = undefined;
  }

  /**
   * Forgets every memo; the next run computes all anew and tells what is different from what was
   * published. Not while a run is under way.
   */
  startOver(): void {
    this.cancel();
    this.#view.unwantAll();
    this.#inputs.shadows.clear();
    this.#inputs.database.collect();
    this.#view = new QueryView(this.#inputs, this.#settings);
    this.#clusters = new WantedNames(this.#view.clusters);
    this.#certificates = new WantedNames(this.#view.certificates);
    this.#replaced ??= this.#outputs;
    this.#outputs = noSortedOutputs;
    this.#partChanges = [];
    this.#comings = [];
    for (const kind of statusKinds) this.#inputs.noteAllComings(kind);
  }

  /** One run; yields when the time of a step is used up. */
  *#work(): Generator<void, PublishedOutputs | undefined> {
    yield* this.#wantComings();
    yield* this.#recompute();
    this.#applyShadows();
    yield* this.#recompute();
    this.#wantNeeded();
    yield* this.#recompute();
    return yield* this.#publish();
  }

  *#recompute(): Generator<void> {
    const run = new Recompute(this.#inputs.database);
    try {
      while (!run.step(this.#isOver)) yield;
    } finally {
      run.cancel();
    }
  }

  /** Those of a run that was ended early are wanted again. */
  *#wantComings(): Generator<void> {
    for (const kind of statusKinds) {
      for (const key of this.#inputs.takeComings(kind)) this.#comings.push([kind, key]);
    }
    let count = 0;
    for (const [kind, key] of this.#comings) {
      for (const table of this.#tablesOf(kind)) table.want(key);
      const parent = parentOfKind(kind, key);
      if (parent !== undefined) this.#view.shadows.want(parent);
      if (++count % askedEach === 0 && this.#isOver()) yield;
    }
  }

  #tablesOf(kind: StatusKind): readonly Pick<MemoTable<ObjectKey, unknown>, "want" | "unwant">[] {
    const { statuses, parts, resolvedGateways } = this.#view;
    const status = statuses[kind];
    return kind === "Gateway" ? [status, parts, resolvedGateways] : [status];
  }

  /** Statuses that are told of shadows follow the routes of their parents, which are known now. */
  #applyShadows(): void {
    const { shadows } = this.#view;
    for (const change of shadows.takeChanges()) {
      this.#inputs.shadows.apply(change, causeOf(shadows, change.key)?.atMs ?? 0);
    }
  }

  /** Clusters and certificates are wanted while a configuration names them. */
  #wantNeeded(): void {
    const changes = this.#view.parts.takeChanges();
    for (const { before, after } of changes) {
      this.#clusters.replace(before?.clusters, after?.clusters);
      this.#certificates.replace(before?.certificates, after?.certificates);
    }
    this.#partChanges = [...this.#partChanges, ...changes];
  }

  *#publish(): Generator<void, PublishedOutputs> {
    const publication = new Publication({
      revision: this.#inputs.revision,
      previous: this.#outputs,
      view: this.#view,
      partChanges: this.#partChanges,
      clusters: this.#clusters,
      certificates: this.#certificates,
    });
    let isPublished = false;
    try {
      for (const _ of publication.fill()) if (this.#isOver()) yield;
      this.#letGo();
      while (!this.#inputs.database.collect(this.#isOver)) yield;
      const published = publication.finish();
      isPublished = true;
      this.#outputs = published.outputs;
      this.#forgetTold();
      return this.#replaced ? this.#replace(this.#replaced) : published;
    } finally {
      if (!isPublished) publication.putBack();
    }
  }

  /** Costs what all outputs cost; only after {@linkcode IncrementalOutputs.startOver}. */
  #replace(previous: SortedOutputs): PublishedOutputs {
    this.#replaced = undefined;
    const { revision, statuses, dataPlane, gateways } = this.#outputs;
    const next: SortedOutputs = {
      revision,
      statuses: byStatusKind((kind) =>
        keepEqual(previous.statuses[kind], statuses[kind], isSameStatus)
      ),
      dataPlane: keepDataPlane(previous.dataPlane, {
        revision,
        gateways: keepEqual(previous.dataPlane.gateways, dataPlane.gateways),
        clusters: keepEqual(previous.dataPlane.clusters, dataPlane.clusters),
        certificates: keepEqual(previous.dataPlane.certificates, dataPlane.certificates),
      }),
      gateways: keepEqual(previous.gateways, gateways),
    };
    this.#outputs = next;
    // The parts were new to this view, so that it was told of none that left.
    for (const { key } of previous.dataPlane.gateways.values()) {
      if (!next.dataPlane.gateways.has(key)) this.#inputs.dropAcknowledgement(toObjectKey(key));
    }
    return { outputs: next, changes: diffOutputs(previous, next) };
  }

  /** Nothing asks any more about what is gone. */
  #letGo(): void {
    for (const [kind, key] of this.#comings) {
      if (this.#inputs.has(kind, key)) continue;
      for (const table of this.#tablesOf(kind)) table.unwant(key);
      const parent = parentOfKind(kind, key);
      if (parent !== undefined) this.#view.shadows.unwant(parent);
    }
    this.#clusters.letGo();
    this.#certificates.letGo();
  }

  #forgetTold(): void {
    this.#comings = [];
    this.#clusters.forgetDropped();
    this.#certificates.forgetDropped();
    for (const { key, after } of this.#partChanges) {
      if (!after) this.#inputs.dropAcknowledgement(key);
    }
    this.#partChanges = [];
  }
}

function toObjectKey(gateway: GatewayKey): ObjectKey {
  const [namespace = "", name = ""] = gateway.split("/");
  return objectKey(namespace, name);
}

/** To want an object costs less than to ask for the time. */
const askedEach = 64;

function never(): boolean {
  return false;
}

/** The parent that an object is, if it is one. */
function parentOfKind(kind: StatusKind, key: ObjectKey): ParentKey | undefined {
  if (kind === "Gateway") return gatewayParent(key);
  return kind === "ListenerSet" ? setParent(key) : undefined;
}
