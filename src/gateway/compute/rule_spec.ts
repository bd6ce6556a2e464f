/** The one shape of rules that are compiled, whatever kind of route they come from. */

import type { HttpMatch } from "../../dataplane/model.ts";
import type { HTTPRouteRule } from "../../kube/decode/http_route.ts";

/** A rule in the shape of an HTTPRoute's; matches of other kinds are told as those of HTTP. */
export interface RuleSpec extends Omit<HTTPRouteRule, "matches"> {
  readonly matches: readonly HttpMatch[];
}
