/** The schemas that the local cluster's API tells and merges by, parsed once for all that ask. */

import { Re2Patterns } from "../localkube/admission/re2_patterns.ts";
import { SchemaCatalog } from "../localkube/admission/schema_catalog.ts";
import type { KubeApiOptions } from "../localkube/api/kube_api.ts";

/** See the file's header. */
export type LocalSchemas = KubeApiOptions["schemas"];

/** Makes them. Nothing is parsed before it is asked for. */
export function createLocalSchemas(): LocalSchemas {
  const catalog = new SchemaCatalog("experimental", new Re2Patterns());
  return (apiVersion, kind) => catalog.find(apiVersion, kind)?.root;
}
