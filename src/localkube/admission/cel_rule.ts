/**
 * One `x-kubernetes-validations` rule: its program, and what is said when it does not hold.
 */

import type { RawRule } from "./schema_file.ts";
import type { CelProgram } from "./cel_program.ts";

/** A rule of a schema node. */
export class CelRule {
  readonly program: CelProgram;
  /** Computes the message, when the rule has such an expression. */
  readonly messageProgram: CelProgram | undefined;
  /** The field error's reason, when the rule names one. */
  readonly reason: string | undefined;
  /** Path of the field at fault below the node, with a leading dot; the empty string is the node. */
  readonly fieldPath: string;
  /** The rule is a transition rule that also runs without a stored value. */
  readonly optionalOldSelf: boolean;

  readonly #message: string;

  constructor(raw: RawRule, program: (expression: number) => CelProgram) {
    this.program = program(raw.expression);
    this.messageProgram = raw.messageExpression === undefined
      ? undefined
      : program(raw.messageExpression);
    this.reason = raw.reason;
    this.fieldPath = raw.fieldPath ?? "";
    this.optionalOldSelf = raw.optionalOldSelf === true;
    this.#message = (raw.message ?? "").trim();
  }

  /** Whether the rule compares with the stored object. */
  get usesOldSelf(): boolean {
    return this.program.usesOldSelf;
  }

  /** What is said when the rule does not hold and there is no computed message. */
  get message(): string {
    return this.#message === "" ? `failed rule: ${this.program.source.trim()}` : this.#message;
  }

  /** How the rule is called in a message about its evaluation: its message, else its text. */
  get label(): string {
    return this.#message === "" ? this.program.source.trim() : this.#message;
  }
}
