/** A real Envoy with one configuration file, without a server that delivers resources. */

import type { ProtoObject } from "../../src/envoy/codec.ts";
import { findEnvoy } from "./real_envoy.ts";
import { until } from "./until.ts";

const program = findEnvoy();
const readyLimitMs = 30_000;

/** Why tests with a real Envoy do not run; undefined: they do. */
export const envoyIsMissing: string | undefined = program === undefined
  ? "there is no Envoy, and WEIR_TEST_ENVOY names none"
  : undefined;

/** What Envoy says against a configuration; empty: nothing. */
export async function validate(folder: string, bootstrap: ProtoObject): Promise<string> {
  const path = `${folder}/validated.json`;
  await Deno.writeTextFile(path, JSON.stringify(bootstrap));
  const { success, stderr } = await new Deno.Command(program ?? "", {
    args: ["--mode", "validate", "-c", path, "-l", "error"],
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).output();
  return success ? "" : new TextDecoder().decode(stderr).slice(0, 2_000);
}

/** See the file's header. Ends with its scope. */
export class StaticEnvoy implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;

  private constructor(child: Deno.ChildProcess) {
    this.#child = child;
  }

  /** Starts one and waits until it listens on `port` of loopback. */
  static async start(folder: string, bootstrap: ProtoObject, port: number): Promise<StaticEnvoy> {
    const path = `${folder}/envoy.json`;
    await Deno.writeTextFile(path, JSON.stringify(bootstrap));
    const child = new Deno.Command(program ?? "", {
      args: ["-c", path, "--disable-hot-restart", "--concurrency", "1", "-l", "error"],
      stdin: "null",
      stdout: "null",
      stderr: "inherit",
    }).spawn();
    const envoy = new StaticEnvoy(child);
    await until("Envoy listens", readyLimitMs, async () => {
      try {
        (await Deno.connect({ hostname: "127.0.0.1", port })).close();
        return true;
      } catch {
        return undefined;
      }
    });
    return envoy;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGTERM");
    await this.#child.status;
  }
}
