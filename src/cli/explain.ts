/** `weir explain`: who would serve a request, and why nobody else. */

import type { RequestQuestion } from "../api/request_question.ts";
import type { Settings } from "../config/flag.ts";
import type { ConfigFault } from "../config/given.ts";
import { type CliContext, type Command, exitCodes } from "./context.ts";
import { explainFlags } from "./explain_flags.ts";
import { explanationText } from "./explanation_text.ts";
import { loadSettings, printWarnings } from "./load_settings.ts";
import { orderProblems } from "./ordered.ts";
import { printObject } from "./print_object.ts";
import { problemLine } from "./problem_lines.ts";
import { runComputation } from "./run_translation.ts";
import { usageError } from "./usage_error.ts";
import { defaultColumns } from "./wrap.ts";

/** See `weir help explain`. */
export const explainCommand = {
  name: "explain",
  usage: "[request] -f FILE|DIR|- --host HOST [--path PATH] [flags]",
  description: [
    "Says which listener, route, rule and backend of the manifests would serve a request, with " +
    "the filters that apply, and for every other candidate on the port what it lost by.",
    "Nothing is sent. A running weir answers the same at /api/v1/explain/request.",
  ],
  examples: [
    ["weir explain -f ./gateway --host shop.example.com --path /cart", "Who serves a page:"],
    [
      "weir explain -f ./gateway --host shop.example.com -X POST -o json",
      "For a program:",
    ],
  ],
  flags: explainFlags,
  run: runExplain,
} as const satisfies Command;

async function runExplain(args: readonly string[], context: CliContext): Promise<number> {
  const { io } = context;
  const loaded = await loadSettings(
    explainCommand,
    args[0] === "request" ? args.slice(1) : args,
    context,
    (argument) => `wanted "weir explain --host ${argument}" to ask about a host`,
  );
  if (!loaded.ok) return loaded.exitCode;
  const { settings, warnings } = loaded;
  const { filename: inputs, host } = settings;
  if (host === undefined || inputs.length === 0) {
    return usageError(context, "explain", missing(host, inputs));
  }
  printWarnings(context, warnings);
  const computed = await runComputation(
    context,
    "explain",
    inputs,
    () => context.app.explain({ inputs, settings, question: toQuestion(host, settings) }),
  );
  if (!computed.ok) return computed.exitCode;
  const { explanation, problems } = computed.result;
  for (const problem of orderProblems(problems)) io.stderr.write(problemLine(problem));
  io.stdout.write(
    settings.output === "text"
      ? explanationText(explanation, io.columns ?? defaultColumns)
      : await printObject(explanation, settings.output),
  );
  return exitCodes.ok;
}

function missing(host: string | undefined, inputs: readonly string[]): readonly ConfigFault[] {
  const faults: ConfigFault[] = [];
  if (host === undefined) {
    faults.push({ where: "--host", message: "is not given, wanted the host of the request" });
  }
  if (inputs.length === 0) {
    const message = `has no input, wanted "-f FILE", "-f DIR" or "-f -" for standard input`;
    faults.push({ where: "-f", message });
  }
  return faults;
}

function toQuestion(host: string, settings: Settings<typeof explainFlags>): RequestQuestion {
  const { method, path, port, gateway, header: headers } = settings;
  return { method, host, path, port, headers, ...(gateway === undefined ? {} : { gateway }) };
}
