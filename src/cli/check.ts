/** `weir check`: what is wrong with settings and manifests, and where. */

import type { InputProblem, TranslateResult } from "../api/translate.ts";
import { toPrintable } from "../base/printable.ts";
import { boolean, scalar } from "../config/flag.ts";
import { namesCluster } from "../config/cluster_flags.ts";
import { flags } from "../config/flags.ts";
import { enumType } from "../config/value_type.ts";
import { clusterCheckText, hasFailed } from "./cluster_check_text.ts";
import {
  type CliContext,
  type ClusterCheckLine,
  type ClusterCheckRequest,
  type Command,
  exitCodes,
} from "./context.ts";
import { loadSettings } from "./load_settings.ts";
import { orderResult } from "./ordered.ts";
import { filenameFlag } from "./output_flags.ts";
import { printObject } from "./print_object.ts";
import { count, problemLine } from "./problem_lines.ts";
import { runTranslation } from "./run_translation.ts";
import { badConditions, objectTitle } from "./status_view.ts";

const { "print-config": _printConfig, ...serveFlags } = flags;

const checkFlags = {
  filename: filenameFlag,
  output: scalar({
    group: "Output",
    short: "o",
    places: "flag",
    type: enumType(["text", "table", "json", "yaml"]),
    default: "text",
    help: "How the findings are printed; text and table are the same, for a person",
  }),
  strict: boolean({
    group: "Output",
    places: "flag",
    help: "Exit with 3 also when there are only warnings",
  }),
  ...serveFlags,
};

/** See `weir help check`. */
export const checkCommand = {
  name: "check",
  usage: "[-f FILE|DIR|-] [--kubeconfig FILE] [flags of weir serve]",
  description: [
    "Checks settings and manifests without serving anything. Problems are what weir would refuse; " +
    "warnings are valid objects whose status would say that something does not work, that nothing " +
    "serves because the Gateway or GatewayClass that they name is not there, or that work as " +
    "written and are probably not meant so: those have a code in brackets.",
    "With a cluster (--kubeconfig, --context, --in-cluster) it asks that one as well: whether it " +
    "answers and who we are to it, every right that weir needs, CRDs and their release, the " +
    "GatewayClass, addresses and ports of this machine, the clock. Each line that is not ok says " +
    "what to do. Nothing is changed.",
    "Takes every flag of weir serve, so a command line can be checked by changing the one word. " +
    "Exits with 1 when something of the cluster fails, with 2 for settings that are wrong, with 3 " +
    "for manifests that are wrong.",
  ],
  examples: [
    ["weir check -f ./gateway", "Check a folder of manifests:"],
    ["weir check --kubeconfig ~/.kube/config", "See whether a cluster is ready for weir:"],
    ["weir check --config weir.yaml", "Check a configuration file and the manifests it names:"],
  ],
  flags: checkFlags,
  run: runCheck,
} as const satisfies Command;

/** What was found. */
interface Findings {
  readonly problems: readonly InputProblem[];
  readonly warnings: readonly Warning[];
  /** Absent when no cluster was named. */
  readonly cluster?: readonly ClusterCheckLine[];
}

/** Something valid that will not work; `object` and `part` are empty for a setting. */
interface Warning {
  /** Of a diagnostic; absent for a condition of a status and for a setting. */
  readonly code?: string;
  readonly object: string;
  readonly part: string;
  readonly message: string;
}

async function runCheck(args: readonly string[], context: CliContext): Promise<number> {
  const loaded = await loadSettings(
    checkCommand,
    args,
    context,
    (argument) => `wanted "weir check -f ${argument}" to check manifests`,
  );
  if (!loaded.ok) return loaded.exitCode;
  const { settings } = loaded;
  const settingWarnings = loaded.warnings.map((message) => ({ object: "", part: "", message }));
  const inputs = settings.filename.length > 0 ? settings.filename : settings.manifests;
  let result: TranslateResult | undefined;
  if (inputs.length > 0) {
    const translation = await runTranslation(context, "check", { inputs, settings });
    if (!translation.ok) return translation.exitCode;
    result = orderResult(translation.result);
  }
  const findings: Findings = {
    problems: result?.problems ?? [],
    warnings: [
      ...settingWarnings,
      ...(result === undefined ? [] : emptinessWarnings(result)),
      ...(result?.unserved ?? []),
      ...(result?.statuses.flatMap(statusWarnings) ?? []),
      ...(result?.diagnostics ?? []),
    ],
    ...namesCluster(settings) ? { cluster: await checkCluster(context, settings) } : {},
  };
  if (settings.output === "json" || settings.output === "yaml") {
    context.io.stdout.write(await printObject(findings, settings.output));
  } else {
    printFindings(context, findings, result);
  }
  return exitCodeOf(findings, settings.strict);
}

/** Every line with its fields in one order. */
async function checkCluster(
  { app }: CliContext,
  settings: ClusterCheckRequest["settings"],
): Promise<readonly ClusterCheckLine[]> {
  const lines = await app.checkCluster({ settings });
  return lines.map(({ check, subject, result, message, advice }) => ({
    check,
    subject,
    result,
    message,
    ...advice === undefined ? {} : { advice },
  }));
}

/** What is wrong with manifests is told first: it is what the author can change. */
function exitCodeOf({ problems, warnings, cluster = [] }: Findings, isStrict: boolean): number {
  if (problems.length > 0 || (isStrict && warnings.length > 0)) return exitCodes.invalidInput;
  return hasFailed(cluster) ? exitCodes.failed : exitCodes.ok;
}

/** A wrong folder would pass for a right one. */
function emptinessWarnings({ statuses, unserved, problems }: TranslateResult): Warning[] {
  if (statuses.length + unserved.length + problems.length > 0) return [];
  const message = "among the manifests is no GatewayClass, Gateway or HTTPRoute that gets a status";
  return [{ object: "", part: "", message }];
}

function statusWarnings(status: TranslateResult["statuses"][number]): Warning[] {
  return badConditions(status).map(({ part, type, status: value, reason, message }) => ({
    object: objectTitle(status),
    part,
    message: `${type}=${value} ${reason}${message === "" ? "" : `: ${message}`}`,
  }));
}

function printFindings(
  context: CliContext,
  { problems, warnings, cluster }: Findings,
  result: TranslateResult | undefined,
): void {
  const { stdout } = context.io;
  if (cluster !== undefined) stdout.write(clusterCheckText(cluster));
  if (cluster !== undefined && result === undefined && warnings.length === 0) return;
  for (const problem of problems) stdout.write(problemLine(problem));
  for (const { object, part, message, code } of warnings) {
    const place = [object, part].filter((text) => text !== "").map((text) => `${text}: `).join("");
    const suffix = code === undefined ? "" : ` [${code}]`;
    stdout.write(`warning: ${toPrintable(place + message + suffix)}\n`);
  }
  if (problems.length > 0 || warnings.length > 0) {
    stdout.write(`${count(problems.length, "problem")}, ${count(warnings.length, "warning")}\n`);
    return;
  }
  const seen = result === undefined
    ? "the settings are right, no manifests were given"
    : `the settings are right, ${count(result.statuses.length, "object")} with a status in ` +
      count(result.gateways.length, "Gateway");
  stdout.write(`ok: ${seen}\n`);
}
