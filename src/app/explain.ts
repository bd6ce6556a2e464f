/** `weir explain`: an explanation over the world that manifests make, or a cluster has. */

import type { ExplainRequest, ExplainResult } from "../cli/context.ts";
import { RegexCache } from "../dataplane/regex.ts";
import { computeWorld, openWorld } from "./compute_world.ts";
import { askRunning } from "./ask_running.ts";
import { escapedSlashes } from "./escaped_slashes.ts";
import { openRunningApi } from "./running_api.ts";
import { toExplanation } from "./explain_view.ts";
import type { ReadCluster } from "./read_cluster_once.ts";

/**
 * Computes who would serve the request that is asked about, or asks a running weir.
 *
 * Rejects with an Error that names it when an input cannot be read, or nobody answers.
 */
export async function explainManifests(
  request: ExplainRequest,
  readCluster?: ReadCluster,
): Promise<ExplainResult> {
  const { question } = request;
  const running = await openRunningApi(request);
  if (running) return { explanation: await askRunning(running, question), problems: [] };
  const { world, settings } = await openWorld(request, request.settings, readCluster);
  const { outputs, problems } = await computeWorld(world, settings);
  const explanation = toExplanation({
    config: outputs.dataPlane,
    acknowledgements: new Map(),
    epoch: "0",
    escapedSlashes: escapedSlashes[settings.pathWithEscapedSlashes],
    regexes: new RegexCache(),
  }, question);
  return { explanation, problems };
}
