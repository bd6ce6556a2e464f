/**
 * A weir process against the cluster, from source and with exactly what `deno task weir` may do.
 *
 * It uses a kubeconfig with a bearer token of a ServiceAccount in a file, as a pod would.
 */

import config from "../../deno.json" with { type: "json" };
import { systemClock } from "../../src/base/clock.ts";
import { until } from "./until.ts";

/** How a process is started. */
export interface WeirOptions {
  readonly kubeconfig: string;
  readonly args?: readonly string[];
}

/** `deno run …` up to `main.ts`: the permissions are the task's own. */
const runArgs = config.tasks.weir.command.split(" ").slice(1);
const project = new URL("../../", import.meta.url);
const readyLimitMs = 60_000;
const stopLimitMs = 40_000;
/** How much of a log a failure shows. */
const logLines = 60;

/** See the file's header. */
export class WeirRun {
  readonly #child: Deno.ChildProcess;
  readonly #reading: Promise<void>[];
  #hasEnded = false;
  /** Everything on stderr and stdout so far. */
  log = "";

  private constructor(child: Deno.ChildProcess) {
    this.#child = child;
    const read = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> => {
      for await (const text of stream.pipeThrough(new TextDecoderStream())) this.log += text;
    };
    this.#reading = [read(child.stderr), read(child.stdout)];
    child.status.then(() => this.#hasEnded = true);
  }

  /** A new process; it is not ready yet. */
  static start({ kubeconfig, args = [] }: WeirOptions): WeirRun {
    return new WeirRun(
      new Deno.Command(Deno.execPath(), {
        args: [
          ...[...runArgs, "serve", `--kubeconfig=${kubeconfig}`],
          ...["--api-address=127.0.0.1:0", ...args],
        ],
        cwd: project,
        // Nothing of the rig: a variable that weir does not know is told as a likely mistake.
        clearEnv: true,
        env: ownEnvironment(),
        stdin: "null",
        stdout: "piped",
        stderr: "piped",
      }).spawn(),
    );
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** The URL of the HTTP API, once the process is ready. */
  ready(limitMs = readyLimitMs): Promise<string> {
    return until(`weir is ready; its log:\n${this.log}`, limitMs, () => {
      const url = /^ready api=(\S+)/m.exec(this.log)?.[1];
      if (url === undefined && this.#hasEnded) throw new Error(`weir has ended: ${this.log}`);
      return url;
    });
  }

  /** Runs `test`; when it fails, the failure shows what weir said, but for requests. */
  async explain(test: () => Promise<void>): Promise<void> {
    try {
      await test();
    } catch (error) {
      const lines = this.log.split("\n").filter((line) => !/ info {2}request /.test(line));
      throw new Error(`${error}\n\nweir's log ends with\n${lines.slice(-logLines).join("\n")}`, {
        cause: error,
      });
    }
  }

  /** The value of a metric, summed over its series; undefined when there is none. */
  async metric(name: string): Promise<number | undefined> {
    const response = await fetch(`${await this.ready()}/metrics`);
    const lines = (await response.text()).split("\n");
    const values = lines.filter((line) =>
      line.startsWith(`${name} `) || line.startsWith(`${name}{`)
    )
      .map((line) => Number(line.split(" ").at(-1)));
    return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0);
  }

  /** Sends a signal and does not wait. */
  signal(name: Deno.Signal): void {
    this.#child.kill(name);
  }

  /** Sends a signal and waits for the end; undefined when the process had to be killed. */
  async stop(signal: Deno.Signal = "SIGTERM"): Promise<number | undefined> {
    if (!this.#hasEnded) this.#child.kill(signal);
    const cancel = systemClock.after(stopLimitMs, () => this.#child.kill("SIGKILL"));
    const status = await this.#child.status;
    cancel();
    await Promise.all(this.#reading);
    return status.signal === "SIGKILL" ? undefined : status.code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#hasEnded) {
      // A process that was stopped ends only when it is killed.
      this.#child.kill("SIGKILL");
    }
    await this.#child.status;
    await Promise.all(this.#reading);
  }
}

/** What a weir command prints; it has to succeed. */
export async function weirOutput(args: readonly string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...runArgs, ...args],
    cwd: project,
    clearEnv: true,
    env: ownEnvironment(),
  }).output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(`weir ${args.join(" ")}: ${decoder.decode(stderr)}`);
  return decoder.decode(stdout);
}

/** What a program needs of the environment to run at all. */
function ownEnvironment(): Record<string, string> {
  const names = ["HOME", "PATH", "DENO_DIR", "XDG_CACHE_HOME", "TMPDIR"];
  const pairs = names.map((name) => [name, Deno.env.get(name)] as const);
  const env: Record<string, string> = { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" };
  for (const [name, value] of pairs) if (value !== undefined) env[name] = value;
  return env;
}
