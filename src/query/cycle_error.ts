/** A query that needs its own result, or a chain of queries without end: mistakes of a programmer. */

import { describeNode, type MemoNode } from "./node.ts";

/** The longest chain of queries that read each other; longer ones would overflow the stack. */
export const queryDepthMax = 1000;

/** A query was read while it was being computed. Its message is the way around the circle. */
export class CycleError extends Error {
  override name = "CycleError";
  /** The circle, first and last the same. */
  readonly path: readonly string[];

  constructor(path: readonly string[]) {
    super(`Cannot compute ${path[0]}: it needs its own result: ${path.join(" -> ")}`);
    this.path = path;
  }
}

/** The chain of queries became longer than {@linkcode queryDepthMax}. */
export class QueryDepthError extends Error {
  override name = "QueryDepthError";

  constructor(node: MemoNode) {
    super(
      `Cannot compute ${describeNode(node)}: ${queryDepthMax} queries wait for it, each read by ` +
        `the one before`,
    );
  }
}

/** The error for `node`, which is in `active` already. */
export function cycleThrough(node: MemoNode, active: readonly MemoNode[]): CycleError {
  const circle = active.slice(active.lastIndexOf(node));
  return new CycleError([...circle, node].map(describeNode));
}
