/**
 * References to parents, as routes and ListenerSets make them (Gateway API, ParentReference).
 *
 * They are kept exactly as they stand, without defaults, because statuses repeat them.
 */

import * as v from "valibot";
import type { Immutable } from "./decoded.ts";

const parentReferenceSchema = v.object({
  group: v.exactOptional(v.string()),
  kind: v.exactOptional(v.string()),
  namespace: v.exactOptional(v.string()),
  name: v.string(),
  sectionName: v.exactOptional(v.string()),
  port: v.exactOptional(v.number()),
});

/** `spec.parentRefs` of a route; none when the field is absent. */
const parentReferencesSchema = v.optional(v.array(parentReferenceSchema), []);

/** `spec.parentRef` of a ListenerSet (Gateway API, ParentGatewayReference). */
export const parentGatewayReferenceSchema = v.omit(parentReferenceSchema, ["sectionName", "port"]);

/** One entry of `spec.parentRefs`, without defaults. */
export type ParentReference = Immutable<v.InferOutput<typeof parentReferenceSchema>>;

/** How a route finds its parents: those it names, and whether it takes default Gateways (CommonRouteSpec). */
export const commonRouteEntries = {
  parentRefs: parentReferencesSchema,
  useDefaultGateways: v.exactOptional(v.string()),
};
