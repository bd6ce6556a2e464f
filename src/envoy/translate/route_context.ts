/** What a route depends on besides its entry. */

import type { ClusterName } from "../../dataplane/model.ts";
import type { RegexCache } from "../../dataplane/regex.ts";
import type { RedirectPlace } from "./route_redirect.ts";

/** See the file's header. */
export interface RouteContext {
  readonly place: RedirectPlace;
  readonly regexes: RegexCache;
  /** The cluster with the endpoints of all backends, where the entry needs one. */
  readonly mergedCluster?: string;
  /** The name in Envoy; of a reference that is invalid, that of a cluster that is never defined. */
  readonly clusterNameOf: (cluster: ClusterName | undefined) => string;
}
