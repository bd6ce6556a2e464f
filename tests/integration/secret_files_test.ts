// What a user would lose: which file is meant, and what is wrong with it, when a kubeconfig or a file
// of tokens is mistyped.

import { assertEquals, assertRejects } from "@std/assert";
import { readSettingsFile } from "../../src/app/secret_files.ts";

Deno.test("readSettingsFile() names the file and says why it cannot be read", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const missing = `${folder}/tokens.yaml`;
    const none = await assertRejects(() => readSettingsFile(missing), Error);
    assertEquals(none.message, `"${missing}" cannot be read: there is no such file`);
    const wrong = await assertRejects(() => readSettingsFile(folder), Error);
    assertEquals(wrong.message, `"${folder}" cannot be read: it is a folder, wanted a file`);
    await Deno.writeTextFile(missing, "users: []");
    assertEquals(await readSettingsFile(missing), "users: []");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
