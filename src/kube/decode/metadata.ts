/**
 * The part of an object's metadata that the engine reads.
 *
 * `resourceVersion` and `managedFields` are left out on purpose: they move with every write of a
 * status, and nothing may depend on them.
 */

import * as v from "valibot";

const identity = {
  name: v.string(),
  uid: v.string(),
  creationTimestamp: v.string(),
  /** 0 for kinds without a spec. */
  generation: v.optional(v.number(), 0),
};

/** Metadata of a cluster-scoped object. */
export const clusterMetadataSchema = v.object(identity);

/** Metadata of a namespaced object. */
export const namespacedMetadataSchema = v.object({ ...identity, namespace: v.string() });

/** A selector of labels as in `metav1.LabelSelector`. */
export const labelSelectorSchema = v.object({
  matchLabels: v.optional(v.record(v.string(), v.string()), {}),
  matchExpressions: v.optional(
    v.array(v.object({
      key: v.string(),
      operator: v.string(),
      values: v.optional(v.array(v.string()), []),
    })),
    [],
  ),
});
