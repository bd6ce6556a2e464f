/** What one filter of a route comes to. */

import type { HttpFilter } from "../../dataplane/model.ts";
import type { Finding } from "./finding.ts";

/** See the file's header. Without a filter and a fault it does nothing and is left out. */
export interface CompiledFilter {
  readonly filter?: HttpFilter;
  /** Why the rule cannot be served as it is. */
  readonly fault?: Finding;
  /** Why its reference leads nowhere. */
  readonly unresolved?: Finding;
  /** Whether the requests that come to it are answered 500. */
  readonly isBarrier?: true;
}
