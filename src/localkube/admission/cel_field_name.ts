/**
 * The names by which rules call fields.
 *
 * CEL has identifiers, JSON has any text: Kubernetes escapes what CEL cannot say. A field that cannot
 * be escaped is invisible to rules. Keys of maps are texts in rules and are not escaped.
 */

/** Words that CEL keeps for itself, so that a field of such a name is escaped. */
const reservedWords: ReadonlySet<string> = new Set([
  "true",
  "false",
  "null",
  "in",
  "as",
  "break",
  "const",
  "continue",
  "else",
  "for",
  "function",
  "if",
  "import",
  "let",
  "loop",
  "package",
  "namespace",
  "return",
  "var",
  "void",
  "while",
]);

const escapes: Readonly<Record<string, string>> = {
  "__": "__underscores__",
  ".": "__dot__",
  "-": "__dash__",
  "/": "__slash__",
};

/** The name that rules use for the field `name`; undefined when rules cannot name it. */
export function escapeFieldName(name: string): string | undefined {
  if (reservedWords.has(name)) return `__${name}__`;
  if (!/^[a-zA-Z_][a-zA-Z0-9_.\-/]*$/.test(name)) return undefined;
  return name.replace(/__|[.\-/]/g, (found) => escapes[found] ?? found);
}
