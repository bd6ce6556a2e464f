/**
 * Text that is safe to print on one line of a terminal or a log.
 *
 * Names and messages may come from manifests, so they may hold line breaks that forge a log record
 * or escape sequences that steer a terminal. Everything that is not printable becomes a visible
 * escape. This does not shorten and does not quote.
 */

/** C0 and C1 controls, line and paragraph separators, bidirectional overrides, lone surrogates. */
const unprintable =
  // deno-lint-ignore no-control-regex -- finding control characters is the purpose
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu;

/** `text` with every unprintable character as `\n`, `\r`, `\t` or `\uXXXX`. */
export function toPrintable(text: string): string {
  return text.replace(unprintable, escapeCharacter);
}

function escapeCharacter(character: string): string {
  switch (character) {
    case "\n":
      return "\\n";
    case "\r":
      return "\\r";
    case "\t":
      return "\\t";
    default:
      return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  }
}
