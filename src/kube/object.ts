/**
 * What every Kubernetes object has, and the key that names one.
 *
 * Identity is the uid: an object that was deleted and created again under the same name is another
 * object. Keys name places, not identities.
 */

import type { Brand } from "../base/brand.ts";

/** `namespace/name`, or `name` alone for a cluster-scoped object. Unique within one kind. */
export type ObjectKey = Brand<"ObjectKey">;

/** Metadata as weir keeps it. Times are RFC 3339; absent maps are absent, never empty. */
export interface ObjectMeta {
  readonly name: string;
  /** Absent for a cluster-scoped object. */
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion: string;
  /** Bumped by the API server when the spec changes. Kinds without a spec have none. */
  readonly generation?: number;
  readonly creationTimestamp: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Any object of the Kubernetes API: JSON with a type and metadata. Never mutated. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

/** The one constructor of {@linkcode ObjectKey}. */
export function objectKey(namespace: string | undefined, name: string): ObjectKey {
  return (namespace === undefined ? name : `${namespace}/${name}`) as ObjectKey;
}

/** The key of `object` within its kind. */
export function keyOf(object: { readonly metadata: ObjectMeta }): ObjectKey {
  return objectKey(object.metadata.namespace, object.metadata.name);
}

/** The one parser of {@linkcode ObjectKey}: names and namespaces cannot hold a slash. */
export function parseObjectKey(key: ObjectKey): { namespace: string | undefined; name: string } {
  const slash = key.indexOf("/");
  return slash < 0
    ? { namespace: undefined, name: key }
    : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
