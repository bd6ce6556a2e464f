/** Objects as JSON or YAML; the YAML library is loaded only when it is asked for. */

/** `value` with a line break at its end. */
export async function printObject(value: unknown, format: "json" | "yaml"): Promise<string> {
  if (format === "json") return `${JSON.stringify(value, undefined, 2)}\n`;
  const { stringify } = await import("yaml");
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}
