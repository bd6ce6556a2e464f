/** `weir plan --api`: the manifests of this side, planned over the objects of a running weir. */

import type { Plan } from "../api/plan.ts";
import type { InputProblem } from "../api/translate.ts";
import { systemClock } from "../base/clock.ts";
import type { PlanRequest } from "../cli/context.ts";
import { DenoFileSystem } from "../localkube/manifests/deno_file_system.ts";
import { ManifestReader, standardInput } from "../localkube/manifests/manifest_reader.ts";
import { defaultScanLimits } from "../localkube/manifests/manifests_loader.ts";
import { askRunningPlan } from "./ask_running.ts";
import { joinManifests, type ManifestText } from "./joined_manifests.ts";
import type { RunningApi } from "./running_api.ts";
import { readInputs } from "./read_inputs.ts";

/**
 * Asks that weir. What cannot be read here is a problem of the plan, as what is refused
 * there is; places in the text that was sent are told of the files.
 *
 * Rejects with an Error that names it when an input cannot be read at all, or nobody answers.
 */
export async function planRunning(running: RunningApi, request: PlanRequest): Promise<Plan> {
  const { texts, problems } = await readTexts(request);
  const joined = joinManifests(texts);
  const plan = await askRunningPlan(running, joined.text, request.deletions, systemClock);
  const here = [...problems, ...joined.problems];
  return {
    ...plan,
    problems: [...here, ...plan.problems.map(joined.locate)],
    problemCount: here.length + plan.problemCount,
  };
}

/** The texts of the inputs, in the order in which one of two definitions counts. */
async function readTexts(
  { inputs, settings: { maxManifestBytes } }: PlanRequest,
): Promise<
  { readonly texts: readonly ManifestText[]; readonly problems: readonly InputProblem[] }
> {
  const { standardInputText } = await readInputs(inputs, maxManifestBytes);
  const roots = inputs.flatMap((path, index) =>
    path === standardInput ? [] : [{ path, index, isNamed: inputs.length > 1 }]
  );
  const limits = { ...defaultScanLimits, fileBytesMax: maxManifestBytes };
  const reader = new ManifestReader(new DenoFileSystem(), roots, limits);
  const { reads, scan } = await reader.readAll(new Set(), new Map());
  const problems: InputProblem[] = [...scan?.problems ?? []];
  const texts: (ManifestText & { readonly rootIndex: number })[] = [];
  if (standardInputText !== undefined) {
    texts.push({ file: "-", text: standardInputText, rootIndex: inputs.indexOf(standardInput) });
  }
  for (const { path, place, result } of reads) {
    const file = place?.file ?? path;
    if (result.ok) texts.push({ file, text: result.value, rootIndex: place?.rootIndex ?? 0 });
    else {
      const message = `Read the file: ${result.detail}`;
      problems.push({ source: file, object: "", field: "", message });
    }
  }
  // Of one root they are in order already.
  texts.sort((a, b) => a.rootIndex - b.rootIndex);
  return { texts, problems };
}
