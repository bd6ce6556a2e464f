/**
 * Outputs that follow their inputs, change by change.
 *
 * What has outputs is wanted: a status for each object, a configuration for each Gateway, and the
 * clusters and certificates that configurations name. A run verifies what became dirty of these, in
 * steps, and publishes at the end: one set of outputs that shares with the one before all that is
 * equal, and the keys of what is not. Its cost follows the number of changes, not of objects.
 */

import {
  type Certificate,
  type CertificateName,
  type Cluster,
  type ClusterName,
  gatewayKey,
} from "../dataplane/model.ts";
import type { DesiredStatus } from "../kube/desired_status.ts";
import { type ObjectKey, parseObjectKey } from "../kube/object.ts";
import { causeOf } from "../query/explain.ts";
import type { MemoTable, ValueChange } from "../query/memo_table.ts";
import { Recompute } from "../query/recompute.ts";
import type { GatewayPart } from "./compute/gateway_part.ts";
import { QueryView } from "./compute/query_view.ts";
import type { ComputeSettings } from "./compute/input_view.ts";
import { diffOutputs, type OutputChanges } from "./diff.ts";
import { type Edited, editMap, keepEqual } from "./edit_map.ts";
import type { Inputs } from "./inputs.ts";
import { byStatusKind, type Outputs, type StatusKind, statusKinds } from "./outputs.ts";
import { gatewayParent, type ParentKey, setParent } from "./parent_keys.ts";
import { isSameStatus } from "./same_status.ts";
import {
  keepDataPlane,
  noSortedOutputs,
  type SortedDataPlane,
  type SortedOutputs,
} from "./sorted_outputs.ts";
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
  #comings: readonly (readonly [StatusKind, ObjectKey])[] = [];
  #partChanges: readonly ValueChange<ObjectKey, GatewayPart | undefined>[] = [];
  #run: Recompute | undefined;
  #phase: "idle" | "objects" | "shadows" | "needed" = "idle";

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
    return this.#phase !== "idle";
  }

  /**
   * Works until all is up to date, or `isOver` says so, which is asked between queries. Undefined: it
   * is not done. What it returns at the end is published: getters and the next run go on from there.
   * What a query throws ends the run; nothing of it is published, and the next one takes it up.
   */
  step(isOver?: () => boolean): PublishedOutputs | undefined {
    try {
      if (this.#phase === "idle") this.#start();
      if (this.#phase === "objects") {
        if (!this.#run?.step(isOver)) return undefined;
        this.#applyShadows();
      }
      if (this.#phase === "shadows") {
        if (!this.#run?.step(isOver)) return undefined;
        this.#wantNeeded();
      }
      return this.#run?.step(isOver) ? this.#finish() : undefined;
    } catch (error) {
      this.cancel();
      throw error;
    }
  }

  /** Ends a run early; the next one takes up what it left. */
  cancel(): void {
    this.#run?.cancel();
    this.#phase = "idle";
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

  #start(): void {
    const comings = statusKinds.flatMap((kind) =>
      this.#inputs.takeComings(kind).map((key) => [kind, key] as const)
    );
    this.#comings = [...this.#comings, ...comings];
    for (const [kind, key] of comings) {
      for (const table of this.#tablesOf(kind)) table.want(key);
      const parent = parentOfKind(kind, key);
      if (parent !== undefined) this.#view.shadows.want(parent);
    }
    this.#phase = "objects";
    this.#run = new Recompute(this.#inputs.database);
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
    this.#phase = "shadows";
    this.#run = new Recompute(this.#inputs.database);
  }

  /** Clusters and certificates are wanted while a configuration names them. */
  #wantNeeded(): void {
    const changes = this.#view.parts.takeChanges();
    for (const { before, after } of changes) {
      this.#clusters.replace(before?.clusters, after?.clusters);
      this.#certificates.replace(before?.certificates, after?.certificates);
    }
    this.#partChanges = [...this.#partChanges, ...changes];
    this.#phase = "needed";
    this.#run = new Recompute(this.#inputs.database);
  }

  #finish(): PublishedOutputs {
    const previous = this.#outputs;
    const { revision } = this.#inputs;
    const view = this.#view;
    const statuses = byStatusKind((kind) => this.#editStatuses(kind, revision));
    const gateways = editMap(previous.gateways, view.resolvedGateways.takeChanges());
    const dataPlane = this.#editDataPlane(revision);
    this.#outputs = {
      revision,
      statuses: byStatusKind((kind) => statuses[kind].map),
      dataPlane: dataPlane.config,
      gateways: gateways.map,
    };
    this.#phase = "idle";
    this.#letGo();
    if (this.#replaced) return this.#replace(this.#replaced);
    const changes: OutputChanges = {
      revision,
      statuses: byStatusKind((kind) => statuses[kind].keys),
      dataPlane: dataPlane.config !== previous.dataPlane,
      certificates: dataPlane.certificates,
      gateways: gateways.keys,
    };
    return { outputs: this.#outputs, changes };
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
    return { outputs: next, changes: diffOutputs(previous, next) };
  }

  #editStatuses(kind: StatusKind, revision: number): Edited<ObjectKey, DesiredStatus> {
    const changes = this.#view.statuses[kind].takeChanges().map(({ key, before, after }) => ({
      key,
      before,
      after: after && { ...after, revision },
    }));
    return editMap(this.#outputs.statuses[kind], changes);
  }

  #editDataPlane(
    revision: number,
  ): {
    readonly config: SortedDataPlane;
    readonly certificates: readonly CertificateName[];
  } {
    const { dataPlane } = this.#outputs;
    const parts = this.#partChanges.map(({ key, after }) => {
      const { namespace = "", name } = parseObjectKey(key);
      return { key: gatewayKey(namespace, name), after: after?.config };
    });
    const gateways = editMap(dataPlane.gateways, parts);
    const clusters = this.#clusters.edit(dataPlane.clusters);
    const certificates = this.#certificates.edit(dataPlane.certificates);
    const config = keepDataPlane(dataPlane, {
      revision,
      gateways: gateways.map,
      clusters: clusters.map,
      certificates: certificates.map,
    });
    return { config, certificates: certificates.keys };
  }

  /** What is gone is told by now, and nothing asks about it any more. */
  #letGo(): void {
    for (const [kind, key] of this.#comings) {
      if (this.#inputs.has(kind, key)) continue;
      for (const table of this.#tablesOf(kind)) table.unwant(key);
      const parent = parentOfKind(kind, key);
      if (parent !== undefined) this.#view.shadows.unwant(parent);
    }
    this.#comings = [];
    this.#inputs.database.collect();
    for (const { key, after } of this.#partChanges) {
      if (!after) this.#inputs.dropAcknowledgement(key);
    }
    this.#partChanges = [];
  }
}

/** The parent that an object is, if it is one. */
function parentOfKind(kind: StatusKind, key: ObjectKey): ParentKey | undefined {
  if (kind === "Gateway") return gatewayParent(key);
  return kind === "ListenerSet" ? setParent(key) : undefined;
}
