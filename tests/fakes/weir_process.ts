/**
 * `weir serve` as a process of its own on a temporary folder of manifests, without a data plane.
 *
 * For what cannot be seen from inside: exit codes, signals, a runtime that hangs. Waits end when their
 * condition holds; the limit is only there so that a failure ends.
 */

import { assert } from "@std/assert";
import { systemClock } from "../../src/base/clock.ts";

const project = new URL("../../", import.meta.url);
const limitMs = 20_000;
const permissions = ["--frozen", "--no-prompt", "--allow-read", "--allow-net", "--allow-env"];

/** A weir command of this project, not yet running. */
export function weirCommand(
  args: readonly string[],
  options: Pick<Deno.CommandOptions, "env" | "stdin"> = {},
): Deno.Command {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", ...permissions, "main.ts", ...args],
    cwd: project,
    stdin: "null",
    ...options,
    stdout: "piped",
    stderr: "piped",
  });
}

/** See the file's header. */
export class WeirProcess {
  readonly manifests: string;
  readonly child: Deno.ChildProcess;
  readonly #reading: Promise<void>[];
  /** Everything on stderr so far. */
  errors = "";
  /** Everything on stdout so far. */
  outputs = "";

  constructor(manifests: string, args: readonly string[] = [], stdin: "null" | "piped" = "null") {
    this.manifests = manifests;
    const own = ["--data-plane=none", "--features=-proxy", "--api-address=127.0.0.1:0"];
    this.child = weirCommand(["serve", `--manifests=${manifests}`, ...own, ...args], { stdin })
      .spawn();
    this.#reading = [
      readAll(this.child.stderr, (text) => this.errors += text),
      readAll(this.child.stdout, (text) => this.outputs += text),
    ];
  }

  /** The URL of the HTTP API, once the process is ready. */
  async ready(): Promise<string> {
    await this.until(() => /^ready api=/m.test(this.errors), "it is ready");
    return /^ready api=(\S+)/m.exec(this.errors)?.[1] ?? "";
  }

  /** Waits until `condition` holds. */
  async until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
    const deadlineMs = systemClock.monotonicMs() + limitMs;
    while (!await condition()) {
      assert(systemClock.monotonicMs() < deadlineMs, `never: ${what}; stderr: ${this.errors}`);
      await systemClock.sleep(20);
    }
  }

  /** Sends `signal`; the exit code, or undefined when the process had to be killed. */
  async stop(signal: Deno.Signal = "SIGTERM"): Promise<number | undefined> {
    this.child.kill(signal);
    const cancel = systemClock.after(limitMs, () => this.child.kill("SIGKILL"));
    const status = await this.child.status;
    cancel();
    await Promise.all(this.#reading);
    return status.signal === "SIGKILL" ? undefined : status.code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.child.kill("SIGKILL");
    } catch {
      // It has ended already, as most tests want it to.
    }
    await this.child.status;
    await Promise.all(this.#reading);
  }
}

async function readAll(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  onText: (text: string) => void,
): Promise<void> {
  for await (const piece of stream.pipeThrough(new TextDecoderStream())) onText(piece);
}
