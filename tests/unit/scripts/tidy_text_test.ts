/** Without these the documents would rot: dead links, tasks that are gone, words that confuse. */

import { assertEquals } from "@std/assert";
import { checkDocument, checkWords } from "../../../scripts/tidy_text.ts";

const context = {
  exists: (path: string) => ["README.md", "docs/testing.md", "docs", "LICENSE"].includes(path),
  textOf: (path: string) => path === "docs/testing.md" ? "# Testing\n\n## The ladder, again\n" : "",
  tasks: new Set(["test", "test:unit", "e2e"]),
};

function messages(file: string, text: string): string[] {
  return checkDocument(file, text, context).map(({ line, message }) => `${line}: ${message}`);
}

Deno.test("checkDocument() accepts one title, links that lead somewhere and tasks that exist", () => {
  const text = [
    "# Weir",
    "[a](docs/testing.md) [b](docs/testing.md#the-ladder-again) [c](#next) [d](LICENSE) [e](docs/)",
    "## Next",
    "[web](https://gateway-api.sigs.k8s.io/) `[x](nowhere)`",
    "```sh",
    "# not a title",
    "npx -y deno@2.9.6 task test && deno task test:unit && deno task e2e",
    "```",
  ].join("\n");
  assertEquals(messages("README.md", text), []);
});

Deno.test("checkDocument() finds dead links and anchors, relative to the document", () => {
  assertEquals(messages("docs/testing.md", "# A\n[a](docs/testing.md)\n[b](../README.md)\n"), [
    '2: link "docs/testing.md" leads nowhere',
  ]);
  assertEquals(messages("README.md", "# A\n\n[a](docs/testing.md#ladder) [b](#b)\n"), [
    '3: link "docs/testing.md#ladder" names no heading',
    '3: link "#b" names no heading',
  ]);
});

Deno.test("checkDocument() finds missing and second titles", () => {
  assertEquals(messages("README.md", "Weir\n"), ["1: the first line is not the title"]);
  assertEquals(messages("README.md", "# A\n\n# B\n"), ["3: a document has one title"]);
});

Deno.test("checkDocument() finds tasks that do not exist, in prose and in code", () => {
  assertEquals(
    messages("README.md", "# A\n`deno task tset`\n```\nnpx -y deno@2.9.6 task go\n```"),
    [
      '2: task "tset" does not exist',
      '4: task "go" does not exist',
    ],
  );
});

Deno.test("checkWords() bans words in any text, and misspelled kinds in documents", () => {
  const words = (file: string, text: string): string[] =>
    checkWords(file, text).map(({ line, message }) => `${line}: ${message}`);
  assertEquals(words("src/a.ts", "// briefly, a brief look at gateway.networking.k8s.io\n"), []);
  assertEquals(words("src/a.ts", `// see ${"bri" + "ef"} 1\n`), [
    `1: "${"bri" + "ef"} 1" is banned, use nothing: the project explains itself`,
  ]);
  assertEquals(words("a.md", `An ${"end" + " point"} on ${"k8" + "s"}`).length, 2);
  assertEquals(words("a.md", "An HttpRoute, and `HttpRouteEntry` in code"), [
    '1: "HttpRoute" is spelled otherwise in the API',
  ]);
  assertEquals(words("src/a.ts", "const route: HttpRoute = x;"), []);
});
