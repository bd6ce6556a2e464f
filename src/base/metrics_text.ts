/**
 * The Prometheus text exposition format 0.0.4: escaping, numbers, lines.
 *
 * Whatever a label value holds, it stays inside its quotes: a name that comes from an object in the
 * cluster can neither end its line nor start another sample. Knows no metric and keeps nothing.
 */

/** The content type that goes with {@linkcode MetricsRegistry.render}'s text. */
export const metricsContentType = "text/plain; version=0.0.4; charset=utf-8";

/** The `type` that a family declares. */
export type MetricType = "counter" | "gauge" | "histogram";

/**
 * Escapes the text of a HELP line: backslash and line feed. A carriage return becomes a space,
 * because the format has no escape for it and some parsers end a line there.
 */
function escapeHelp(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\r", " ");
}

/** Escapes a label value: as HELP, and the double quote. */
function escapeLabelValue(value: string): string {
  return escapeHelp(value).replaceAll('"', '\\"');
}

/** `name="value",…` without braces, in the order given; empty for no labels. */
export function formatLabels(names: readonly string[], values: readonly string[]): string {
  return names.map((name, index) => `${name}="${escapeLabelValue(values[index] ?? "")}"`).join(",");
}

/** The sample's name with its labels, up to where the number goes. */
export function formatSeries(name: string, labels: string): string {
  return labels === "" ? `${name} ` : `${name}{${labels}} `;
}

/** A sample's number; infinities and NaN in the format's spelling. */
export function formatNumber(value: number): string {
  if (value === Infinity) return "+Inf";
  if (value === -Infinity) return "-Inf";
  return String(value);
}

/** The HELP and TYPE lines of a family, each with its line feed. */
export function formatHead(name: string, help: string, type: MetricType): string {
  return `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`;
}
