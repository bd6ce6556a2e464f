/** What each Envoy has, took, refused and waits for: for people, for statuses and for metrics. */

import {
  type EnvoyKind,
  envoyKinds,
  type EnvoyResource,
  type ResourceOrigin,
} from "../resources.ts";
import type { AdsStream } from "./ads_stream.ts";
import type { EnvoyNode } from "./delta_messages.ts";
import type { NodeRecord, Rejection } from "./node_record.ts";
import type { WorldRecord } from "./world_record.ts";

/** One kind on one stream, in numbers. */
export interface KindView {
  readonly kind: EnvoyKind;
  /** Resources that Envoy has. */
  readonly held: number;
  /** Sent and not answered yet. */
  readonly pending: number;
  /** To be sent, once that may be done. */
  readonly lacking: number;
  /** To be taken away, once that may be done. */
  readonly leaving: number;
  /** Refused answers since the stream began. */
  readonly nacks: number;
}

/** A resource of the world that an Envoy refuses. */
export interface RefusedResource {
  readonly kind: EnvoyKind;
  readonly name: string;
  readonly version: string;
  /** Envoy's words. */
  readonly message: string;
  readonly origins: readonly ResourceOrigin[];
  /** `earlier`: a version from before serves on. `nothing`: there never was one. */
  readonly serving: "earlier" | "nothing";
}

/** One Envoy. */
export interface NodeView {
  readonly node: EnvoyNode;
  readonly world: string;
  readonly streams: number;
  /** The newest revision that there is for it. */
  readonly revision: number;
  /** The newest revision of which everything is in service or refused; -1: none. */
  readonly settledRevision: number;
  /** Of the newest stream, in the order of {@linkcode envoyKinds}; empty without one. */
  readonly kinds: readonly KindView[];
  /** Sorted by kind and name. */
  readonly refused: readonly RefusedResource[];
}

/** The view of one node. `streams`: oldest first. */
export function computeNodeView(
  record: NodeRecord,
  world: WorldRecord,
  streams: readonly AdsStream[],
): NodeView {
  const newest = streams.at(-1);
  return {
    node: record.node,
    world: record.worldName,
    streams: streams.length,
    revision: world.world.revision,
    settledRevision: record.settledRevision,
    kinds: newest ? envoyKinds.map((kind) => computeKindView(newest, kind)) : [],
    refused: [...record.rejections(world)]
      .map((rejection) => computeRefused(rejection, record, world, newest))
      .sort((a, b) => placeOf(a) < placeOf(b) ? -1 : 1),
  };
}

function placeOf({ kind, name }: Pick<EnvoyResource, "kind" | "name">): string {
  return `${envoyKinds.indexOf(kind)} ${name}`;
}

function computeKindView({ states }: AdsStream, kind: EnvoyKind): KindView {
  const { heldCount, missing, nackCount, pending, removals, upserts } = states[kind];
  return {
    kind,
    held: heldCount,
    pending: pending?.names.size ?? 0,
    lacking: upserts.size,
    leaving: removals.size + missing.size,
    nacks: nackCount,
  };
}

function computeRefused(
  { message, resource }: Rejection,
  record: NodeRecord,
  world: WorldRecord,
  stream: AdsStream | undefined,
): RefusedResource {
  const { kind, name, origins, version } = resource;
  const target = record.target(world, kind, name).resource;
  const hasEarlier = target !== undefined && target.version !== version ||
    stream?.states[kind].heldVersion(name) !== undefined;
  return { kind, name, version, message, origins, serving: hasEarlier ? "earlier" : "nothing" };
}
