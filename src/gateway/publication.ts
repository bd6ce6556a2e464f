/**
 * New outputs, put together piece by piece from what a run changed: nobody sees them before the end.
 *
 * They share with the outputs before all that is equal. What was taken from the queries to make them
 * is put back when they are not published after all, and the next ones tell it.
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
import type { OpenChanges, ValueChange } from "../query/memo_table.ts";
import type { GatewayPart } from "./compute/gateway_part.ts";
import type { QueryView } from "./compute/query_view.ts";
import type { OutputChanges } from "./diff.ts";
import { MapDraft } from "./edit_map.ts";
import { byStatusKind, type ResolvedGateway, statusKinds } from "./outputs.ts";
import { keepDataPlane, type SortedOutputs } from "./sorted_outputs.ts";
import type { WantedNames } from "./wanted_names.ts";

/** What new outputs are made from. */
export interface PublicationSources {
  readonly revision: number;
  readonly previous: SortedOutputs;
  readonly view: QueryView;
  readonly partChanges: readonly ValueChange<ObjectKey, GatewayPart | undefined>[];
  readonly clusters: WantedNames<ClusterName, Cluster>;
  readonly certificates: WantedNames<CertificateName, Certificate>;
}

/** So many changes are put in at a time. */
const pieceMax = 512;

/** See the file's header. */
export class Publication {
  readonly #sources: PublicationSources;
  readonly #statuses;
  readonly #resolved: MapDraft<ObjectKey, ResolvedGateway>;
  readonly #gateways;
  readonly #clusters: MapDraft<ClusterName, Cluster>;
  readonly #certificates: MapDraft<CertificateName, Certificate>;
  readonly #open: Pick<OpenChanges<never, never>, "putBack">[] = [];

  constructor(sources: PublicationSources) {
    const { statuses, gateways, dataPlane } = sources.previous;
    this.#sources = sources;
    this.#statuses = byStatusKind((kind) => new MapDraft<ObjectKey, DesiredStatus>(statuses[kind]));
    this.#resolved = new MapDraft(gateways);
    this.#gateways = new MapDraft(dataPlane.gateways);
    this.#clusters = new MapDraft(dataPlane.clusters);
    this.#certificates = new MapDraft(dataPlane.certificates);
  }

  /** Takes the changes over; yields between two pieces. */
  *fill(): Generator<void> {
    const { revision, view, partChanges, clusters, certificates } = this.#sources;
    const stamp = (status: DesiredStatus) => ({ ...status, revision });
    for (const kind of statusKinds) {
      yield* this.#put(this.#statuses[kind], view.statuses[kind], stamp);
    }
    yield* this.#put(this.#resolved, view.resolvedGateways);
    const configs = partChanges.map(({ key, after }) => {
      const { namespace = "", name } = parseObjectKey(key);
      return { key: gatewayKey(namespace, name), after: after?.config };
    });
    this.#gateways.put(configs);
    yield* this.#put(this.#clusters, clusters);
    yield* this.#put(this.#certificates, certificates);
  }

  /** The queries tell again what was taken over. */
  putBack(): void {
    for (const open of this.#open) open.putBack();
  }

  /** The outputs, once they are filled, and how they differ from those before. */
  finish(): { readonly outputs: SortedOutputs; readonly changes: OutputChanges } {
    const { revision, previous } = this.#sources;
    const statuses = byStatusKind((kind) => this.#statuses[kind].edited);
    const resolved = this.#resolved.edited;
    const certificates = this.#certificates.edited;
    const dataPlane = keepDataPlane(previous.dataPlane, {
      revision,
      gateways: this.#gateways.edited.map,
      clusters: this.#clusters.edited.map,
      certificates: certificates.map,
    });
    return {
      outputs: {
        revision,
        statuses: byStatusKind((kind) => statuses[kind].map),
        dataPlane,
        gateways: resolved.map,
      },
      changes: {
        revision,
        statuses: byStatusKind((kind) => statuses[kind].keys),
        dataPlane: dataPlane !== previous.dataPlane,
        certificates: certificates.keys,
        gateways: resolved.keys,
      },
    };
  }

  *#put<Key extends string, Value extends NonNullable<unknown>>(
    draft: MapDraft<Key, Value>,
    source: ChangeSource<Key, Value>,
    convert: (value: Value) => Value = (value) => value,
  ): Generator<void> {
    if (!source.hasChanges) return;
    const open = source.openChanges();
    this.#open.push(open);
    let piece: { readonly key: Key; readonly after: Value | undefined }[] = [];
    for (const { key, after } of open) {
      piece.push({ key, after: after === undefined ? undefined : convert(after) });
      if (piece.length < pieceMax) continue;
      draft.put(piece);
      piece = [];
      yield;
    }
    draft.put(piece);
    yield;
  }
}

/** Queries, or names of them, that tell what changed. */
interface ChangeSource<Key extends string, Value> {
  readonly hasChanges: boolean;
  openChanges(): OpenChanges<Key, Value | undefined>;
}
