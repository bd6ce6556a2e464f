/**
 * What is stored of a manifest: defaults filled in, unknown fields and nulls gone.
 *
 * Each file in `stored` holds an object as it is written, then the object as it is stored and the
 * warnings. What a user would lose: the engine reads stored objects and relies on these defaults, and
 * `kubectl get -o yaml` shows them. `deno test … -- -u` writes the second document anew; commit only
 * differences that the API's release notes explain.
 */

import { assert, assertEquals } from "@std/assert";
import { parseAllDocuments, stringify } from "yaml";
import { SchemaChecker } from "../../../src/localkube/admission/schema_checker.ts";
import type { ObjectInput } from "../../../src/localkube/store_contract.ts";

const folder = new URL("./stored/", import.meta.url);
const checker = new SchemaChecker();

for (const { name } of [...Deno.readDirSync(folder)].sort((a, b) => a.name < b.name ? -1 : 1)) {
  Deno.test(`SchemaChecker.check() stores ${name} as a cluster would`, () => {
    const file = new URL(name, folder);
    const text = Deno.readTextFileSync(file);
    const [input, expected] = parseAllDocuments(text).map((document) => document.toJS());
    const checked = checker.check(input as ObjectInput, undefined);
    assert(checked !== undefined);
    assertEquals(checked.faults.toCauses(), []);
    const actual = { stored: checked.fields, warnings: checked.warnings };
    if (!Deno.args.includes("-u")) return assertEquals(actual, expected);
    const written = text.split("\n---\n")[0]?.trimEnd() ?? "";
    Deno.writeTextFileSync(file, `${written}\n---\n${stringify(actual)}`);
  });
}
