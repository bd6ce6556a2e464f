/** Why a result did not reach its reader: a failure of the command, and no fault of the program. */

/** The output cannot be written, such as to a full disk; the message says why. */
export class OutputError extends Error {
  override name = "OutputError";
}
