/**
 * Named checks of a script, counted: each prints one line, and the total is the closing line
 * `N passed, N failed`. A check that throws has failed; the next one runs all the same.
 */

// deno-lint-ignore-file no-console -- A script talks to the terminal.

/** See the file's header for the promises. */
export class Checklist {
  #passed = 0;
  #failed = 0;

  /** Whether nothing failed so far. */
  get isGreen(): boolean {
    return this.#failed === 0;
  }

  /** Runs one check; says whether it passed. */
  async check(name: string, run: () => void | Promise<void>): Promise<boolean> {
    const startedAt = performance.now();
    try {
      await run();
    } catch (error) {
      this.#failed++;
      const reason = error instanceof Error ? error.message : String(error);
      console.log(`not ok  ${name}\n        ${reason.replaceAll("\n", "\n        ")}`);
      return false;
    }
    this.#passed++;
    console.log(`ok      ${name} (${Math.round(performance.now() - startedAt)} ms)`);
    return true;
  }

  /** Prints the closing line and ends the process: 0 when all passed and there was one. */
  exit(): never {
    console.log(`\n${this.#passed} passed, ${this.#failed} failed`);
    Deno.exit(this.isGreen && this.#passed > 0 ? 0 : 1);
  }
}

/** Throws `message` unless `condition` holds. */
export function expect(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message);
}
