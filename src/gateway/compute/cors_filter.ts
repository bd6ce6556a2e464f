/** The CORS filter (GEP-1767), from the API's shape to the data plane's. */

import type { CorsPolicy } from "../../dataplane/http_filters.ts";
import type { HTTPRouteFilter } from "../../kube/decode/http_filter.ts";

/**
 * What `cors` allows. `*` swallows what stands beside it, except among exposed headers, where names
 * are needed when credentials are allowed.
 */
export function compileCors(cors: NonNullable<HTTPRouteFilter["cors"]>): CorsPolicy {
  return {
    allowOrigins: [...new Set(aloneIfAny(cors.allowOrigins.map(normalizeOrigin)))],
    allowMethods: aloneIfAny(cors.allowMethods),
    allowHeaders: aloneIfAny(cors.allowHeaders),
    exposeHeaders: cors.exposeHeaders,
    allowCredentials: cors.allowCredentials,
    maxAgeSeconds: cors.maxAge,
  };
}

function aloneIfAny(values: readonly string[]): readonly string[] {
  return values.includes("*") ? ["*"] : values;
}

/** As a browser writes an origin: in lower case, and without the port that its scheme implies. */
function normalizeOrigin(origin: string): string {
  return origin.toLowerCase().replace(/^(http:.*):80$|^(https:.*):443$/, "$1$2");
}
