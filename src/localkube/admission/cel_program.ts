/**
 * CEL expressions, planned when they are first evaluated.
 *
 * Most rules of a schema never run in a process: their fields are not used. Planning on first use
 * keeps the start of the local cluster short. The environment is built once for all programs, with
 * RE2 matching from the shared cache and Kubernetes' own functions.
 */

import { type CelEnv, celEnv, type CelInput, type CelResult, plan } from "@bufbuild/cel";
import { strings } from "@bufbuild/cel/ext";
import type { RawExpression } from "./schema_file.ts";
import { decodeExpression, mentions } from "./cel_expression.ts";
import { celFunctions } from "./cel_functions.ts";
import type { Re2Patterns } from "./re2_patterns.ts";

/** What a rule sees: the value at its node, and the stored value there. */
export interface CelBindings {
  readonly self: CelInput;
  readonly oldSelf?: CelInput;
}

/** Makes the environment that rules run in. */
export function createCelEnv(patterns: Re2Patterns): CelEnv {
  return celEnv({ funcs: [...strings, ...celFunctions()], re2: patterns });
}

/** One expression. */
export class CelProgram {
  readonly source: string;
  readonly usesOldSelf: boolean;
  readonly #tree: unknown;
  readonly #env: () => CelEnv;
  #evaluate: ((bindings: Record<string, CelInput>) => CelResult) | undefined;

  /** @param env gives the environment; called at the first evaluation only */
  constructor(expression: RawExpression, env: () => CelEnv) {
    this.source = expression.source;
    this.#tree = expression.tree;
    this.usesOldSelf = mentions(expression.tree, "oldSelf");
    this.#env = env;
  }

  /** The value of the expression, or a CEL error as a value. */
  evaluate(bindings: CelBindings): CelResult {
    this.#evaluate ??= plan(this.#env(), decodeExpression(this.#tree));
    return this.#evaluate({ ...bindings });
  }
}
