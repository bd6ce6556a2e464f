/**
 * `weir install` on whole command lines. What a user would lose: manifests that are the same on every
 * machine, and whose changes somebody has looked at.
 *
 * After a wanted change, with the folder of the case as $CASE:
 * `deno task -q weir install $(cat $CASE/arguments) | sed s/version:.0.1.0/version:\ 1.2.3/ > $CASE/expected.txt`
 * (for JSON: `s/version":."0.1.0/version": "1.2.3/`)
 */

import { assertEquals } from "@std/assert";
import { printedManifests } from "../../../src/app/install.ts";
import { runCli } from "../../../src/cli/run_cli.ts";
import { fakeCli } from "../../fakes/cli_context.ts";

const folder = new URL(".", import.meta.url);
const cases = [...Deno.readDirSync(folder)].filter(({ isDirectory }) => isDirectory)
  .map(({ name }) => name).sort();

for (const name of cases) {
  Deno.test(`weir install prints case ${name}`, async () => {
    const read = (file: string) => Deno.readTextFile(new URL(`${name}/${file}`, folder));
    // What is set in the environment of who prints has no part in it.
    const environment = { WEIR_REPLICAS: "7", WEIR_LOG_LEVEL: "debug", WEIR_NAMESPACES: "other" };
    const cli = fakeCli({
      environment,
      install: (request) => Promise.resolve(printedManifests(request, "1.2.3")),
    });
    const args = (await read("arguments")).trim().split(" ");
    assertEquals(await runCli(["install", ...args], cli), 0, cli.err());
    assertEquals(cli.out(), await read("expected.txt"));
  });
}
