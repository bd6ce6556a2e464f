/**
 * What a user would lose if these failed: a page in the browser and text in the terminal from the
 * same address.
 */

import { assertEquals } from "@std/assert";
import { prefersType } from "../../../src/http/route_group.ts";

const cases: readonly [string, boolean][] = [
  ["", false],
  ["*/*", false],
  ["text/html", true],
  ["TEXT/HTML", true],
  ["text/html,application/xml;q=0.9,*/*;q=0.8", true],
  ["text/*", false],
  ["text/html;q=0.5,text/plain", false],
  ["text/html;level=1;q=1,text/plain;q=0.9", true],
  ["text/html;q=0", false],
  ["text/html;q=nonsense", false],
  ["application/json", false],
];
for (const [accept, expected] of cases) {
  Deno.test(`prefersType() ${expected ? "prefers" : "does not prefer"} a page for "${accept}"`, () => {
    assertEquals(prefersType(accept, "text/html", "text/plain"), expected);
  });
}
