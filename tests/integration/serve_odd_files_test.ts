/**
 * `weir serve` on a folder that holds what is no manifest file.
 *
 * What a user would lose: a gateway that follows edits and ends when it is told to. Each of these
 * once stopped one or the other for ever.
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { parse } from "valibot";
import { StateSummarySchema } from "../../src/api/state.ts";
import { ApiClient } from "../fakes/api_client.ts";
import { gatewayYaml } from "../fakes/real_folder.ts";
import { weirCommand, WeirProcess } from "../fakes/weir_process.ts";

async function makePipe(path: string): Promise<void> {
  const { success } = await new Deno.Command("mkfifo", { args: [path] }).output();
  assert(success, "mkfifo failed");
}

Deno.test({
  name: "weir serve goes on, and ends, although a pipe takes the place of a manifest",
  ignore: Deno.build.os === "windows",
  async fn() {
    const folder = await Deno.makeTempDir({ prefix: "weir-odd-" });
    const write = (name: string): Promise<void> =>
      Deno.writeTextFile(`${folder}/${name}.yaml`, gatewayYaml(name, 1));
    try {
      await makePipe(`${folder}/before.yaml`);
      await write("a");
      await using weir = new WeirProcess(folder, ["--rescan-interval=100ms"]);
      await weir.ready();
      await weir.until(() => weir.errors.includes("source=before.yaml"), "the pipe is a problem");
      await Deno.remove(`${folder}/a.yaml`);
      await makePipe(`${folder}/a.yaml`);
      await weir.until(() => weir.errors.includes("source=a.yaml "), "it is no file any more");
      await write("b");
      await weir.until(() => weir.errors.includes('object="Gateway default/b"'), "b is seen");
      assertEquals(await weir.stop(), 0);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});

Deno.test({
  name: "weir translate says that a pipe is no file instead of printing nothing",
  ignore: Deno.build.os === "windows",
  async fn() {
    const folder = await Deno.makeTempDir({ prefix: "weir-odd-" });
    try {
      await makePipe(`${folder}/p.yaml`);
      for (const command of ["translate", "check"]) {
        const { code, stderr } = await weirCommand([command, "-f", `${folder}/p.yaml`]).output();
        assertStringIncludes(
          new TextDecoder().decode(stderr),
          'it is neither a file nor a folder, wanted "-f -" to read a pipe',
        );
        assertEquals(code, 1);
      }
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});

Deno.test("weir serve reads manifests from standard input, as weir check does", async () => {
  // "kustomize build | weir serve --manifests -" once was ready at once and served nothing.
  await using weir = new WeirProcess("-", [], "piped");
  const input = weir.child.stdin.getWriter();
  await input.write(new TextEncoder().encode(gatewayYaml("piped", 1)));
  await input.close();
  const url = await weir.ready();
  const { problems } = parse(StateSummarySchema, await new ApiClient(url).json("/api/v1/state"));
  // Read and refused: the Gateway of this suite has no listeners.
  assertEquals(problems[0]?.source, "-:4");
  assertEquals(await weir.stop(), 0);
});

Deno.test("weir serve and weir check refuse standard input that is no text", async () => {
  const args = ["--data-plane=none", "--features=-proxy", "--api-address=127.0.0.1:0"];
  for (const command of ["serve", "check"]) {
    const child = weirCommand([command, "--manifests=-", ...args], { stdin: "piped" }).spawn();
    const input = child.stdin.getWriter();
    await input.write(new Uint8Array([0xff, 0xfe, 0x41]));
    await input.close();
    const { code, stderr } = await child.output();
    assertStringIncludes(new TextDecoder().decode(stderr), "it is not UTF-8 text");
    assertEquals(code, 1);
  }
});

Deno.test({
  name: "weir check tells files and folders whose names are not UTF-8",
  // They once were passed over in silence. Only Linux lets such names exist, only a shell makes them.
  ignore: Deno.build.os !== "linux",
  async fn() {
    const folder = await Deno.makeTempDir({ prefix: "weir-odd-" });
    try {
      const script = "mkdir \"$1/d$(printf '\\377')\" && touch \"$1/f$(printf '\\377').yaml\"";
      const { success } = await new Deno.Command("sh", { args: ["-c", script, "sh", folder] })
        .output();
      assert(success);
      const { code, stdout } = await weirCommand(["check", "-f", folder]).output();
      assertEquals(
        new TextDecoder().decode(stdout),
        "d\ufffd: Read the name: it is not UTF-8 text\n" +
          "f\ufffd.yaml: Read the name: it is not UTF-8 text\n2 problems, 0 warnings\n",
      );
      assertEquals(code, 3);
    } finally {
      await new Deno.Command("rm", { args: ["-r", folder] }).output();
    }
  },
});
