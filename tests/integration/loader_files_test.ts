/**
 * The loader on a real folder with real watchers: the ways in which people, editors and Kubernetes
 * change files.
 */

import { assert, assertEquals } from "@std/assert";
import { systemClock } from "../../src/base/clock.ts";
import { DenoFileSystem } from "../../src/localkube/manifests/deno_file_system.ts";
import { ManifestsLoader } from "../../src/localkube/manifests/manifests_loader.ts";
import { gatewayYaml, limitMs, never, RealFolder } from "../fakes/real_folder.ts";
import { RecordingLog } from "../fakes/recording_log.ts";

Deno.test("ManifestsLoader.run() follows a file that is edited in place", async () => {
  await using folder = new RealFolder();
  folder.write("a.yaml", gatewayYaml("a", 1));
  await folder.start();
  const { uid } = folder.get("a")?.metadata ?? {};
  folder.write("a.yaml", gatewayYaml("a", 2));
  await folder.until(() => folder.get("a")?.metadata.generation === 2);
  assertEquals(folder.spec("a"), { n: 2 });
  assertEquals(folder.get("a")?.metadata.uid, uid);
});

Deno.test("ManifestsLoader.run() follows editors that write beside and rename over", async () => {
  await using folder = new RealFolder();
  folder.write("a.yaml", gatewayYaml("a", 1));
  await folder.start();
  for (const n of [2, 3, 4]) {
    folder.write(".a.yaml.swp", gatewayYaml("wrong", 0));
    await Deno.rename(`${folder.path}/m/a.yaml`, `${folder.path}/m/a.yaml~`);
    folder.write("new.tmp", gatewayYaml("a", n));
    await Deno.rename(`${folder.path}/m/new.tmp`, `${folder.path}/m/a.yaml`);
    await Deno.remove(`${folder.path}/m/a.yaml~`);
    await folder.until(() => folder.get("a")?.metadata.generation === n);
    assertEquals(folder.spec("a"), { n });
  }
  assertEquals(folder.get("wrong"), undefined);
});

Deno.test("ManifestsLoader.run() removes the objects of a deleted file", async () => {
  await using folder = new RealFolder();
  folder.write("a.yaml", gatewayYaml("a", 1));
  await folder.start();
  await Deno.remove(`${folder.path}/m/a.yaml`);
  await folder.until(() => folder.get("a") === undefined);
});

Deno.test("ManifestsLoader.run() follows folders that come, move and leave", async () => {
  await using folder = new RealFolder();
  await folder.start();
  await Deno.mkdir(`${folder.path}/m/sub/deep`, { recursive: true });
  folder.write("sub/deep/a.yaml", gatewayYaml("a", 1));
  await folder.until(() => folder.get("a") !== undefined);
  const { uid } = folder.get("a")?.metadata ?? {};
  await Deno.rename(`${folder.path}/m/sub`, `${folder.path}/m/moved`);
  folder.write("moved/deep/a.yaml", gatewayYaml("a", 2));
  await folder.until(() => folder.get("a")?.metadata.generation === 2);
  assertEquals(folder.get("a")?.metadata.uid, uid, "moving is no deletion");
  await Deno.rename(`${folder.path}/m/moved`, `${folder.path}/elsewhere`);
  await folder.until(() => folder.get("a") === undefined);
});

Deno.test("ManifestsLoader.run() follows the swap of a Kubernetes volume", async () => {
  await using folder = new RealFolder();
  const m = `${folder.path}/m`;
  await Deno.mkdir(`${m}/..1`);
  folder.write("..1/a.yaml", gatewayYaml("a", 1));
  await Deno.symlink("..1", `${m}/..data`);
  await Deno.symlink("..data/a.yaml", `${m}/a.yaml`);
  await folder.start();
  assertEquals(folder.spec("a"), { n: 1 });
  await Deno.mkdir(`${m}/..2`);
  folder.write("..2/a.yaml", gatewayYaml("a", 2));
  await Deno.symlink("..2", `${m}/..data_tmp`);
  await Deno.rename(`${m}/..data_tmp`, `${m}/..data`);
  await Deno.remove(`${m}/..1`, { recursive: true });
  await folder.until(() => folder.get("a")?.metadata.generation === 2);
  assertEquals(folder.problems(), []);
});

Deno.test("ManifestsLoader.run() keeps serving while a file is broken, and recovers", async () => {
  await using folder = new RealFolder();
  folder.write("a.yaml", gatewayYaml("a", 1));
  await folder.start();
  folder.write("a.yaml", gatewayYaml("a", 2).replace("{n: 2}", "{n: 2"));
  await folder.until(() => folder.problems().length === 1);
  assertEquals(folder.problems(), ["a.yaml:4"]);
  assertEquals(folder.spec("a"), { n: 1 });
  folder.write("a.yaml", gatewayYaml("a", 3));
  await folder.until(() => folder.problems().length === 0);
  assertEquals(folder.spec("a"), { n: 3 });
});

Deno.test("ManifestsLoader.run() never drops an object while its file is written slowly", async () => {
  await using folder = new RealFolder({ removalDelayMs: 500 });
  const text = (n: number): string => `${gatewayYaml("a", n)}---\n${gatewayYaml("b", n)}`;
  folder.write("a.yaml", text(1));
  await folder.start();
  let deletions = 0;
  const { resourceVersion } = folder.cluster.list("Gateway");
  folder.cluster.watch("Gateway", resourceVersion, ({ type }) => {
    if (type === "DELETED") deletions += 1;
  });
  for (const n of [2, 3]) {
    using file = await Deno.open(`${folder.path}/m/a.yaml`, { write: true, truncate: true });
    const bytes = new TextEncoder().encode(text(n));
    for (let start = 0; start < bytes.length; start += 60) {
      await systemClock.sleep(20);
      await file.write(bytes.subarray(start, start + 60));
    }
    await folder.until(() => folder.get("b")?.metadata.generation === n);
    assertEquals(folder.spec("a"), { n });
  }
  assertEquals(deletions, 0);
});

Deno.test("ManifestsLoader.run() finds by rescans what happens behind a link", async () => {
  await using folder = new RealFolder({ rescanMs: 50 });
  await Deno.mkdir(`${folder.path}/elsewhere`);
  await Deno.writeTextFile(`${folder.path}/elsewhere/real.yaml`, gatewayYaml("a", 1));
  await Deno.symlink(`${folder.path}/elsewhere/real.yaml`, `${folder.path}/m/a.yaml`);
  await folder.start();
  assertEquals(folder.spec("a"), { n: 1 });
  await Deno.writeTextFile(`${folder.path}/elsewhere/real.yaml`, gatewayYaml("a", 2));
  await folder.until(() => folder.get("a")?.metadata.generation === 2);
});

Deno.test("ManifestsLoader.run() keeps what is in service while the folder is away", async () => {
  await using folder = new RealFolder({ rescanMs: 50 });
  folder.write("a.yaml", gatewayYaml("a", 1));
  await folder.start();
  await Deno.rename(`${folder.path}/m`, `${folder.path}/away`);
  await folder.until(() => folder.problems().length === 1);
  assertEquals(folder.spec("a"), { n: 1 });
  await Deno.rename(`${folder.path}/away`, `${folder.path}/m`);
  await folder.until(() => folder.problems().length === 0);
  folder.write("a.yaml", gatewayYaml("a", 2));
  await folder.until(() => folder.get("a")?.metadata.generation === 2);
});

Deno.test("ManifestsLoader.initialLoad() tells files that are no text or no files", async () => {
  await using folder = new RealFolder();
  await Deno.writeFile(`${folder.path}/m/a.yaml`, new Uint8Array([0xff, 0xfe, 0x41]));
  await Deno.mkdir(`${folder.path}/m/b.yaml`);
  folder.write("c.yaml", gatewayYaml("c", 1));
  await folder.loader.initialLoad();
  assertEquals(folder.loader.problems().map(({ source, message }) => `${source} ${message}`), [
    "a.yaml Read the file: it is not UTF-8 text",
  ]);
  assertEquals(folder.spec("c"), { n: 1 });
});

Deno.test("ManifestsLoader.run() follows a single file that is replaced", async () => {
  await using folder = new RealFolder();
  const path = `${folder.path}/m/one.yaml`;
  folder.write("one.yaml", gatewayYaml("one", 1));
  folder.write("other.yaml", gatewayYaml("other", 1));
  const stop = new AbortController();
  const loader = new ManifestsLoader({
    paths: [path],
    cluster: folder.cluster,
    fileSystem: new DenoFileSystem(),
    clock: systemClock,
    log: new RecordingLog(),
    times: { rescanMs: never },
  });
  const running = loader.run(stop.signal);
  try {
    await folder.until(() => folder.get("one") !== undefined);
    for (let n = 2; folder.get("one")?.metadata.generation !== 4; n++) {
      await Deno.writeTextFile(`${path}.tmp`, gatewayYaml("one", n));
      await Deno.rename(`${path}.tmp`, path);
      await systemClock.sleep(30);
      assert(n < limitMs / 30);
    }
    assertEquals(folder.get("other"), undefined);
  } finally {
    stop.abort();
    await running;
  }
});
