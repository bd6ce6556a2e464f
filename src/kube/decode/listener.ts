/**
 * Listeners with the defaults of the API: those of a Gateway and the entries of a ListenerSet, which
 * have the same fields (Gateway API, Listener and ListenerEntry).
 */

import * as v from "valibot";
import { labelSelectorSchema } from "./metadata.ts";
import { secretReferenceSchema } from "./object_reference.ts";

const allowedRoutesSchema = v.object({
  kinds: v.optional(
    v.array(v.object({
      group: v.optional(v.string(), "gateway.networking.k8s.io"),
      kind: v.string(),
    })),
    [],
  ),
  namespaces: v.optional(
    v.object({
      from: v.optional(v.string(), "Same"),
      selector: v.exactOptional(labelSelectorSchema),
    }),
    {},
  ),
});

/** One listener. */
export const listenerSchema = v.object({
  name: v.string(),
  hostname: v.exactOptional(v.pipe(v.string(), v.toLowerCase())),
  port: v.number(),
  protocol: v.string(),
  tls: v.exactOptional(v.object({
    mode: v.optional(v.string(), "Terminate"),
    certificateRefs: v.optional(v.array(secretReferenceSchema), []),
    options: v.optional(v.record(v.string(), v.string()), {}),
  })),
  allowedRoutes: v.optional(allowedRoutesSchema, {}),
});
