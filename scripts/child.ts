/**
 * A child process whose lines a script waits for, with an end to every wait.
 *
 * Both outputs are kept, so that a failure can show what the process said. `stop()` waits until the
 * process is gone: no script leaves one behind.
 */

/** How a child ended. */
export interface ChildResult {
  readonly code: number;
  /** Standard output alone. */
  readonly stdout: string;
  /** Both outputs mixed by time. */
  readonly output: string;
}

/** Where and how a child runs. */
export interface ChildOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Longest wait for a stopped process before it is killed. */
const killAfterMs = 20_000;

/** See the file's header for the promises. */
export class Child {
  readonly #process: Deno.ChildProcess;
  readonly #lines: string[] = [];
  readonly #stdout: string[] = [];
  readonly #waiters = new Set<() => void>();
  readonly #readers: Promise<void>;
  #hasEnded = false;

  private constructor(process: Deno.ChildProcess) {
    this.#process = process;
    this.#readers = Promise.all([
      this.#readLines(process.stdout, [this.#lines, this.#stdout]),
      this.#readLines(process.stderr, [this.#lines]),
    ]).then(() => {
      this.#hasEnded = true;
      this.#wake();
    });
  }

  /** Starts `command`; standard input is empty. */
  static start(command: string, args: readonly string[], options: ChildOptions = {}): Child {
    return new Child(
      new Deno.Command(command, {
        args: [...args],
        ...options.cwd === undefined ? {} : { cwd: options.cwd },
        env: { NO_COLOR: "1", ...options.env },
        stdin: "null",
        stdout: "piped",
        stderr: "piped",
      }).spawn(),
    );
  }

  /** Everything that was printed so far, both outputs mixed by time. */
  get output(): string {
    return this.#lines.join("\n");
  }

  /** How many lines were printed so far. */
  get lineCount(): number {
    return this.#lines.length;
  }

  /**
   * The first line from `fromLine` on that matches.
   *
   * @throws Error after `timeoutMs`, or when the process ended without such a line
   */
  async waitForLine(pattern: RegExp, timeoutMs: number, fromLine = 0): Promise<RegExpExecArray> {
    const deadline = performance.now() + timeoutMs;
    for (let index = fromLine;;) {
      for (; index < this.#lines.length; index++) {
        const match = pattern.exec(this.#lines[index] ?? "");
        if (match) return match;
      }
      const leftMs = deadline - performance.now();
      if (this.#hasEnded || leftMs <= 0) {
        const why = this.#hasEnded ? "the process ended" : `${timeoutMs} ms went by`;
        throw new Error(`Cannot find a line like ${pattern}: ${why}, it printed:\n${this.output}`);
      }
      await this.#nextLine(leftMs);
    }
  }

  /** Sends `signal`, kills the process when it does not end, and says how it ended. */
  async stop(signal: Deno.Signal = "SIGTERM"): Promise<ChildResult> {
    try {
      this.#process.kill(signal);
    } catch (error) {
      // It ended by itself just now.
      if (!(error instanceof TypeError)) throw error;
    }
    const timer = setTimeout(() => this.#process.kill("SIGKILL"), killAfterMs);
    try {
      return await this.result();
    } finally {
      clearTimeout(timer);
    }
  }

  /** Waits until the process ends by itself. */
  async result(): Promise<ChildResult> {
    const { code } = await this.#process.status;
    await this.#readers;
    return { code, stdout: this.#stdout.join("\n"), output: this.output };
  }

  async #readLines(
    stream: ReadableStream<Uint8Array>,
    targets: readonly string[][],
  ): Promise<void> {
    let rest = "";
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const target of targets) target.push(...lines);
      if (lines.length > 0) this.#wake();
    }
    if (rest !== "") { for (const target of targets) target.push(rest); }
  }

  #nextLine(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#waiters.delete(done);
        resolve();
      };
      const timer = setTimeout(done, timeoutMs);
      this.#waiters.add(done);
    });
  }

  #wake(): void {
    for (const waiter of [...this.#waiters]) waiter();
  }
}
