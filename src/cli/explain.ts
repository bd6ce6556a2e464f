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
    "The request is not sent. With --api a running weir is asked, which answers from the " +
    "configuration that it serves; flags that change what is computed from manifests do not count.",
  ],
  examples: [
    ["weir explain -f ./gateway --host shop.example.com --path /cart", "Who serves a page:"],
    [
      "weir explain -f ./gateway --host shop.example.com -X POST -o json",
      "For a program:",
    ],
    [
      "weir explain --api http://127.0.0.1:9080 --host shop.example.com",
      "Ask a running weir:",
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
  const { filename: inputs, host, api } = settings;
  const faults = inputFaults(inputs, api);
  if (host === undefined) {
    faults.unshift({ where: "--host", message: "is not given, wanted the host of the request" });
  }
  if (host === undefined || faults.length > 0) return usageError(context, "explain", faults);
  printWarnings(context, warnings);
  const computed = await runComputation(
    context,
    "explain",
    inputs,
    () =>
      context.app.explain({
        inputs,
        settings,
        question: toQuestion(host, settings),
        ...(api === undefined ? {} : { api }),
      }),
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

/** Manifests or a running weir, one of them. */
function inputFaults(inputs: readonly string[], api: string | undefined): ConfigFault[] {
  if (inputs.length > 0 && api !== undefined) {
    return [{ where: "--api", message: `is given beside "-f", wanted one of them` }];
  }
  if (inputs.length > 0 || api !== undefined) return [];
  const message = `has no input, wanted "-f FILE", "-f DIR", "-f -" or "--api URL"`;
  return [{ where: "-f", message }];
}

function toQuestion(host: string, settings: Settings<typeof explainFlags>): RequestQuestion {
  const { method, path, port, gateway, header: headers } = settings;
  return { method, host, path, port, headers, ...(gateway === undefined ? {} : { gateway }) };
}
