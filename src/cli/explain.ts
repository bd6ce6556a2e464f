/** `weir explain`: who would serve a request, or why a status is what it is. */

import type { RequestQuestion } from "../api/request_question.ts";
import type { InputProblem } from "../api/translate.ts";
import type { Settings } from "../config/flag.ts";
import type { ConfigFault, Origin } from "../config/given.ts";
import { type ClusterSource, clusterSource } from "./cluster_source.ts";
import { type CliContext, type Command, exitCodes, type ExplainRequest } from "./context.ts";
import { toApiSettings } from "./api_flag.ts";
import { explainFlags, requestFlagNames } from "./explain_flags.ts";
import { explanationText } from "./explanation_text.ts";
import { loadSettings, printWarnings } from "./load_settings.ts";
import { type ObjectWords, readObjectWords } from "./object_words.ts";
import { orderProblems } from "./ordered.ts";
import { printObject } from "./print_object.ts";
import { problemLine } from "./problem_lines.ts";
import { type Computed, runComputation } from "./run_translation.ts";
import { statusExplanationText } from "./status_explanation_text.ts";
import { usageError } from "./usage_error.ts";
import { defaultColumns } from "./wrap.ts";

/** See `weir help explain`. */
export const explainCommand = {
  name: "explain",
  usage: "-f PATH|--kubeconfig FILE|--api URL (--host HOST|KIND NAME)",
  description: [
    "With a host, says which listener, route, rule and backend of the manifests would serve a " +
    "request, with the filters that apply, and for every other candidate on the port what it lost " +
    "by. The request is not sent.",
    "With the name of an object, as in HTTPRoute shop/cart or httproute/cart -n shop, says for " +
    "each condition of its status why it is so: which objects and fields it follows from, and " +
    "which change altered it last.",
    "With --kubeconfig, --context or --in-cluster the objects of a cluster are read, once, instead " +
    "of manifests; nothing is written to it.",
    "With --api a running weir is asked, which answers from the configuration that it serves and " +
    "knows when what changed; flags that change what is computed from manifests do not count.",
  ],
  examples: [
    ["weir explain -f ./gateway --host shop.example.com --path /cart", "Who serves a page:"],
    [
      "weir explain -f ./gateway --host shop.example.com -X POST -o json",
      "For a program:",
    ],
    ["weir explain -f ./gateway HTTPRoute shop/cart", "Why is the status of a route so:"],
    [
      "weir explain --kubeconfig ~/.kube/config HTTPRoute shop/cart",
      "Why would weir give a route of a cluster this status:",
    ],
    [
      "weir explain --api http://127.0.0.1:9080 --host shop.example.com",
      "Ask a running weir:",
    ],
    [
      "weir explain --api http://127.0.0.1:9080 gateway/edge -n shop",
      "Ask it about a status, and since when it is so:",
    ],
  ],
  flags: explainFlags,
  run: runExplain,
} as const satisfies Command;

type ExplainCommandSettings = Settings<typeof explainFlags>;

/** What is asked. */
type Question = { readonly host: string } | { readonly object: ObjectWords };

async function runExplain(args: readonly string[], context: CliContext): Promise<number> {
  const loaded = await loadSettings(explainCommand, args, context, "taken");
  if (!loaded.ok) return loaded.exitCode;
  const { settings, warnings, origins } = loaded;
  const question = toQuestion(loaded.positionals, settings, origins);
  const { cluster, faults } = sourceOf(settings, origins);
  if (Array.isArray(question)) return usageError(context, "explain", [...question, ...faults]);
  if (faults.length > 0) return usageError(context, "explain", faults);
  printWarnings(context, warnings);
  const sources = {
    inputs: settings.filename,
    settings,
    ...cluster === undefined ? {} : { cluster },
    ...toApiSettings(settings),
  };
  const { app } = context;
  if ("host" in question) {
    const request = { ...sources, question: questionAbout(question.host, settings) };
    return await explain(request, context, () => app.explain(request), explanationText);
  }
  const request = { ...sources, object: question.object, namespace: settings.namespace };
  return await explain(request, context, () => app.explainStatus(request), statusExplanationText);
}

/** An object when one is named, else a request; or what is wrong. */
function toQuestion(
  positionals: readonly string[],
  { host }: ExplainCommandSettings,
  origins: ReadonlyMap<string, Origin>,
): Question | ConfigFault[] {
  const words = positionals[0] === "request" ? positionals.slice(1) : positionals;
  const isGiven = (flag: string): boolean => origins.get(flag)?.place === "flag";
  if (words.length === 0) {
    if (isGiven("namespace")) {
      const message = "has no part in a request, wanted an object, as in HTTPRoute shop/cart";
      return [{ where: "-n", message }];
    }
    if (host !== undefined) return { host };
    const message = "is not given, wanted the host of the request, or KIND NAMESPACE/NAME";
    return [{ where: "--host", message }];
  }
  const object = readObjectWords(words);
  if ("fault" in object) {
    const hint = `, or "weir explain --host ${words[0]}" to ask about a host`;
    return [{ where: "object", message: object.fault + (words.length === 1 ? hint : "") }];
  }
  const stray = requestFlagNames.filter(isGiven).map((flag) => ({
    where: `--${flag}`,
    message: `is of a request, and an object is named: wanted one of them`,
  }));
  return stray.length > 0 ? stray : { object };
}

/** Manifests, a cluster or a running weir, one of them. */
function sourceOf(
  settings: ExplainCommandSettings,
  origins: ReadonlyMap<string, Origin>,
): ClusterSource {
  const { filename: { length: inputCount }, api } = settings;
  if (inputCount > 0 && api !== undefined) {
    return { faults: [{ where: "--api", message: `is given beside "-f", wanted one of them` }] };
  }
  const source = clusterSource(settings, origins, [
    { flag: "-f", isGiven: inputCount > 0 },
    { flag: "--api", isGiven: api !== undefined },
  ]);
  const hasInput = inputCount > 0 || api !== undefined || source.cluster !== undefined;
  if (hasInput || source.faults.length > 0) return source;
  const message = `has no input, wanted "-f FILE", "-f DIR", "-f -", "--kubeconfig FILE" or ` +
    `"--api URL"`;
  return { faults: [{ where: "-f", message }] };
}

/** A request to the application with all settings of the command. */
type Asked<Request> = Request & { readonly settings: ExplainCommandSettings };

interface Explained<Explanation> {
  readonly explanation: Explanation;
  readonly problems: readonly InputProblem[];
}

/** Has the application explain, and prints what it says. */
async function explain<Explanation>(
  request: Asked<Pick<ExplainRequest, "inputs">>,
  context: CliContext,
  ask: () => Promise<Explained<Explanation>>,
  toText: (explanation: Explanation, width: number) => string,
): Promise<number> {
  const computed = await runComputation(context, "explain", request.inputs, ask);
  return await printAnswer(computed, request.settings, context, toText);
}

async function printAnswer<Explanation>(
  computed: Computed<Explained<Explanation>>,
  { output }: ExplainCommandSettings,
  { io }: CliContext,
  toText: (explanation: Explanation, width: number) => string,
): Promise<number> {
  if (!computed.ok) return computed.exitCode;
  const { explanation, problems } = computed.result;
  for (const problem of orderProblems(problems)) io.stderr.write(problemLine(problem));
  io.stdout.write(
    output === "text" || output === "table"
      ? toText(explanation, io.columns ?? defaultColumns)
      : await printObject(explanation, output),
  );
  return exitCodes.ok;
}

function questionAbout(
  host: string,
  { method, path, port, gateway, header: headers }: ExplainCommandSettings,
): RequestQuestion {
  return { method, host, path, port, headers, ...(gateway === undefined ? {} : { gateway }) };
}
