/** One line on a terminal that tells how far the reading of a cluster is, and goes when it is over. */

import type { Clock } from "../base/clock.ts";
import type { TextOutput } from "../cli/context.ts";
import type { Kind } from "../kube/kinds.ts";
import type { ReadingProgress } from "../kube/read_cluster.ts";

/** A reading that is over sooner needs no line. */
const patienceMs = 500;
/** Back to the first column, and everything behind it away (ECMA-48, EL). */
const clear = "\r\u001b[K";

/** See the file's header. Without a terminal nothing is written. */
export class ReadingLine {
  readonly #output: TextOutput;
  readonly #server: string;
  readonly #cancel: () => void;
  #progress: ReadingProgress | undefined;
  #isShown = false;

  constructor(output: TextOutput, clock: Clock, server: string) {
    this.#output = output;
    this.#server = server;
    this.#cancel = output.isTerminal ? clock.after(patienceMs, () => this.#show()) : () => {};
  }

  /** The kinds that are still being read, as far as it was told. */
  get waiting(): readonly Kind[] {
    return this.#progress?.waiting ?? [];
  }

  tell(progress: ReadingProgress): void {
    this.#progress = progress;
    if (this.#isShown) this.#show();
  }

  /** Takes the line away. */
  end(): void {
    this.#cancel();
    if (this.#isShown) this.#output.write(clear);
    this.#isShown = false;
  }

  #show(): void {
    this.#isShown = true;
    const { waiting, objectCount } = this.#progress ?? { waiting: [], objectCount: 0 };
    const rest = waiting.length === 0 ? "" : `, ${waiting.length} kinds to go`;
    this.#output.write(`${clear}reading ${this.#server}: ${objectCount} objects${rest}`);
  }
}
