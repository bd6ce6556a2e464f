/** `weir translate`: manifests or a cluster in, statuses and data-plane configuration out. */

import { clusterSource } from "./cluster_source.ts";
import { type CliContext, type Command, exitCodes, type TranslateRequest } from "./context.ts";
import { loadSettings, printWarnings } from "./load_settings.ts";
import { runTranslation } from "./run_translation.ts";
import { orderResult } from "./ordered.ts";
import { printObject } from "./print_object.ts";
import { count, problemLine } from "./problem_lines.ts";
import { translateFlags } from "./translate_flags.ts";
import { usageError } from "./usage_error.ts";
import { defaultColumns } from "./wrap.ts";

/** See `weir help translate`. */
export const translateCommand = {
  name: "translate",
  usage: "-f PATH|--kubeconfig FILE [flags]",
  description: [
    "Computes what weir would serve from manifests, without serving it: the status of every " +
    "object, the Gateways with their listeners, and the configuration of the data plane.",
    "With --kubeconfig, --context or --in-cluster the objects of a cluster are read, once; nothing " +
    "is written to it.",
    "Objects that are wrong are listed as problems, the rest is still computed. The order of the " +
    "output is fixed, so two results can be compared. Values of Secrets are never printed.",
  ],
  examples: [
    ["weir translate -f ./gateway", "A summary of every Gateway and route:"],
    ["weir translate --kubeconfig ~/.kube/config", "What weir makes of a cluster:"],
    ["weir translate -f ./gateway --envoy", "What an Envoy would be given:"],
    ["kubectl kustomize . | weir translate -f - -o json --strict", "In CI, failing on problems:"],
  ],
  flags: translateFlags,
  run: runTranslate,
} as const satisfies Command;

async function runTranslate(args: readonly string[], context: CliContext): Promise<number> {
  const { io } = context;
  const loaded = await loadSettings(
    translateCommand,
    args,
    context,
    (argument) => `wanted "weir translate -f ${argument}" to read manifests`,
  );
  if (!loaded.ok) return loaded.exitCode;
  const { settings, warnings, origins } = loaded;
  const { filename: inputs } = settings;
  const { cluster, faults } = clusterSource(settings, origins, [
    { flag: "-f", isGiven: inputs.length > 0 },
  ]);
  if (faults.length > 0) return usageError(context, "translate", faults);
  if (inputs.length === 0 && cluster === undefined) {
    const message = `has no input, wanted "-f FILE", "-f DIR" or "-f -" for standard input, or ` +
      `"--kubeconfig FILE"`;
    return usageError(context, "translate", [{ where: "-f", message }]);
  }
  printWarnings(context, warnings);
  const request: TranslateRequest = {
    inputs,
    settings: settings.envoy ? { ...settings, dataPlane: "envoy" } : settings,
    ...settings.envoy ? { showsEnvoy: true } : {},
    ...cluster === undefined ? {} : { cluster },
  };
  const translation = await runTranslation(context, "translate", request);
  if (!translation.ok) return translation.exitCode;
  const result = orderResult(translation.result);
  const { envoy } = translation.result;
  if (envoy !== undefined) {
    io.stdout.write(await printObject(envoy, settings.output === "json" ? "json" : "yaml"));
    for (const problem of result.problems) io.stderr.write(problemLine(problem));
  } else if (settings.output === "json" || settings.output === "yaml") {
    // Diagnostics may depend on the time; what programs compare does not.
    const { diagnostics: _, ...printed } = result;
    io.stdout.write(await printObject(printed, settings.output));
  } else {
    const { translateTable } = await import("./translate_table.ts");
    const width = settings.output === "wide" ? undefined : io.columns ?? defaultColumns;
    io.stdout.write(translateTable(result, width));
    for (const problem of result.problems) io.stderr.write(problemLine(problem));
  }
  if (!settings.strict || result.problems.length === 0) return exitCodes.ok;
  io.stderr.write(`weir translate: ${count(result.problems.length, "problem")}\n`);
  return exitCodes.invalidInput;
}
