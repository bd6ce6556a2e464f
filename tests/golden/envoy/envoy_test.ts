// The resources of Envoy for a few worlds, as a person reads them: a change of the mapping that nobody
// wanted shows here, with what it does to listeners, routes and clusters. After a wanted change run
// `deno run -A tests/golden/envoy/update.ts` and look at the difference.

import { assert, assertEquals } from "@std/assert";
import { envoyCases, expectationOf, renderCase } from "./envoy_cases.ts";

for (const name of envoyCases) {
  Deno.test(`translate --envoy ${name}`, async () => {
    const expected = await Deno.readTextFile(expectationOf(name));
    const found = await renderCase(name);
    assert(!found.includes("privateKey"), "a key is shown");
    assertEquals(JSON.parse(found), JSON.parse(expected));
  });
}
