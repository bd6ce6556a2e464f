/**
 * The first look at a folder of manifests: what is found in it, what is left out, and what is said of
 * both. A user who is not told that a file was skipped looks for the fault in the wrong place.
 */

import { assertEquals } from "@std/assert";
import { SchemaAdmission } from "../../../../src/localkube/admission/schema_admission.ts";
import { MemoryCluster } from "../../../../src/localkube/store.ts";
import { FakeClock } from "../../../fakes/fake_clock.ts";
import { gatewayYaml, LoaderHarness } from "./loader_harness.ts";

Deno.test("ManifestsLoader.initialLoad() ends although links lead round in circles", async () => {
  const harness = new LoaderHarness();
  harness.files.folder("/m");
  harness.files.folder("/m/sub");
  harness.files.link("/m/sub/up", "/m");
  harness.files.link("/m/again", "/m/sub");
  harness.files.link("/m/self.yaml", "/m/self.yaml");
  harness.files.write("/m/sub/a.yaml", gatewayYaml("a"));
  await harness.loader.initialLoad();
  assertEquals(harness.names(), ["a"]);
  assertEquals(harness.problems(), [
    "self.yaml Follow the link: its links lead round in a circle",
  ]);
});

Deno.test("ManifestsLoader.initialLoad() skips hidden names and the leavings of editors", async () => {
  const harness = new LoaderHarness();
  harness.files.folder("/m");
  harness.files.folder("/m/.git");
  const skipped = [".hidden.yaml", ".#a.yaml", "#a.yaml#", "a.yaml~", "a.yaml.swp", "4913"];
  for (const name of [...skipped, "README.md", ".git/x.yaml"]) {
    harness.files.write(`/m/${name}`, gatewayYaml("unwanted"));
  }
  for (const name of ["a.yaml", "b.yml"]) {
    harness.files.write(`/m/${name}`, gatewayYaml(name[0] ?? ""));
  }
  await harness.loader.initialLoad();
  assertEquals(harness.names(), ["a", "b"]);
  assertEquals(harness.problems(), []);
});

Deno.test("ManifestsLoader.initialLoad() names each limit that it keeps", async () => {
  const limits = { fileBytesMax: 1000, filesMax: 2, depthMax: 1 };
  const harness = new LoaderHarness({ limits });
  harness.files.folder("/m");
  harness.files.folder("/m/sub");
  harness.files.folder("/m/sub/deep");
  harness.files.write("/m/a.yaml", gatewayYaml("a"));
  harness.files.write("/m/b.yaml", `${gatewayYaml("b")}# ${"x".repeat(1000)}`);
  harness.files.write("/m/t.yaml", gatewayYaml("t"));
  await harness.loader.initialLoad();
  assertEquals(harness.names(), ["a"]);
  assertEquals(harness.problems(), [
    "b.yaml Read the file: it is larger than 1000 bytes",
    "sub/deep Read the folder: it is too deep, folders are read 1 levels deep",
    "t.yaml Read the file: no more than 2 files are read, the rest is not",
  ]);
});

Deno.test("ManifestsLoader.initialLoad() ends in a tree without end, and says what it left out", async () => {
  const harness = new LoaderHarness({ limits: { namesMax: 20 } });
  harness.files.folder("/m");
  harness.files.write("/m/a.yaml", gatewayYaml("a"));
  harness.files.folder("/m/tree");
  for (let n = 0; n < 30; n++) harness.files.write(`/m/tree/${n}.txt`, "");
  harness.files.folder("/m/z");
  harness.files.write("/m/z/z.yaml", gatewayYaml("z"));
  await harness.loader.initialLoad();
  assertEquals(harness.names(), ["a"]);
  assertEquals(harness.problems(), [
    "tree Read the folder: no more than 20 names are looked at, the rest is not",
  ]);
});

Deno.test("ManifestsLoader.initialLoad() reads standard input beside files, in the given order", async () => {
  const harness = new LoaderHarness({
    paths: ["-", "/m", "/n.yaml"],
    standardInputText: gatewayYaml("a", "{from: input}"),
  });
  harness.files.folder("/m");
  harness.files.write("/m/a.yaml", gatewayYaml("a", "{from: folder}"));
  harness.files.write("/n.yaml", gatewayYaml("n"));
  await harness.loader.initialLoad();
  assertEquals(harness.get("a")?.spec, { from: "input" });
  assertEquals(harness.names(), ["a", "n"]);
  assertEquals(harness.problems(), [
    "/m/a.yaml:1 The object is defined already at -:1, this document is not used",
  ]);
});

Deno.test("ManifestsLoader.initialLoad() gives files without a time one shared creation time", async () => {
  const harness = new LoaderHarness();
  const dated = "{name: b, creationTimestamp: '2024-05-01T02:00:00+02:00'}";
  harness.files.folder("/m");
  harness.files.write("/m/a.yaml", gatewayYaml("a"));
  harness.files.write(
    "/m/b.yaml",
    gatewayYaml("b").replace("{name: b, namespace: default}", dated),
  );
  await harness.loader.initialLoad();
  assertEquals(harness.get("a")?.metadata.creationTimestamp, "1970-01-01T00:00:00Z");
  assertEquals(harness.get("b")?.metadata.creationTimestamp, "2024-05-01T00:00:00Z");
});

Deno.test("ManifestsLoader.initialLoad() tells faults of the object, no notes of the API server", async () => {
  // "<nil>: Invalid value: null: some validation rules were not checked …" reads like a fault of its own.
  const cluster = new MemoryCluster({
    admission: new SchemaAdmission(),
    clock: new FakeClock(),
    newUid: () => "uid",
  });
  const harness = new LoaderHarness({ cluster });
  const listeners = Array.from({ length: 64 }, (_, n) => `{name: ${n}}`).join(", ");
  harness.files.folder("/m");
  harness.files.write("/m/a.yaml", gatewayYaml("a"));
  harness.files.write("/m/b.yaml", gatewayYaml("b", `{listeners: [${listeners}]}`));
  await harness.loader.initialLoad();
  const problems = harness.loader.problems();
  assertEquals(problems.filter(({ field, message }) => /<nil>|null/.test(field + message)), []);
  assertEquals(
    problems.filter(({ source }) => source === "a.yaml:4").map(({ field, message }) =>
      `${field}: ${message}`
    ),
    ["spec.gatewayClassName: Required value", "spec.listeners: Required value"],
  );
  // The last entry counts what is not listed; it is about no field.
  assertEquals(problems.filter(({ field }) => field === "").length, 1);
});
