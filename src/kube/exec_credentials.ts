/**
 * Credentials of a plugin: a program that prints an ExecCredential of `client.authentication.k8s.io`
 * (v1 or v1beta1).
 *
 * It is run when a credential is needed, and again when the last one expires or was refused. It gets
 * no terminal, has a time limit and a limit of output; what it prints goes nowhere else. Many callers
 * at the same time share one run, and a plugin that fails is not run again at once.
 */

import { Buffer } from "node:buffer";
import * as v from "valibot";
import type { Clock } from "../base/clock.ts";
import { toPrintable } from "../base/printable.ts";
import { AccessError, type ClusterIdentity, type Credentials } from "./cluster_access.ts";
import { ClusterError } from "./cluster_error.ts";
import { checkHeader } from "./file_credentials.ts";
import type { ClusterEntry, ExecConfig } from "./kubeconfig.ts";
import { type Issued, SharedRenewal } from "./shared_renewal.ts";

/** Runs a program to its end. */
export type RunProgram = (run: {
  readonly command: string;
  readonly args: readonly string[];
  /** On top of the environment of this process. */
  readonly env: Readonly<Record<string, string>>;
  readonly outputBytesMax: number;
  readonly timeoutMs: number;
}) => Promise<{ readonly code: number; readonly stdout: string }>;

/** How the credentials are built. */
export interface ExecCredentialsOptions {
  readonly exec: ExecConfig;
  readonly cluster: ClusterEntry;
  /** What does not come from the plugin: authorities, for the server and in the plugin's input. */
  readonly base: Credentials;
  readonly run: RunProgram;
  readonly clock: Clock;
}

const group = "client.authentication.k8s.io";
const versions: ReadonlySet<string> = new Set([`${group}/v1`, `${group}/v1beta1`]);

const timeoutMs = 60_000;
const outputBytesMax = 1 << 20;

const credentialSchema = v.object({
  apiVersion: v.string(),
  kind: v.literal("ExecCredential"),
  status: v.object({
    token: v.nullish(v.string(), ""),
    clientCertificateData: v.nullish(v.string(), ""),
    clientKeyData: v.nullish(v.string(), ""),
    expirationTimestamp: v.nullish(v.string(), ""),
  }),
});

type PluginIdentity = Omit<ClusterIdentity, "ca">;

/** See the file's header. */
export class ExecCredentials implements Credentials {
  readonly #options: ExecCredentialsOptions;
  readonly #renewal: SharedRenewal<PluginIdentity>;

  /** @throws AccessError when the plugin's configuration is one that cannot work here */
  constructor(options: ExecCredentialsOptions) {
    this.#options = options;
    this.#renewal = new SharedRenewal(options.clock, () => this.#renew());
    const { apiVersion, interactiveMode, command } = options.exec;
    if (!versions.has(apiVersion)) {
      throw new AccessError(
        `Cannot run credential plugin "${command}": its apiVersion is "${apiVersion}", ` +
          `wanted one of ${[...versions].join(", ")}`,
      );
    }
    if (interactiveMode === "Always") {
      throw new AccessError(
        `Cannot run credential plugin "${command}": it wants a terminal (interactiveMode Always)`,
      );
    }
  }

  async identity(signal: AbortSignal): Promise<ClusterIdentity> {
    const { ca } = await this.#options.base.identity(signal);
    const identity = await this.#renewal.current();
    return ca === undefined ? identity : { ...identity, ca };
  }

  forget(): void {
    this.#options.base.forget();
    this.#renewal.forget();
  }

  async #renew(): Promise<Issued<PluginIdentity>> {
    try {
      return await this.#run();
    } catch (error) {
      throw error instanceof ClusterError ? error : this.#problem("it failed", error);
    }
  }

  async #run(): Promise<Issued<PluginIdentity>> {
    const { exec, run } = this.#options;
    const info = JSON.stringify({
      apiVersion: exec.apiVersion,
      kind: "ExecCredential",
      spec: { interactive: false, ...await this.#clusterInfo() },
    });
    let result: Awaited<ReturnType<RunProgram>>;
    try {
      result = await run({
        command: exec.command,
        args: exec.args,
        env: {
          ...Object.fromEntries(exec.env.map(({ name, value }) => [name, value])),
          KUBERNETES_EXEC_INFO: info,
        },
        outputBytesMax,
        timeoutMs,
      });
    } catch (error) {
      const words = error instanceof Error ? toPrintable(error.message.slice(0, 300)) : "";
      const hint = exec.installHint === ""
        ? ""
        : `; ${toPrintable(exec.installHint.slice(0, 300))}`;
      throw this.#problem(`it cannot be run (${words})${hint}`, error);
    }
    if (result.code !== 0) throw this.#problem(`it ended with ${result.code}`);
    return this.#parse(result.stdout);
  }

  async #clusterInfo(): Promise<Readonly<Record<string, unknown>>> {
    const { exec, cluster, base } = this.#options;
    if (!exec.provideClusterInfo) return {};
    const { ca } = await base.identity(new AbortController().signal);
    return {
      cluster: {
        server: cluster.server,
        ...cluster["tls-server-name"] && { "tls-server-name": cluster["tls-server-name"] },
        ...cluster["insecure-skip-tls-verify"] && { "insecure-skip-tls-verify": true },
        ...cluster["proxy-url"] && { "proxy-url": cluster["proxy-url"] },
        ...ca === undefined
          ? {}
          : { "certificate-authority-data": Buffer.from(ca).toString("base64") },
      },
    };
  }

  #parse(stdout: string): Issued<PluginIdentity> {
    let value: unknown;
    try {
      value = JSON.parse(stdout);
    } catch {
      throw this.#problem("it printed no JSON"); // The output may be a token.
    }
    const parsed = v.safeParse(credentialSchema, value);
    if (!parsed.success) throw this.#problem("it printed no ExecCredential with a status");
    const { apiVersion, status } = parsed.output;
    if (apiVersion !== this.#options.exec.apiVersion) {
      throw this.#problem("it answered in another apiVersion than it was asked in");
    }
    const { token, clientCertificateData: cert, clientKeyData: key } = status;
    if ((cert === "") !== (key === "") || (token === "" && cert === "")) {
      throw this.#problem("it gave neither a token nor a certificate with its key");
    }
    const expiresAtMs = Date.parse(status.expirationTimestamp);
    return {
      secret: {
        ...token === "" ? {} : { authorization: checkHeader(`Bearer ${token}`) },
        ...cert === "" ? {} : { cert, key },
      },
      ...Number.isNaN(expiresAtMs) ? {} : { expiresAtMs },
    };
  }

  #problem(what: string, cause?: unknown): ClusterError {
    return new ClusterError(
      "no-credential",
      `Cannot use credential plugin "${toPrintable(this.#options.exec.command)}": ${what}`,
      { cause },
    );
  }
}
