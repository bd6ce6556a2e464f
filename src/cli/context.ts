/**
 * What a command is given: the terminal, and what the application can do.
 *
 * The command line owns these interfaces and the application fills them, so that no command imports
 * what it runs and every command is tested with plain objects.
 */

import type { RequestExplanation } from "../api/explain.ts";
import type { StatusExplanation } from "../api/explain_status.ts";
import type { Plan } from "../api/plan.ts";
import type { RequestQuestion } from "../api/request_question.ts";
import type { InputProblem, TranslateResult } from "../api/translate.ts";
import type { Logger } from "../base/log.ts";
import type { clusterFlags } from "../config/cluster_flags.ts";
import type { FlagTable, Settings } from "../config/flag.ts";
import type { Config } from "../config/flags.ts";
import type { ApiSettings } from "./api_flag.ts";
import type { ExplainSettings } from "./explain_flags.ts";
import type { InstallSettings } from "./install_flags.ts";
import type { ObjectWords } from "./object_words.ts";
import type { TranslateSettings } from "./translate_flags.ts";

/** The exit codes, which scripts rely on. */
export const exitCodes = {
  ok: 0,
  /** Something did not work. */
  failed: 1,
  /** The command line or the configuration is wrong. */
  usage: 2,
  /** The manifests are wrong. */
  invalidInput: 3,
} as const;

/** One of the two ways out of a command. */
export interface TextOutput {
  /**
   * Writes all of `text` before it returns. A reader that has gone away is no error.
   *
   * @throws {OutputError} when standard output cannot be written; standard error never throws
   */
  write(text: string): void;
  readonly isTerminal: boolean;
}

/** The world of a command. */
export interface CliIo {
  readonly stdout: TextOutput;
  readonly stderr: TextOutput;
  /** Columns of the terminal; undefined when there is none. */
  readonly columns: number | undefined;
  /** The variables that are set: all where all may be read, else at least those of `names`. */
  environment(names: Iterable<string>): Readonly<Record<string, string>>;
  /** Rejects with an Error that says why: missing, forbidden, larger than `bytesMax`. */
  readTextFile(path: string, bytesMax: number): Promise<string>;
}

/** Versions of what runs. */
export interface VersionInfo {
  readonly weir: string;
  readonly deno: string;
  readonly v8: string;
  readonly typescript: string;
  /** Operating system and processor, such as `x86_64-unknown-linux-gnu`. */
  readonly target: string;
}

/** What `weir serve` hands to the application. */
export interface ServeRequest {
  /** Checked and frozen. */
  readonly config: Config;
  /** The root logger of the process, configured. */
  readonly log: Logger;
}

/** The cluster that a command reads once, and how much of it. */
export type ClusterChoice = Settings<typeof clusterFlags>;

/** What `weir translate` and `weir check` hand to the application. */
export interface TranslateRequest {
  /** Files and folders; `-` is standard input. Empty when `cluster` is read. */
  readonly inputs: readonly string[];
  /** Read instead. */
  readonly cluster?: ClusterChoice;
  readonly settings: TranslateSettings;
  /** Whether the resources of Envoy are wanted too. */
  readonly showsEnvoy?: boolean;
}

/** What `weir check` of a cluster hands to the application: the settings of `weir serve`. */
export interface ClusterCheckRequest {
  readonly settings: Omit<Config, "printConfig">;
}

/** One thing that was looked at in a cluster. */
export interface ClusterCheckLine {
  /** What sort of thing: a stable word. */
  readonly check: ClusterCheckName;
  /** Which one, such as a resource or a port; empty where there is only one. */
  readonly subject: string;
  readonly result: "ok" | "warning" | "failed";
  readonly message: string;
  /** What to do; absent when all is well. */
  readonly advice?: string;
}

/** The sorts of things, in the order in which they are told. */
export type ClusterCheckName =
  | "credentials"
  | "server"
  | "identity"
  | "clock"
  | "permissions"
  | "crd"
  | "release"
  | "class"
  | "address"
  | "port";

/** What `weir explain` hands to the application. */
export interface ExplainRequest extends ApiSettings {
  /** Files and folders; `-` is standard input. Empty when another source is named. */
  readonly inputs: readonly string[];
  /** Read instead. */
  readonly cluster?: ClusterChoice;
  readonly settings: ExplainSettings;
  readonly question: RequestQuestion;
}

/** What `weir explain` gets back. */
export interface ExplainResult {
  readonly explanation: RequestExplanation;
  readonly problems: readonly InputProblem[];
}

/** What `weir explain KIND NAME` hands to the application. */
export interface ExplainStatusRequest extends Omit<ExplainRequest, "question"> {
  readonly object: ObjectWords;
  /** Of an object that was named without one, if its kind has namespaces. */
  readonly namespace: string;
}

/** What `weir explain KIND NAME` gets back. */
export interface ExplainStatusResult {
  readonly explanation: StatusExplanation;
  readonly problems: readonly InputProblem[];
}

/** What `weir plan` hands to the application; with `api` its objects are taken, not `against`. */
export interface PlanRequest extends ApiSettings {
  /** Files and folders that would be applied; `-` is standard input. */
  readonly inputs: readonly string[];
  /** Files and folders of what there is; empty: there is nothing. */
  readonly against: readonly string[];
  /** `KIND/NAMESPACE/NAME` of what would be deleted. */
  readonly deletions: readonly string[];
  /** Whether what is not in `inputs` would be deleted. */
  readonly prunes: boolean;
  /** Whose objects are taken, instead of `against`. */
  readonly cluster?: ClusterChoice;
  readonly settings: TranslateSettings;
}

/** What `weir plan` gets back. */
export interface PlanResult {
  readonly plan: Plan;
  /** Problems of what there is; what they concern is not in the plan. */
  readonly baseProblemCount: number;
}

/** What `weir install` hands to the application. */
export interface InstallRequest {
  readonly settings: InstallSettings & {
    readonly image: string;
    /** Secrets are read in these only; empty: where the other kinds are. */
    readonly secretNamespaces: readonly string[];
  };
  /** What the replicas are started with, from `serve` on. */
  readonly arguments: readonly string[];
  /** Where in the pod the HTTP API is. */
  readonly apiPort: number;
}

/** An object that `weir install` prints. */
export interface InstallManifest {
  /** Why it is there, for the person who reads before applying. */
  readonly comment: string;
  readonly object: Readonly<Record<string, unknown>>;
}

/** What the application can do; each loads what it needs when it is called. */
export interface CliApp {
  /** Serves until a signal; the exit code. */
  serve(request: ServeRequest): Promise<number>;
  /**
   * Computes what would be served. Problems of the input are in the result; rejects with an Error
   * when an input cannot be read at all.
   */
  translate(request: TranslateRequest): Promise<TranslateResult>;
  /** Looks at the cluster that the settings name; never rejects for what is wrong with it. */
  checkCluster(request: ClusterCheckRequest): Promise<readonly ClusterCheckLine[]>;
  /** Computes who would serve a request; problems and rejections as in `translate`. */
  explain(request: ExplainRequest): Promise<ExplainResult>;
  /**
   * Says why the status of an object is what it is; problems and rejections as in `translate`, and
   * rejects when there is no such kind or object.
   */
  explainStatus(request: ExplainStatusRequest): Promise<ExplainStatusResult>;
  /** Computes what would change; problems and rejections as in `translate`. */
  plan(request: PlanRequest): Promise<PlanResult>;
  /** The manifests of an installation, in the order in which they are applied. */
  install(request: InstallRequest): Promise<readonly InstallManifest[]>;
}

/** Everything that a command may use. */
export interface CliContext {
  readonly io: CliIo;
  readonly app: CliApp;
  readonly version: VersionInfo;
}

/** One command of `weir`. */
export interface Command {
  readonly name: string;
  /** Behind `weir NAME`, as in `-f FILE [flags]`. */
  readonly usage: string;
  /** Paragraphs for a person. */
  readonly description: readonly string[];
  /** Command lines that work, each with what it does. */
  readonly examples: readonly (readonly [commandLine: string, purpose: string])[];
  readonly flags: FlagTable;
  /** Takes the arguments behind the command's name; the exit code. */
  run(args: readonly string[], context: CliContext): Promise<number>;
}
