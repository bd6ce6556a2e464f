// What a user would lose: help where it is looked for, a hint after a typing error, and exit codes that
// scripts rely on (0 ok, 1 failed, 2 usage, 3 input invalid).

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { commands } from "../../../src/cli/commands.ts";
import { runCli } from "../../../src/cli/run_cli.ts";
import { fakeCli } from "../../fakes/cli_context.ts";

Deno.test("runCli() without arguments shows the commands and exits with 2", async () => {
  const cli = fakeCli();
  assertEquals(await runCli([], cli), 2);
  for (const { name } of commands) assertStringIncludes(cli.err(), `\n  ${name} `);
  assertEquals(cli.out(), "");
});

for (const args of [["help"], ["--help"], ["-h"], ["help", "help"]]) {
  Deno.test(`runCli() shows the commands on stdout for ${args.join(" ")}`, async () => {
    const cli = fakeCli();
    assertEquals(await runCli(args, cli), 0);
    assertStringIncludes(cli.out(), "Usage: weir COMMAND [flags]");
    assertEquals(cli.err(), "");
  });
}

for (const { name } of commands) {
  Deno.test(`runCli() shows the same help for "help ${name}" and "${name} --help"`, async () => {
    const [first, second] = [fakeCli(), fakeCli()];
    assertEquals(await runCli(["help", name], first), 0);
    assertEquals(await runCli([name, "--nope", "--help"], second), 0);
    assertEquals(first.out(), second.out());
    assertStringIncludes(first.out(), `Usage: weir ${name}`);
    assertEquals(second.err(), "");
  });

  Deno.test(`the help of ${name} fits the terminal, except for words that are longer`, async () => {
    for (const columns of [80, 60]) {
      const cli = fakeCli({ columns });
      await runCli(["help", name], cli);
      for (const line of cli.out().split("\n")) {
        const isExampleOrHead = line.startsWith("    weir ") || line.startsWith("    kubectl ") ||
          line.startsWith("Usage: ") || line.startsWith("  -");
        assert(isExampleOrHead || line.length <= columns, line);
        assert(columns < 80 || line.length <= 80, line);
      }
    }
  });
}

const unknown: readonly [args: string[], message: string][] = [
  [["serv"], `weir: "serv" is not a command, did you mean "serve"?`],
  [["help", "chekc"], `weir: "chekc" is not a command, did you mean "check"?`],
  [
    ["banana"],
    `weir: "banana" is not a command, wanted serve, translate, check, explain, plan, install, version`,
  ],
  [["--manifests", "a"], `wanted the command first, as in "weir serve --manifests"`],
  [["a\u001b[2J"], `weir: "a\\u001b[2J" is not a command`],
];

for (const [args, message] of unknown) {
  Deno.test(`runCli() exits with 2 for ${JSON.stringify(args)}`, async () => {
    const cli = fakeCli();
    assertEquals(await runCli(args, cli), 2);
    assertStringIncludes(cli.err(), message);
    assertEquals(cli.out(), "");
  });
}

Deno.test("weir version prints text or JSON", async () => {
  const text = fakeCli();
  assertEquals(await runCli(["version"], text), 0);
  assertEquals(text.out(), "weir 1.2.3\ndeno 2.0.0 (v8 14.0, typescript 6.0, riscv-none)\n");
  const json = fakeCli();
  assertEquals(await runCli(["--version", "-o", "json"], json), 0);
  assertEquals(JSON.parse(json.out()), json.version);
});

Deno.test("weir version refuses what it does not know", async () => {
  const cli = fakeCli();
  assertEquals(await runCli(["version", "-o", "yaml", "extra"], cli), 2);
  assertStringIncludes(cli.err(), `-o: "yaml" is not one of "text", "json"`);
  assertStringIncludes(cli.err(), `"extra": is not a flag`);
});
