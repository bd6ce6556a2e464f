/**
 * Programmer errors stop the process loudly; nothing in the product catches them to go on.
 *
 * Bad input is never a programmer error: it is refused with a reason where it enters.
 */

/** A broken promise inside the program itself. */
export class InvariantError extends Error {
  override name = "InvariantError";
}

/**
 * Throws {@linkcode InvariantError} unless `condition` holds.
 *
 * @param message what must hold, without a final period
 */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}
