// What a user would lose: the file and line of a mistake, when another process has found it.

import { assertEquals } from "@std/assert";
import { joinManifests, type ManifestText } from "../../../src/app/joined_manifests.ts";
import { parseManifests } from "../../../src/localkube/manifests/parse_manifests.ts";

const service = (name: string): string =>
  `apiVersion: v1\nkind: Service\nmetadata: { name: ${name} }\n`;

const files: readonly ManifestText[] = [
  { file: "a.yaml", text: service("a") },
  { file: "no-end.yaml", text: `# comment\n---\n${service("b")}---\n${service("c").trimEnd()}` },
  { file: "empty.yaml", text: "" },
  { file: "directive.yaml", text: `\ufeff%YAML 1.2\n---\n${service("d")}` },
  { file: "open.yaml", text: `${service("e")}text: |\n  goes on` },
  { file: "broken.yaml", text: "x: [\n" },
  { file: "one.json", text: JSON.stringify({ apiVersion: "v1", kind: "Service", metadata: {} }) },
  { file: "last.yaml", text: service("f") },
];

Deno.test("joinManifests() makes one text in which every file reads as it does alone", () => {
  const { text, problems, locate } = joinManifests(files);
  assertEquals(problems, []);
  const joined = parseManifests("-", text);
  const alone = files.map(({ file, text }) => parseManifests(file, text));
  assertEquals(
    joined.documents.map(({ key, object }) => [key, object]),
    alone.flatMap(({ documents }) => documents.map(({ key, object }) => [key, object])),
  );
  assertEquals(
    joined.problems.map(locate),
    alone.flatMap(({ problems }) => problems.map((problem) => ({ ...problem }))),
  );
});

Deno.test("joinManifests() finds the file and line of every line", () => {
  const { text, locate } = joinManifests(files);
  const lines = text.split("\n");
  const at = (name: string): string => {
    const line = lines.findIndex((found) => found.includes(`name: ${name} `)) + 1;
    return locate({ source: `-:${line}`, object: "", field: "", message: "" }).source;
  };
  assertEquals(["a", "b", "c", "d", "e", "f"].map(at), [
    "a.yaml:3",
    "no-end.yaml:5",
    "no-end.yaml:9",
    "directive.yaml:5",
    "open.yaml:3",
    "last.yaml:3",
  ]);
});

Deno.test("joinManifests() finds the file that a message names, and leaves other words alone", () => {
  const { locate } = joinManifests(files);
  const located = locate({
    source: "",
    object: "Service default/a",
    field: "",
    message: "The object is defined already at -:3, not at b-:3 or in 'x -:3'",
  });
  assertEquals([located.source, located.message], [
    "",
    "The object is defined already at a.yaml:3, not at b-:3 or in 'x -:3'",
  ]);
});

Deno.test("joinManifests() leaves out what is no JSON although its name says so", () => {
  const { text, problems } = joinManifests([
    { file: "bad.json", text: "{a: 1}" },
    { file: "good.yaml", text: service("a") },
  ]);
  assertEquals(problems.map(({ source }) => source), ["bad.json:1"]);
  assertEquals(parseManifests("-", text).documents.length, 1);
});

Deno.test("joinManifests() of nothing is nothing", () => {
  assertEquals(joinManifests([]).text, "");
});
