/** A command's world in memory: what it writes is kept, what it reads and runs is given. */

import type { TranslateResult } from "../../src/api/translate.ts";
import type {
  CliContext,
  ClusterCheckLine,
  ClusterCheckRequest,
  ExplainRequest,
  ExplainResult,
  ExplainStatusRequest,
  ExplainStatusResult,
  InstallManifest,
  InstallRequest,
  PlanRequest,
  PlanResult,
  ServeRequest,
  TranslateRequest,
} from "../../src/cli/context.ts";

/** What a test decides about the world. */
export interface FakeCliOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly translate?: (request: TranslateRequest) => Promise<TranslateResult>;
  readonly plan?: (request: PlanRequest) => Promise<PlanResult>;
  readonly explain?: (request: ExplainRequest) => Promise<ExplainResult>;
  readonly checkCluster?: (request: ClusterCheckRequest) => Promise<readonly ClusterCheckLine[]>;
  readonly install?: (request: InstallRequest) => Promise<readonly InstallManifest[]>;
  readonly explainStatus?: (request: ExplainStatusRequest) => Promise<ExplainStatusResult>;
}

/** A context, and what a command did with it. */
export interface FakeCli extends CliContext {
  readonly served: ServeRequest[];
  readonly translated: TranslateRequest[];
  readonly explained: ExplainRequest[];
  readonly explainedStatuses: ExplainStatusRequest[];
  readonly planned: PlanRequest[];
  out(): string;
  err(): string;
}

/** A translation of nothing. */
export const emptyResult: TranslateResult = {
  revision: 1,
  statuses: [],
  gateways: [],
  proxy: {},
  unserved: [],
  problems: [],
  diagnostics: [],
};

/** Builds the world of one command. */
export function fakeCli(options: FakeCliOptions = {}): FakeCli {
  const served: ServeRequest[] = [];
  const translated: TranslateRequest[] = [];
  const explained: ExplainRequest[] = [];
  const explainedStatuses: ExplainStatusRequest[] = [];
  const planned: PlanRequest[] = [];
  const text = { out: "", err: "" };
  return {
    served,
    translated,
    explained,
    explainedStatuses,
    planned,
    out: () => text.out,
    err: () => text.err,
    version: { weir: "1.2.3", deno: "2.0.0", v8: "14.0", typescript: "6.0", target: "riscv-none" },
    io: {
      stdout: { isTerminal: false, write: (part) => void (text.out += part) },
      stderr: { isTerminal: false, write: (part) => void (text.err += part) },
      columns: options.columns,
      environment: () => options.environment ?? {},
      readTextFile(path) {
        const content = options.files?.[path];
        return content === undefined
          ? Promise.reject(new Error(`"${path}" cannot be read: there is no such file`))
          : Promise.resolve(content);
      },
    },
    app: {
      serve(request) {
        served.push(request);
        return Promise.resolve(0);
      },
      translate(request) {
        translated.push(request);
        return options.translate?.(request) ?? Promise.resolve(emptyResult);
      },
      explain(request) {
        explained.push(request);
        return options.explain?.(request) ?? Promise.reject(new Error("nothing is explained"));
      },
      explainStatus(request) {
        explainedStatuses.push(request);
        return options.explainStatus?.(request) ??
          Promise.reject(new Error("nothing is explained"));
      },
      plan(request) {
        planned.push(request);
        return options.plan?.(request) ?? Promise.reject(new Error("nothing is planned"));
      },
      checkCluster(request) {
        return options.checkCluster?.(request) ?? Promise.reject(new Error("no cluster is there"));
      },
      install(request) {
        return options.install?.(request) ?? Promise.reject(new Error("nothing is installed"));
      },
    },
  };
}

const gatewayApi = "gateway.networking.k8s.io/v1";

function condition(type: string, status: string, reason: string, message = "") {
  return { type, status, reason, message, observedGeneration: 1 };
}

/** A translation in the wrong order, with one of everything that output has to tell. */
export const mixedResult: TranslateResult = {
  revision: 7,
  statuses: [
    {
      apiVersion: gatewayApi,
      kind: "HTTPRoute",
      metadata: { namespace: "shop", name: "checkout-with-a-name-that-is-rather-long" },
      status: {
        parents: [{
          parentRef: { name: "web", sectionName: "https", kind: "Gateway" },
          controllerName: "weir.dev/gateway-controller",
          conditions: [
            condition("Accepted", "True", "Accepted"),
            condition("ResolvedRefs", "False", "BackendNotFound", 'Service "shop/none" is missing'),
          ],
        }],
      },
    },
    {
      apiVersion: gatewayApi,
      kind: "HTTPRoute",
      metadata: { namespace: "other", name: "stray" },
      status: { parents: [] },
    },
    {
      apiVersion: gatewayApi,
      kind: "Gateway",
      metadata: { name: "web", namespace: "shop" },
      status: {
        listeners: [
          {
            name: "http",
            attachedRoutes: 1,
            conditions: [condition("Conflicted", "False", "NoConflicts")],
          },
          {
            name: "https",
            attachedRoutes: 3,
            conditions: [
              condition("Conflicted", "True", "HostnameConflict", "the hostname is taken"),
            ],
          },
        ],
        conditions: [
          condition("Accepted", "True", "Accepted"),
          condition("Programmed", "Unknown", "Pending", "no data plane has answered"),
        ],
      },
    },
    {
      apiVersion: gatewayApi,
      kind: "GatewayClass",
      metadata: { name: "weir" },
      status: { conditions: [condition("Accepted", "True", "Accepted")] },
    },
  ],
  gateways: [{ namespace: "shop", name: "web", addresses: ["127.0.0.1"], listeners: [] }],
  proxy: { clusters: [], a: { z: 1, b: 2 } },
  unserved: [],
  problems: [
    { source: "b.yaml:10", object: "HTTPRoute shop/x", field: "spec.rules[0]", message: "bad\n" },
    { source: "b.yaml:2", object: "", field: "", message: "worse" },
  ],
  diagnostics: [{
    code: "RuleShadowed",
    object: "HTTPRoute shop/x",
    part: "rule 1",
    message: "It never serves: rule 0 of HTTPRoute shop/w comes first",
  }],
};
