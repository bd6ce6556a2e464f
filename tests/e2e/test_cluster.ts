/**
 * The cluster that `deno task e2e` started for a file of tests: its API, kubectl, its processes.
 *
 * The tests run in the cluster's network namespace: addresses of 10.97.0.0/24 may be bound at any
 * port, and nothing beyond is reached.
 */

import { systemClock } from "../../src/base/clock.ts";
import { ClusterError } from "../../src/kube/cluster_error.ts";
import { HttpTransport } from "../../src/kube/http_transport.ts";
import { isRecord, type JsonRecord } from "../../src/kube/json_value.ts";
import { loadKubeconfigAccess } from "../../src/kube/load_access.ts";
import { RequestPace } from "../../src/kube/request_pace.ts";
import { askProvider } from "../../src/kube/ask_provider.ts";
import { runProgram } from "../../src/kube/run_program.ts";
import { type AuditEntry, readAuditLog } from "./audit_log.ts";
import { until } from "./until.ts";

/** A process of the cluster. */
export type Component = "etcd" | "kube-apiserver" | "kube-controller-manager";

/** A request to the API server; GET when it has no method. */
export interface ApiRequest {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly body?: unknown;
  readonly contentType?: string;
  readonly query?: Readonly<Record<string, string>>;
}

const script = new URL("testbed/testbed", import.meta.url).pathname;
const requestLimitMs = 10_000;
const mergePatch = "application/merge-patch+json";

/** See the file's header. */
export class TestCluster {
  /** The folder with kubeconfigs, logs and the audit log. */
  readonly state: string;
  /** As an administrator, without a limit of its own. */
  readonly transport: HttpTransport;

  private constructor(state: string, transport: HttpTransport) {
    this.state = state;
    this.transport = transport;
  }

  /** The cluster of this run, as an administrator. */
  static async open(): Promise<TestCluster> {
    const state = Deno.env.get("WEIR_TESTBED_STATE");
    if (state === undefined) throw new Error("There is no cluster: start with deno task e2e");
    const access = await loadKubeconfigAccess([`${state}/admin.kubeconfig`], undefined, {
      env: () => undefined,
      readFile: (path) => Deno.readTextFile(path),
      runProgram,
      askProvider,
      clock: systemClock,
    });
    return new TestCluster(
      state,
      new HttpTransport({
        access,
        clock: systemClock,
        pace: new RequestPace({ perSecond: 100_000, burst: 100_000 }, systemClock),
        userAgent: "weir-e2e",
      }),
    );
  }

  /** Asks the API; the answer is undefined when there is no such object. */
  async api(path: string, request: ApiRequest = {}): Promise<JsonRecord | undefined> {
    try {
      const answer = await this.transport.request({
        ...request,
        path,
        timeoutMs: requestLimitMs,
        signal: new AbortController().signal,
      });
      return isRecord(answer) ? answer : {};
    } catch (error) {
      if (error instanceof ClusterError && error.kind === "not-found") return undefined;
      throw error;
    }
  }

  /** Merges `patch` into the object at `path`. */
  merge(path: string, patch: unknown): Promise<JsonRecord | undefined> {
    return this.api(path, { method: "PATCH", body: patch, contentType: mergePatch });
  }

  /** What kubectl printed; `input` is its standard input. */
  async kubectl(args: readonly string[], input = ""): Promise<string> {
    const child = new Deno.Command("kubectl", {
      args: [`--kubeconfig=${this.state}/admin.kubeconfig`, "--request-timeout=30s", ...args],
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(input));
    await writer.close();
    const { success, stdout, stderr } = await child.output();
    const decoder = new TextDecoder();
    if (!success) throw new Error(`kubectl ${args.join(" ")}: ${decoder.decode(stderr)}`);
    return decoder.decode(stdout);
  }

  /** Applies manifests. */
  apply(manifests: string): Promise<string> {
    return this.kubectl(["apply", "--server-side", "--force-conflicts", "-f", "-"], manifests);
  }

  /** Ends a process of the cluster. */
  async kill(component: Component, signal: Deno.Signal = "SIGKILL"): Promise<void> {
    const pid = Number(await Deno.readTextFile(`${this.state}/${component}.pid`));
    Deno.kill(pid, signal);
    await until(`${component} ends`, 90_000, async () => !await isRunning(pid));
  }

  /** Starts what has fallen, with the data that was there; resolves when the API server is ready. */
  async revive(): Promise<void> {
    await this.#testbed(["up", "--keep"]);
  }

  /** What the API server wrote down, oldest first. */
  audit(): Promise<readonly AuditEntry[]> {
    return readAuditLog(`${this.state}/audit.log`);
  }

  /** Closes connections; the cluster stays. */
  close(): void {
    this.transport.close();
  }

  async #testbed(args: readonly string[]): Promise<void> {
    const { success, stderr } = await new Deno.Command(script, {
      args: [...args],
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).output();
    if (!success) throw new Error(`testbed ${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
  }
}

/** Runs `test` with the cluster of this run. */
export async function withCluster(test: (cluster: TestCluster) => Promise<void>): Promise<void> {
  const cluster = await TestCluster.open();
  try {
    await test(cluster);
  } finally {
    cluster.close();
  }
}

/** Also false for a process that has ended and was not waited for. */
async function isRunning(pid: number): Promise<boolean> {
  // The runtime keeps /proc to itself.
  const { stdout } = await new Deno.Command("ps", { args: ["-o", "stat=", "-p", `${pid}`] })
    .output();
  return /^[^Z]/.test(new TextDecoder().decode(stdout).trim());
}
