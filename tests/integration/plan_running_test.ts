/**
 * `weir plan --api` against a running weir. What a user would lose: the same answer from the process
 * that serves as from a comparison of folders, with the file and line of what is wrong.
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { isRecord } from "../../src/kube/json_value.ts";
import { ApiClient } from "../fakes/api_client.ts";
import { webManifests as gateway, webRoute as route } from "../fakes/web_manifests.ts";
import { weirCommand, WeirProcess } from "../fakes/weir_process.ts";

async function weir(...args: readonly string[]) {
  const { code, stdout, stderr } = await weirCommand(args).output();
  const decoder = new TextDecoder();
  return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
}

Deno.test("weir plan --api answers as a comparison of folders does, and touches nothing", async () => {
  const root = await Deno.makeTempDir({ prefix: "weir-plan-api-" });
  const write = (name: string, text: string) => Deno.writeTextFile(`${root}/${name}`, text);
  try {
    for (const folder of ["live", "new", "wrong"]) await Deno.mkdir(`${root}/${folder}`);
    await write("live/gateway.yaml", gateway);
    await write("live/a.yaml", route("a", "/a"));
    await write("new/a.yaml", route("a", "/other"));
    await write("new/b.yaml", route("b", "/b"));
    await write("wrong/a.yaml", route("a", "/a"));
    await write("wrong/b.yaml", `# a comment\n${route("b", "no-slash")}`);
    await using running = new WeirProcess(`${root}/live`);
    const url = await running.ready();
    const common = ["plan", "-f", `${root}/new`, "-o", "json"];
    const asked = await weir(...common, "--api", url, "--delete=svc/default/app");
    const compared = await weir(
      ...common,
      "--data-plane=none",
      "--against",
      `${root}/live`,
      "--delete=svc/default/app",
    );
    assertEquals([asked.code, compared.code], [1, 1], asked.err);
    const { baseRevision: live, ...fromApi } = JSON.parse(asked.out);
    const { baseRevision: _, ...fromFiles } = JSON.parse(compared.out);
    assertEquals(fromApi, fromFiles);
    assert(fromApi.changeCount > 3 && fromApi.verdict === "worse");
    const after = await new ApiClient(url).json("/api/v1/state");
    assertEquals(isRecord(after) && after.revision, live);
    const wrong = await weir("plan", "-f", `${root}/wrong`, "--api", url);
    assertEquals(wrong.code, 3);
    assertStringIncludes(wrong.err, "b.yaml:8 HTTPRoute default/b");
    const nobody = await weir("plan", "-f", `${root}/new`, "--api", "http://127.0.0.1:1");
    assertEquals(nobody.code, 1);
    assertStringIncludes(nobody.err, "Ask http://127.0.0.1:1: there is no answer");
    assertStringIncludes(nobody.err, "wanted the address of the ready line");
    const large = `${root}/large.yaml`;
    await Deno.writeTextFile(large, `# ${"x".repeat(1024 * 1024)}\n`);
    const refused = await weir("plan", "-f", large, "--api", url);
    assertEquals(refused.code, 1);
    assertStringIncludes(refused.err, "it answered 413");
    assertEquals(await running.stop(), 0);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
