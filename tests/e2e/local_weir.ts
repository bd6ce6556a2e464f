/** A weir process with the local cluster's Kubernetes API, for tests that use it with kubectl. */

import config from "../../deno.json" with { type: "json" };
import { systemClock } from "../../src/base/clock.ts";
import { until } from "./until.ts";

const runArgs = config.tasks.weir.command.split(" ").slice(1);
const project = new URL("../../", import.meta.url);
const readyLimitMs = 60_000;
const stopLimitMs = 20_000;

/** See the file's header. */
export class LocalWeir {
  readonly #child: Deno.ChildProcess;
  readonly #reading: Promise<void>[];
  readonly #folder: string;
  #log = "";

  private constructor(child: Deno.ChildProcess, folder: string) {
    this.#child = child;
    this.#folder = folder;
    const read = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> => {
      for await (const text of stream.pipeThrough(new TextDecoderStream())) this.#log += text;
    };
    this.#reading = [read(child.stderr), read(child.stdout)];
  }

  /** Starts one with `manifests` as its only file, and a kubeconfig in {@linkcode kubeconfig}. */
  static async start(manifests: string): Promise<LocalWeir> {
    const folder = await Deno.makeTempDir({ prefix: "weir-local-" });
    await Deno.mkdir(`${folder}/manifests`);
    await Deno.writeTextFile(`${folder}/manifests/all.yaml`, manifests);
    const child = new Deno.Command(Deno.execPath(), {
      args: [
        ...[...runArgs, "serve", `--manifests=${folder}/manifests`, "--features=+local-api"],
        ...["--api-address=127.0.0.1:0", "--kube-address=127.0.0.1:0"],
      ],
      cwd: project,
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const weir = new LocalWeir(child, folder);
    const url = await until("weir is ready", readyLimitMs, () => {
      return /^ready .*kube=(\S+)/m.exec(weir.#log)?.[1];
    });
    await Deno.writeTextFile(weir.kubeconfig, kubeconfigText(url));
    return weir;
  }

  get kubeconfig(): string {
    return `${this.#folder}/kubeconfig`;
  }

  /** Puts another text in place of the manifests. */
  async edit(manifests: string): Promise<void> {
    await Deno.writeTextFile(`${this.#folder}/manifests/all.yaml`, manifests);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGTERM");
    const cancel = systemClock.after(stopLimitMs, () => this.#child.kill("SIGKILL"));
    await this.#child.status;
    cancel();
    await Promise.all(this.#reading);
    await Deno.remove(this.#folder, { recursive: true });
  }
}

function kubeconfigText(server: string): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "local", cluster: { server } }],
    users: [{ name: "local", user: {} }],
    contexts: [{ name: "local", context: { cluster: "local", user: "local" } }],
    "current-context": "local",
  });
}
