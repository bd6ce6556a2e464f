/**
 * Writes the expectations of this folder anew; look at the difference before you commit it:
 * `deno run -A tests/golden/envoy/update.ts`.
 */

import { envoyCases, expectationOf, renderCase } from "./envoy_cases.ts";

for (const name of envoyCases) {
  await Deno.writeTextFile(expectationOf(name), await renderCase(name));
}
