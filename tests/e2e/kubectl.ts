/** kubectl as a person runs it, and what it prints in a form that can be compared. */

import { systemClock } from "../../src/base/clock.ts";
import { until } from "./until.ts";

/** How it ended and what it printed: stdout, then stderr. */
export interface KubectlRun {
  readonly code: number;
  readonly text: string;
}

/** How kubectl is run. */
export interface KubectlOptions {
  readonly kubeconfig: string;
  /** Its standard input. */
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A command that hangs counts as failed. */
const limitMs = 60_000;

/** Runs it to its end. */
export async function kubectl(
  args: readonly string[],
  { kubeconfig, input = "", env = {} }: KubectlOptions,
): Promise<KubectlRun> {
  const child = new Deno.Command("kubectl", {
    args: ["--kubeconfig", kubeconfig, `--cache-dir=${kubeconfig}.cache`, ...args],
    env: { ...env },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const cancel = systemClock.after(limitMs, () => child.kill("SIGKILL"));
  const writer = child.stdin.getWriter();
  // A command that does not read its input has closed it.
  await writer.write(new TextEncoder().encode(input)).catch(() => {});
  await writer.close().catch(() => {});
  const { code, stdout, stderr } = await child.output();
  cancel();
  const decoder = new TextDecoder();
  return { code, text: decoder.decode(stdout) + decoder.decode(stderr) };
}

/** A kubectl that goes on until it is disposed of, such as `get -w`. */
export class KubectlWatch {
  readonly #child: Deno.ChildProcess;
  readonly #reading: Promise<void>;
  #text = "";

  constructor(args: readonly string[], kubeconfig: string) {
    this.#child = new Deno.Command("kubectl", {
      args: ["--kubeconfig", kubeconfig, `--cache-dir=${kubeconfig}.cache`, ...args],
      stdin: "null",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    this.#reading = this.#read();
  }

  /** Waits until it has printed `text`. */
  async until(text: string): Promise<void> {
    await until(`kubectl prints "${text}"`, limitMs, () => this.#text.includes(text));
  }

  async #read(): Promise<void> {
    const { stdout } = this.#child;
    for await (const text of stdout.pipeThrough(new TextDecoderStream())) this.#text += text;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.status;
    await this.#reading;
  }
}

/** What differs from one server to the next, and with the time. */
const masks: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "UID"],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "TIME"],
  [/(resourceVersion"?: )"?\d+"?/g, "$1VERSION"],
  [/(Resource Version: +)\d+/g, "$1VERSION"],
  [/^Warning: resource \S+ is missing the kubectl\.kubernetes\.io.*\n/gm, ""],
  [/\b\d+(?:s|ms|m\d*s?)(?= *$)/gm, "AGE"],
  [/ +$/gm, ""],
  [/\/tmp\/\S+/g, "FILE"],
];

/** `text` without what differs. */
export function comparable(text: string): string {
  return masks.reduce((left, [pattern, mask]) => left.replaceAll(pattern, mask), text);
}
