// What a user would lose: documentation that says what the flags really are.

import { assertEquals } from "@std/assert";
import { generatedPages } from "../../scripts/make_docs.ts";

for (const [path, print] of generatedPages) {
  Deno.test(`${path} is what the table in the code prints (deno task docs)`, () => {
    const page = Deno.readTextFileSync(new URL(`../../${path}`, import.meta.url));
    assertEquals(page, print());
  });
}
