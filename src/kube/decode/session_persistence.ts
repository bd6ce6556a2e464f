/** Session persistence of a rule with the defaults of the API (GEP-1619), for HTTP and gRPC. */

import * as v from "valibot";
import type { Immutable } from "./decoded.ts";
import { durationMs } from "./duration.ts";

/** See the file's header. The timeout is in milliseconds. */
export const sessionPersistenceSchema = v.object({
  sessionName: v.exactOptional(v.string()),
  absoluteTimeout: v.exactOptional(durationMs),
  type: v.optional(v.picklist(["Cookie", "Header"]), "Cookie"),
  cookieConfig: v.exactOptional(v.object({
    lifetimeType: v.optional(v.picklist(["Permanent", "Session"]), "Session"),
  })),
});

/** Session persistence as the engine reads it. */
export type SessionPersistenceSpec = Immutable<v.InferOutput<typeof sessionPersistenceSchema>>;
