/**
 * What is known of the cluster that a fork starts from, besides its objects.
 *
 * Objects of a real cluster come back into a local one, which would otherwise treat a manifest as a
 * file: whole, and as old as time.
 */

import { type Clock, toTimestamp } from "../base/clock.ts";
import type { ApiBundle } from "../gateway/api_bundle.ts";
import { isRecord, type JsonRecord } from "../kube/json_value.ts";
import { type Kind, kindNames, kinds } from "../kube/kinds.ts";
import { keyOf, type KubeObject } from "../kube/object.ts";
import { bundledApiVersion } from "../localkube/admission/schema_file.ts";
import type { LocalCluster, ObjectInput, WriteResult } from "../localkube/store_contract.ts";
import type { LocalSourceOptions } from "./local_object_source.ts";
import { namedKey } from "../localkube/write_check.ts";
import { forwardTo } from "./forwarding_cluster.ts";

/** See the file's header. Crosses to another thread. */
export interface ForkBase {
  /** Whether the objects are those of a real cluster. */
  readonly isReal: boolean;
  /** The releases that its CRDs name; absent: they are not known. */
  readonly apiBundle?: ApiBundle;
  /** Kinds that the cluster does not have: nothing of them can be applied. */
  readonly absent: readonly Kind[];
  /** Whether Namespaces were read. If not, no selector of namespaces matches anything. */
  readonly hasNamespaces: boolean;
}

/** Weir's own cluster. */
export const localBase: ForkBase = {
  isReal: false,
  apiBundle: { versions: [bundledApiVersion] },
  absent: [],
  hasNamespaces: true,
};

/** How the engine of the fork reads the copy of such a cluster. */
export function sourceOptionsOf({ apiBundle, hasNamespaces }: ForkBase): LocalSourceOptions {
  return {
    ...apiBundle === undefined ? {} : { apiBundle },
    ...hasNamespaces ? {} : { hidden: new Set<Kind>(["Namespace"]) },
  };
}

/** `cluster` as a proposal is to see it: manifests are applied as `kubectl apply` would. */
export function proposalTarget(cluster: LocalCluster, base: ForkBase, clock: Clock): LocalCluster {
  if (!base.isReal) return cluster;
  return {
    ...forwardTo(cluster),
    apply(kind, object) {
      if (base.absent.some((absent) => absent === kind)) return noSuchKind(kind, object);
      const old = cluster.get(kind, namedKey(object));
      return cluster.apply(kind, asApplied(kind, object, old, clock));
    },
    delete(kind, key) {
      if (kind === "Namespace" && cluster.get(kind, key)) emptyNamespace(cluster, key);
      return cluster.delete(kind, key);
    },
  };
}

/** What is in a Namespace goes with it. */
function emptyNamespace(cluster: LocalCluster, name: string): void {
  for (const kind of kindNames) {
    for (const object of kinds[kind].namespaced ? cluster.list(kind, name).items : []) {
      cluster.delete(kind, keyOf(object));
    }
  }
}

/** In kubectl's words. */
function noSuchKind(kind: string, { apiVersion }: ObjectInput): WriteResult {
  const message = `no matches for kind "${kind}" in version "${apiVersion}": ` +
    "the cluster does not have the kind";
  return { ok: false, error: { code: 404, reason: "NotFound", message } };
}

/**
 * What the API server would store: the times are its own, and labels and annotations that the manifest
 * does not name stay, because somebody else may have set them. So does the address of a Service.
 */
function asApplied(
  kind: string,
  object: ObjectInput,
  old: KubeObject | undefined,
  clock: Clock,
): ObjectInput {
  const { labels, annotations, ...metadata } = object.metadata;
  const creationTimestamp = old?.metadata.creationTimestamp ?? toTimestamp(clock.now());
  return {
    ...object,
    ...kind === "Service" && old ? { spec: withAddress(object.spec, old.spec) } : {},
    metadata: {
      ...metadata,
      ...merged("labels", labels, old?.metadata.labels),
      ...merged("annotations", annotations, old?.metadata.annotations),
      creationTimestamp,
    },
  };
}

function merged(
  field: string,
  own: unknown,
  old: Readonly<Record<string, string>> | undefined,
): JsonRecord {
  // What is no map is for admission to refuse.
  if (old === undefined || (own !== undefined && own !== null && !isRecord(own))) {
    return own === undefined ? {} : { [field]: own };
  }
  return { [field]: { ...old, ...own } };
}

function withAddress(spec: unknown, old: unknown): unknown {
  if (!isRecord(spec) || !isRecord(old) || old.clusterIP === undefined) return spec;
  const isMoved = spec.type === "ExternalName" || old.type === "ExternalName";
  return isMoved || spec.clusterIP !== undefined ? spec : { ...spec, clusterIP: old.clusterIP };
}
