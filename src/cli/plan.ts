/** `weir plan`: what would change if manifests were applied. */

import type { Plan } from "../api/plan.ts";
import type { Settings } from "../config/flag.ts";
import type { ConfigFault } from "../config/given.ts";
import { type ClusterSource, clusterSource } from "./cluster_source.ts";
import { type CliContext, type Command, exitCodes } from "./context.ts";
import { loadSettings, printWarnings } from "./load_settings.ts";
import { toApiSettings } from "./api_flag.ts";
import { planFlags } from "./plan_flags.ts";
import { planText } from "./plan_text.ts";
import { printObject } from "./print_object.ts";
import { count, problemLine } from "./problem_lines.ts";
import { runComputation } from "./run_translation.ts";
import { usageError } from "./usage_error.ts";

/** See `weir help plan`. */
export const planCommand = {
  name: "plan",
  usage: "-f PATH [--against PATH|--kubeconfig FILE|--api URL] [flags]",
  description: [
    "Says what would change in statuses, routes, listeners, addresses, endpoints and certificates " +
    "if the manifests of -f were applied over those of --against. Nothing is applied.",
    "Under Traffic stand requests that would reach another backend than before, or none, one for " +
    "many of its kind.",
    "A change is worse when a condition turns bad, when a backend loses its last endpoint, when " +
    "clients would refuse a certificate, or when traffic of an object that is not in the proposal " +
    "is lost or goes elsewhere. Exits with 1 for what --fail-on names, and with 3 when a manifest " +
    "or deletion of the proposal is wrong.",
    "With --kubeconfig, --context or --in-cluster the manifests are applied over the objects of a " +
    "cluster, which is read once. Nothing is written to it.",
    "With --api a running weir plans over its own objects, with its own flags.",
  ],
  examples: [
    ["weir plan -f ./new --against ./live", "What would new files do to live ones:"],
    ["weir plan -f ./new --kubeconfig ~/.kube/config", "What would they do to a cluster:"],
    ["weir plan -f ./branch --against ./main --prune --fail-on=any", "Compare two branches:"],
    ["weir plan --against ./live --delete=HTTPRoute/shop/old", "What would a deletion do:"],
    ["weir plan -f ./new --api http://127.0.0.1:9080", "Ask a running weir:"],
  ],
  flags: planFlags,
  run: runPlan,
} as const satisfies Command;

async function runPlan(args: readonly string[], context: CliContext): Promise<number> {
  const { io } = context;
  const loaded = await loadSettings(
    planCommand,
    args,
    context,
    (argument) => `wanted "weir plan -f ${argument}" to read manifests`,
  );
  if (!loaded.ok) return loaded.exitCode;
  const { settings, warnings, origins } = loaded;
  const { filename: inputs, against, delete: deletions, prune: prunes, api } = settings;
  const source = clusterSource(settings, origins, [
    { flag: "--against", isGiven: against.length > 0 },
    { flag: "--api", isGiven: api !== undefined },
  ]);
  const faults = [...faultsOf(settings, source), ...source.faults];
  if (faults.length > 0) return usageError(context, "plan", faults);
  printWarnings(context, warnings);
  const computed = await runComputation(
    context,
    "plan",
    [...inputs, ...against],
    () =>
      context.app.plan({
        inputs,
        against,
        deletions,
        prunes,
        settings,
        ...(source.cluster === undefined ? {} : { cluster: source.cluster }),
        ...toApiSettings(settings),
      }),
  );
  if (!computed.ok) return computed.exitCode;
  const { plan, baseProblemCount } = computed.result;
  if (baseProblemCount > 0) {
    const problems = count(baseProblemCount, "problem");
    io.stderr.write(
      `--against has ${problems}, what they concern is not in the plan: weir check\n`,
    );
  }
  if (settings.output === "text") {
    for (const problem of plan.problems) io.stderr.write(problemLine(problem));
    io.stdout.write(planText(plan));
  } else {
    io.stdout.write(await printObject(plan, settings.output));
  }
  if (plan.problemCount > 0) return exitCodes.invalidInput;
  return fails(plan, settings.failOn) ? exitCodes.failed : exitCodes.ok;
}

function faultsOf(
  { filename, delete: deletions, against, api, prune }: Settings<typeof planFlags>,
  { cluster }: ClusterSource,
): readonly ConfigFault[] {
  const faults: ConfigFault[] = [];
  if (filename.length === 0 && deletions.length === 0) {
    const message = `proposes nothing, wanted "-f FILE", "-f DIR", "-f -" or "--delete=OBJECT"`;
    faults.push({ where: "-f", message });
  }
  if (api !== undefined && against.length > 0) {
    faults.push({ where: "--api", message: `is given beside "--against", wanted one of them` });
  }
  if (prune && (api !== undefined || cluster !== undefined)) {
    const base = cluster === undefined ? `beside "--api"` : "with a cluster";
    const message = `is given ${base}, wanted "--delete=OBJECT" for what would be deleted`;
    faults.push({ where: "--prune", message });
  }
  return faults;
}

function fails({ verdict }: Plan, failOn: "worse" | "any" | "none"): boolean {
  switch (failOn) {
    case "none":
      return false;
    case "any":
      return verdict !== "unchanged";
    case "worse":
      return verdict === "worse";
  }
}
