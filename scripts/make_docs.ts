/**
 * Writes the pages in docs that are printed from tables in the code.
 *
 * A golden test compares the pages with the tables; this is the command that it names.
 */

import { printFlagReference } from "../src/config/flag_reference.ts";
import { flags } from "../src/config/flags.ts";
import { printDiagnosticReference } from "../src/gateway/diagnostics/diagnostic_reference.ts";
import { printMetricsReference } from "./metrics_reference.ts";
import { printPermissionsReference } from "./permissions_reference.ts";

/** Every generated page, by its path in the project. */
export const generatedPages: ReadonlyMap<string, () => string> = new Map([
  ["docs/reference-flags.md", () => printFlagReference(flags)],
  ["docs/diagnostics.md", printDiagnosticReference],
  ["docs/reference-metrics.md", printMetricsReference],
  ["docs/reference-permissions.md", printPermissionsReference],
]);

if (import.meta.main) {
  for (const [path, print] of generatedPages) {
    Deno.writeTextFileSync(new URL(`../${path}`, import.meta.url), print());
  }
}
