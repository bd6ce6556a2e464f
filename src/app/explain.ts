/** `weir explain`: an explanation over the world that the manifests make. */

import type { ExplainRequest, ExplainResult } from "../cli/context.ts";
import { RegexCache } from "../dataplane/regex.ts";
import { computeWorld, openWorld } from "./compute_world.ts";
import { askRunning } from "./ask_running.ts";
import { escapedSlashes } from "./escaped_slashes.ts";
import { toExplanation } from "./explain_view.ts";

/**
 * Computes who would serve the request that is asked about, or asks a running weir.
 *
 * Rejects with an Error that names it when an input cannot be read, or nobody answers.
 */
export async function explainManifests(request: ExplainRequest): Promise<ExplainResult> {
  const { inputs, settings, question, api } = request;
  if (api !== undefined) return { explanation: await askRunning(api, question), problems: [] };
  const { outputs, problems } = await computeWorld(await openWorld(inputs, settings), settings);
  const explanation = toExplanation({
    config: outputs.dataPlane,
    acknowledgements: new Map(),
    epoch: "0",
    escapedSlashes: escapedSlashes[settings.pathWithEscapedSlashes],
    regexes: new RegexCache(),
  }, question);
  return { explanation, problems };
}
