/**
 * The end of a step of a recompute in the middle of a query: thrown through the queries that wait.
 *
 * What is verified by then stays so. The queries that were left run again from their start in the next
 * step, and find it there. Not an error, and never seen outside of this folder.
 */

/** See the file's header. */
export class Interruption extends Error {
  override name = "Interruption";
}

/** The only one: to make an error costs more than most queries. */
export const interruption = new Interruption("The time of this step is used up");
