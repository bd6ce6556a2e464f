/** Explanations of a running process: the view of the HTTP API over the engine's outputs. */

import type { Config } from "../config/flags.ts";
import { RegexCache } from "../dataplane/regex.ts";
import type { ExplainView } from "../http/views.ts";
import { escapedSlashes } from "./escaped_slashes.ts";
import { toExplanation } from "./explain_view.ts";
import type { GatewayMount } from "./gateway_mount.ts";

/** Makes the view. */
export function createExplainView(
  { engine: { state }, acknowledgements }: Pick<GatewayMount, "engine" | "acknowledgements">,
  config: Pick<Config, "pathWithEscapedSlashes">,
  epoch: string,
): ExplainView {
  const regexes = new RegexCache();
  return {
    request(question) {
      if (!state.hasPublished) return undefined;
      return toExplanation({
        config: state.outputs.dataPlane,
        acknowledgements,
        epoch,
        escapedSlashes: escapedSlashes[config.pathWithEscapedSlashes],
        regexes,
      }, question);
    },
  };
}
