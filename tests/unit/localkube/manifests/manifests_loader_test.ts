/**
 * What a person who edits manifest files relies on: edits arrive, nothing that is in service goes by
 * accident, and every fault is told once, with its place.
 */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { gatewayYaml, LoaderHarness, yamlStream } from "./loader_harness.ts";

Deno.test("ManifestsLoader.run() applies an edit within the quiet time and says so", async () => {
  await using harness = new LoaderHarness();
  harness.files.folder("/m");
  harness.files.write("/m/a.yaml", yamlStream(gatewayYaml("a"), gatewayYaml("b")));
  await harness.start();
  const { uid, resourceVersion } = harness.get("b")?.metadata ?? {};
  harness.files.write("/m/a.yaml", yamlStream(gatewayYaml("a", "{n: 1}"), gatewayYaml("b")));
  await harness.clock.advance(10);
  assertEquals(harness.get("a")?.spec, { n: 1 });
  assertEquals(harness.get("a")?.metadata.generation, 2);
  assertEquals(harness.applied(), ["configured Gateway default/a"]);
  assertEquals(harness.get("b")?.metadata, { ...harness.get("b")?.metadata, uid, resourceVersion });
});

Deno.test("ManifestsLoader.run() finds new, moved and deleted files in new and moved folders", async () => {
  await using harness = new LoaderHarness();
  harness.files.folder("/m");
  await harness.start();
  harness.files.folder("/m/sub");
  harness.files.write("/m/sub/a.yaml", gatewayYaml("a"));
  harness.files.write("/m/sub/b.json", JSON.stringify({ kind: "Nothing" }));
  await harness.clock.advance(10);
  assertEquals(harness.names(), ["a"]);
  const { uid } = harness.get("a")?.metadata ?? {};
  harness.files.rename("/m/sub", "/m/moved");
  await harness.clock.advance(200);
  assertEquals(harness.get("a")?.metadata.uid, uid, "a moved file keeps its objects");
  assertEquals(harness.problems().length, 1);
  assertStringIncludes(harness.problems()[0] ?? "", "moved/b.json:1");
  harness.files.remove("/m/moved");
  await harness.clock.advance(200);
  assertEquals(harness.names(), []);
  assertEquals(harness.problems(), []);
});

Deno.test("ManifestsLoader.run() keeps objects while a file is written in two steps", async () => {
  await using harness = new LoaderHarness();
  harness.files.folder("/m");
  const text = yamlStream(gatewayYaml("a"), gatewayYaml("b"));
  harness.files.write("/m/a.yaml", text);
  await harness.start();
  const { uid } = harness.get("b")?.metadata ?? {};
  for (const partial of ["", text.slice(0, text.indexOf("---")), text.slice(0, -20)]) {
    harness.files.write("/m/a.yaml", partial);
    await harness.clock.advance(30);
    assertEquals(harness.names(), ["a", "b"], `seen with ${partial.length} characters`);
    harness.files.write("/m/a.yaml", text);
    await harness.clock.advance(200);
    assertEquals(harness.get("b")?.metadata.uid, uid);
  }
  assert(!harness.applied().some((line) => line.startsWith("deleted")));
});

Deno.test("ManifestsLoader.run() removes what is gone from a file after the delay", async () => {
  await using harness = new LoaderHarness();
  harness.files.folder("/m");
  harness.files.write("/m/a.yaml", yamlStream(gatewayYaml("a"), gatewayYaml("b")));
  await harness.start();
  harness.files.write("/m/a.yaml", gatewayYaml("a"));
  await harness.clock.advance(40);
  assertEquals(harness.names(), ["a", "b"]);
  await harness.clock.advance(40);
  assertEquals(harness.names(), ["a"]);
  harness.files.write("/m/a.yaml", "");
  await harness.clock.advance(80);
  assertEquals(harness.names(), []);
  assertEquals(harness.applied(), ["deleted Gateway default/b", "deleted Gateway default/a"]);
});

Deno.test("ManifestsLoader.run() keeps the last good version of a document that breaks", async () => {
  await using harness = new LoaderHarness();
  harness.files.folder("/m");
  harness.files.write(
    "/m/a.yaml",
    yamlStream(gatewayYaml("a"), gatewayYaml("b"), gatewayYaml("c")),
  );
  await harness.start();
  const broken = yamlStream(
    gatewayYaml("a", "{n: 1}"),
    gatewayYaml("b", "{n: ["),
    gatewayYaml("c"),
  );
  harness.files.write("/m/a.yaml", broken);
  await harness.clock.advance(500);
  assertEquals(harness.names(), ["a", "b", "c"], "no document takes another with it");
  assertEquals(harness.get("a")?.spec, { n: 1 });
  assertEquals(harness.get("b")?.spec, {});
  assertEquals(harness.problems().length, 1);
  assertMatch(
    harness.problems()[0] ?? "",
    /^a.yaml:\d+ Cannot read the document: .*; what the file defined before stays in service$/,
  );
  harness.files.write("/m/a.yaml", yamlStream(gatewayYaml("a", "{n: 1}"), gatewayYaml("c")));
  await harness.clock.advance(500);
  assertEquals(harness.names(), ["a", "c"], "once it is readable, what is gone goes");
  assertEquals(harness.problems(), []);
});

Deno.test("ManifestsLoader.run() keeps an object whose kind or name is mistyped", async () => {
  await using harness = new LoaderHarness();
  harness.files.folder("/m");
  harness.files.write("/m/a.yaml", gatewayYaml("a"));
  await harness.start();
  harness.files.write("/m/a.yaml", gatewayYaml("a").replace("Gateway", "Gatewai"));
  await harness.clock.advance(500);
  assertEquals(harness.names(), ["a"]);
  assertStringIncludes(harness.problems()[0] ?? "", 'did you mean "Gateway"?');
});

Deno.test("ManifestsLoader.run() keeps the version before one that admission refuses", async () => {
  await using harness = new LoaderHarness();
  harness.files.folder("/m");
  harness.files.write("/m/a.yaml", gatewayYaml("a", "{n: 1}"));
  harness.files.write("/m/b.yaml", gatewayYaml("b", "{forbidden: 1}"));
  await harness.start();
  assertEquals(harness.names(), ["a"], "refused from the start is absent");
  harness.files.write("/m/a.yaml", gatewayYaml("a", "{forbidden: 2}"));
  await harness.clock.advance(10);
  assertEquals(harness.get("a")?.spec, { n: 1 });
  const problems = [
    "a.yaml:4 Forbidden: not in this suite; the version before it stays in service",
    "b.yaml:4 Forbidden: not in this suite",
  ];
  assertEquals(harness.problems(), problems);
  harness.files.write("/m/a.yaml", `# a line more\n${gatewayYaml("a", "{forbidden: 2}")}`);
  await harness.clock.advance(10);
  assertStringIncludes(harness.problems()[0] ?? "", "a.yaml:5 ");
  harness.files.remove("/m/a.yaml");
  await harness.clock.advance(100);
  assertEquals(harness.names(), [], "a file that goes takes its last good version along");
});

Deno.test("ManifestsLoader.run() logs a problem once, and once that it is gone", async () => {
  await using harness = new LoaderHarness();
  harness.files.folder("/m");
  harness.files.write("/m/a.yaml", gatewayYaml("a", "{forbidden: 1}"));
  await harness.start();
  await harness.clock.advance(20_000);
  harness.files.write("/m/a.yaml", `\n\n${gatewayYaml("a", "{forbidden: 1}")}`);
  await harness.clock.advance(10);
  const count = (message: string): number =>
    harness.log.records.filter((record) => record.message === message).length;
  assertEquals(count("Manifest problem"), 1);
  assertEquals(count("Manifest problem resolved"), 0);
  harness.files.write("/m/a.yaml", gatewayYaml("a"));
  await harness.clock.advance(10);
  assertEquals([count("Manifest problem"), count("Manifest problem resolved")], [1, 1]);
});

Deno.test("ManifestsLoader.run() counts all problems and calls none resolved that others push off the list", async () => {
  await using harness = new LoaderHarness();
  const refused = (count: number, prefix: string): string =>
    yamlStream(
      ...Array.from({ length: count }, (_, n) => gatewayYaml(`${prefix}${n}`, "{forbidden: 1}")),
    );
  harness.files.folder("/m");
  harness.files.write("/m/b.yaml", refused(1500, "b"));
  await harness.start();
  assertEquals(harness.loader.problemCount, 1500);
  assertEquals(harness.problems().length, 1001);
  assertEquals(harness.problems().at(-1), " 500 more problems are not listed");
  harness.files.write("/m/a.yaml", refused(10, "a"));
  await harness.clock.advance(10);
  assertEquals(harness.loader.problemCount, 1510);
  const told = harness.log.records.map(({ message }) => message);
  assertEquals(told.filter((message) => /resolved/.test(message)), []);
});

Deno.test("ManifestsLoader.run() makes unknown fields a problem, other warnings a log line", async () => {
  const harness = new LoaderHarness();
  harness.files.folder("/m");
  harness.files.write(
    "/m/a.yaml",
    gatewayYaml("a", "\n  warned: [old version, 'unknown field \"spec.b\"']\n  b: 1"),
  );
  await harness.loader.initialLoad();
  assertEquals(harness.names(), ["a"]);
  assertEquals(harness.problems(), ['a.yaml:6 unknown field "spec.b"']);
  const warnings = harness.log.records.map(({ fields }) => fields.warning);
  assertEquals(warnings.filter((warning) => warning !== undefined), ["old version"]);
});

Deno.test("ManifestsLoader.run() lets the first of two files win and the other take over", async () => {
  await using harness = new LoaderHarness();
  harness.files.folder("/m");
  harness.files.write("/m/b.yaml", gatewayYaml("a", "{from: b}"));
  await harness.start();
  assertEquals(harness.get("a")?.spec, { from: "b" });
  harness.files.write("/m/a.yaml", gatewayYaml("a", "{from: a}"));
  await harness.clock.advance(10);
  assertEquals(harness.get("a")?.spec, { from: "a" }, "the order of names counts, not of time");
  assertEquals(harness.problems(), [
    "b.yaml:1 The object is defined already at a.yaml:1, this document is not used",
  ]);
  const { uid } = harness.get("a")?.metadata ?? {};
  harness.files.remove("/m/a.yaml");
  await harness.clock.advance(200);
  assertEquals(harness.get("a")?.spec, { from: "b" });
  assertEquals(harness.get("a")?.metadata.uid, uid);
  assertEquals(harness.problems(), []);
});

Deno.test("ManifestsLoader.run() finds by rescans what no watcher tells", async () => {
  await using harness = new LoaderHarness();
  harness.files.tellsWatchers = false;
  harness.files.folder("/m");
  harness.files.write("/m/a.yaml", gatewayYaml("a"));
  await harness.start();
  harness.files.write("/m/a.yaml", gatewayYaml("a", "{n: 1}"));
  harness.files.write("/m/b.yaml", gatewayYaml("b"));
  await harness.clock.advance(2100);
  assertEquals(harness.get("a")?.spec, { n: 1 });
  assertEquals(harness.names(), ["a", "b"]);
  const readCount = harness.files.reads.length;
  await harness.clock.advance(20_000);
  assertEquals(harness.files.reads.length, readCount, "an unchanged file is not read again");
});

Deno.test("ManifestsLoader.run() goes on without a watcher and says so once", async () => {
  await using harness = new LoaderHarness();
  harness.files.watchError = new Error("too many watches");
  harness.files.folder("/m");
  await harness.start();
  harness.files.write("/m/a.yaml", gatewayYaml("a"));
  await harness.clock.advance(10_000);
  assertEquals(harness.names(), ["a"]);
  assertEquals(harness.log.records.filter(({ level }) => level === "warn").length, 1);
  harness.files.watchError = undefined;
  await harness.clock.advance(3000);
  assertEquals(harness.files.watcherCount, 1);
});

Deno.test("ManifestsLoader.run() keeps everything while a given path is gone", async () => {
  await using harness = new LoaderHarness();
  harness.files.folder("/m");
  harness.files.write("/m/a.yaml", gatewayYaml("a"));
  await harness.start();
  harness.files.remove("/m");
  await harness.clock.advance(10_000);
  assertEquals(harness.names(), ["a"]);
  assertEquals(harness.problems(), ["/m Read the path: it does not exist"]);
  harness.files.folder("/m");
  harness.files.write("/m/b.yaml", gatewayYaml("b"));
  await harness.clock.advance(10_000);
  assertEquals(harness.names(), ["b"]);
  harness.files.write("/m/b.yaml", gatewayYaml("b", "{n: 1}"));
  await harness.clock.advance(10);
  assertEquals(harness.get("b")?.spec, { n: 1 }, "the new folder is watched");
});

Deno.test("ManifestsLoader.run() waits for a folder that does not exist yet", async () => {
  await using harness = new LoaderHarness();
  await harness.start();
  assert(harness.loader.hasSynced);
  assertEquals(harness.problems(), ["/m Read the path: it does not exist"]);
  assertEquals(harness.loader.unseenPaths(), ["/m"], "readiness waits for it");
  harness.files.folder("/m");
  harness.files.write("/m/a.yaml", gatewayYaml("a"));
  await harness.clock.advance(5000);
  assertEquals(harness.loader.unseenPaths(), []);
  assertEquals(harness.names(), ["a"]);
  assertEquals(harness.problems(), []);
});

Deno.test("ManifestsLoader.run() keeps what a file or folder defined that may not be read", async () => {
  await using harness = new LoaderHarness();
  harness.files.folder("/m");
  harness.files.folder("/m/sub");
  harness.files.write("/m/a.yaml", gatewayYaml("a"));
  harness.files.write("/m/sub/b.yaml", gatewayYaml("b"));
  await harness.start();
  harness.files.fail("/m/sub", "denied");
  harness.files.fail("/m/a.yaml", "denied");
  await harness.clock.advance(10_000);
  assertEquals(harness.names(), ["a", "b"]);
  assertEquals(harness.problems(), [
    "a.yaml Read the file: it is denied",
    "sub Read the folder: it is denied",
  ]);
  assertEquals(harness.log.records.filter(({ level }) => level === "warn").length, 2);
  harness.files.fail("/m/sub", undefined);
  harness.files.fail("/m/a.yaml", undefined);
  await harness.clock.advance(10_000);
  assertEquals(harness.problems(), []);
});

Deno.test("ManifestsLoader.run() keeps what a file defined that became unreadable", async () => {
  await using harness = new LoaderHarness({ limits: { fileBytesMax: 200 } });
  harness.files.folder("/m");
  harness.files.write("/m/a.yaml", gatewayYaml("a"));
  await harness.start();
  harness.files.write("/m/a.yaml", `${gatewayYaml("a", "{n: 1}")}# ${"x".repeat(200)}`);
  await harness.clock.advance(10_000);
  assertEquals(harness.get("a")?.spec, {});
  assertEquals(harness.problems(), [
    "a.yaml Read the file: it is larger than 200 bytes; what it defined stays in service",
  ]);
  harness.files.write("/m/a.yaml", gatewayYaml("a", "{n: 1}"));
  await harness.clock.advance(10);
  assertEquals(harness.get("a")?.spec, { n: 1 });
  assertEquals(harness.problems(), []);
});

Deno.test("ManifestsLoader.run() keeps what is in service when a limit cuts it off", async () => {
  // Somebody unpacks an archive into the folder: routes behind it in the order of names must not go.
  await using harness = new LoaderHarness({ limits: { filesMax: 3, namesMax: 20 } });
  harness.files.folder("/m");
  for (const name of ["x", "y", "z"]) harness.files.write(`/m/${name}.yaml`, gatewayYaml(name));
  await harness.start();
  harness.files.write("/m/a.yaml", gatewayYaml("a"));
  harness.files.folder("/m/archive");
  for (let n = 0; n < 30; n++) harness.files.write(`/m/archive/${n}.txt`, "");
  await harness.clock.advance(20_000);
  assertEquals(harness.names(), ["a", "x", "y", "z"]);
  assert(harness.problems().length > 0);
  harness.files.remove("/m/z.yaml");
  await harness.clock.advance(20_000);
  assertEquals(harness.names(), ["a", "x", "y"], "what is really gone goes");
  harness.files.remove("/m/archive");
  harness.files.remove("/m/a.yaml");
  await harness.clock.advance(20_000);
  assertEquals(harness.names(), ["x", "y"]);
  assertEquals(harness.problems(), []);
});

Deno.test("ManifestsLoader.run() looks at files that never rest after the longest wait", async () => {
  await using harness = new LoaderHarness();
  harness.files.folder("/m");
  harness.files.write("/m/a.yaml", gatewayYaml("a"));
  await harness.start();
  let n = 0;
  for (; n < 100 && harness.get("a")?.metadata.generation === 1; n++) {
    harness.files.write("/m/a.yaml", gatewayYaml("a", `{n: ${n}}`));
    await harness.clock.advance(3);
  }
  assert(n > 10 && n < 20, `it took ${n * 3} ms`);
});

Deno.test("ManifestsLoader.run() trusts a watcher more than the version of a file", async () => {
  await using harness = new LoaderHarness();
  harness.files.folder("/m");
  harness.files.write("/m/a.yaml", gatewayYaml("a"));
  await harness.start();
  harness.files.writeSameVersion("/m/a.yaml", gatewayYaml("a", "{n: 1}"));
  await harness.clock.advance(10);
  assertEquals(harness.get("a")?.spec, { n: 1 });
  harness.files.writeSameVersion("/m/a.yaml", gatewayYaml("a", "{n: 2}"));
  harness.files.write("/m/new.yaml", gatewayYaml("new"));
  await harness.clock.advance(10);
  assertEquals(harness.get("a")?.spec, { n: 2 }, "also in a look at everything");
});

Deno.test("ManifestsLoader.run() follows the links of a Kubernetes volume through a swap", async () => {
  await using harness = new LoaderHarness();
  harness.files.folder("/m");
  harness.files.folder("/m/..1");
  harness.files.write("/m/..1/a.yaml", gatewayYaml("a", "{n: 1}"));
  harness.files.link("/m/..data", "..1");
  harness.files.link("/m/a.yaml", "..data/a.yaml");
  await harness.start();
  assertEquals(harness.get("a")?.spec, { n: 1 });
  const { uid } = harness.get("a")?.metadata ?? {};
  harness.files.folder("/m/..2");
  harness.files.write("/m/..2/a.yaml", gatewayYaml("a", "{n: 2}"));
  harness.files.link("/m/..data_tmp", "..2");
  harness.files.rename("/m/..data_tmp", "/m/..data");
  harness.files.remove("/m/..1");
  await harness.clock.advance(60);
  assertEquals(harness.get("a")?.spec, { n: 2 });
  assertEquals(harness.get("a")?.metadata.uid, uid);
  assertEquals(harness.problems(), []);
});
