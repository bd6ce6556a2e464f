/**
 * What changed in the data plane's configuration, told of the objects that it comes from: Gateways
 * (addresses and what else is theirs), Gateways and ListenerSets (listeners), routes (matches and
 * streams in service), Services (endpoints, and how they are talked to), Secrets (certificates: what
 * every client sees of them, and a digest).
 *
 * Parts that kept their identity are passed over, so the cost is that of what changed. Pure and lazy:
 * who wants ten changes pays for ten.
 */

import { equal } from "../../base/equal.ts";
import type {
  Cluster,
  DataPlaneConfig,
  GatewayConfig,
  GatewayKey,
  Listener,
} from "../../dataplane/model.ts";
import { changedEntries, type Pair } from "./changed_entries.ts";
import { httpEntryChanges, streamEntryChanges } from "./entry_changes.ts";
import type { OutputChange } from "./output_change.ts";
import {
  backendFacts,
  certificateFacts,
  endpointFacts,
  gatewayFields,
  listenerFacts,
} from "./served_facts.ts";

/** Every change from `before` to `after`. */
export function* servedChanges(
  before: DataPlaneConfig,
  after: DataPlaneConfig,
): Generator<OutputChange> {
  if (before === after) return;
  for (const [key, config] of changedEntries(before.gateways, after.gateways)) {
    yield* gatewayChanges(key, config);
  }
  for (const [, cluster] of changedEntries(before.clusters, after.clusters)) {
    yield* clusterChanges(cluster);
  }
  for (const [key, certificate] of changedEntries(before.certificates, after.certificates)) {
    const [namespace = "", name = ""] = key.split("/");
    yield* change({ kind: "Secret", namespace, name, path: "certificate" }, {
      before: certificateFacts(certificate.before),
      after: certificateFacts(certificate.after),
    });
  }
}

type Place = Pick<OutputChange, "kind" | "namespace" | "name" | "path">;

function* change(
  place: Place,
  { before = null, after = null }: { readonly before?: unknown; readonly after?: unknown },
): Generator<OutputChange> {
  if (!equal(before, after)) yield { ...place, before, after };
}

function* clusterChanges({ before, after }: Pair<Cluster>): Generator<OutputChange> {
  const known = after ?? before;
  if (!known) return;
  const { origin: { kind, namespace, name }, port } = known;
  // Streams have clusters of their own, of the same port.
  const [, , , protocol] = known.name.split("/");
  const part = protocol === undefined ? `${port}` : `${port}/${protocol}`;
  const place = { kind, namespace, name };
  yield* change({ ...place, path: `endpoints[${part}]` }, {
    before: endpointFacts(before),
    after: endpointFacts(after),
  });
  yield* change({ ...place, path: `backend[${part}]` }, {
    before: backendFacts(before),
    after: backendFacts(after),
  });
}

function* gatewayChanges(
  key: GatewayKey,
  { before, after }: Pair<GatewayConfig>,
): Generator<OutputChange> {
  const [namespace = "", name = ""] = key.split("/");
  const place = { kind: "Gateway", namespace, name };
  yield* change({ ...place, path: "served.addresses" }, {
    before: before?.addresses ?? null,
    after: after?.addresses ?? null,
  });
  const [was, is] = [gatewayFields(before), gatewayFields(after)];
  for (const field of new Set([...Object.keys(was), ...Object.keys(is)])) {
    yield* change({ ...place, path: `served.${field}` }, { before: was[field], after: is[field] });
  }
  for (const [listener, pair] of changedEntries(byName(before), byName(after))) {
    yield* listenerChanges(key, listener, pair);
  }
}

function byName(config: GatewayConfig | undefined): ReadonlyMap<string, Listener> {
  return new Map(config?.listeners.map((listener) => [listener.name, listener]));
}

function* listenerChanges(
  gateway: GatewayKey,
  listener: string,
  { before, after }: Pair<Listener>,
): Generator<OutputChange> {
  const origin = (after ?? before)?.origin;
  if (!origin) return;
  const { kind, namespace, name } = origin;
  // A ListenerSet that moves to another Gateway leaves one and comes to the other.
  const place = kind === "Gateway" ? listener : `${gateway}/${listener}`;
  yield* change({ kind, namespace, name, path: `served.listeners[${place}]` }, {
    before: listenerFacts(before),
    after: listenerFacts(after),
  });
  const prefix = `served[${gateway}/${listener}]`;
  yield* httpEntryChanges(prefix, before?.routes ?? [], after?.routes ?? []);
  yield* streamEntryChanges(prefix, before?.streams ?? [], after?.streams ?? []);
}
