// Tokens are taken back and given while weir runs: who left must be denied soon, and a file that is
// half written must lock nobody out and let nobody in.

import { assertEquals } from "@std/assert";
import { TokenFile } from "../../../src/app/token_file.ts";
import { administrator, digestOf } from "../../../src/localkube/api/access.ts";
import { FakeClock } from "../../fakes/fake_clock.ts";
import { RecordingLog } from "../../fakes/recording_log.ts";

function usersText(...names: readonly string[]): string {
  return JSON.stringify({
    users: names.map((name) => ({ name, token: tokenOf(name), rules: [] })),
  });
}

function tokenOf(name: string): string {
  return `token-of-${name}-0123456789`;
}

async function open(first: string) {
  const file = { text: first as string | undefined, readCount: 0 };
  const clock = new FakeClock();
  const log = new RecordingLog();
  const tokens = await TokenFile.open({
    path: "tokens.yaml",
    readText: () => {
      file.readCount++;
      return file.text === undefined
        ? Promise.reject(new Error("no such file"))
        : Promise.resolve(file.text);
    },
    clock,
    log,
    others: new Map([[await digestOf(tokenOf("weir")), administrator("weir")]]),
  });
  const known = async (...names: readonly string[]): Promise<readonly string[]> => {
    const users = await Promise.all(
      names.map((name) => tokens.identify(`Bearer ${tokenOf(name)}`)),
    );
    return users.flatMap((user) => user?.name ?? []);
  };
  return { file, clock, log, known };
}

Deno.test("Users come and go with the file, after a time, and the others stay", async () => {
  const { file, clock, known } = await open(usersText("jane"));
  file.text = usersText("joe");
  assertEquals(await known("jane", "joe", "weir"), ["jane", "weir"]);
  await clock.advance(5_000);
  assertEquals(await known("jane", "joe", "weir"), ["joe", "weir"]);
  assertEquals(file.readCount, 2);
});

Deno.test("A file that is gone or broken changes nothing, and is told once", async () => {
  const { file, clock, log, known } = await open(usersText("jane"));
  for (const text of [undefined, "users: [", "users: [{}]"]) {
    file.text = text;
    const before = log.records.length;
    for (let look = 0; look < 3; look++) {
      await clock.advance(5_000);
      assertEquals(await known("jane", "joe"), ["jane"]);
    }
    assertEquals(log.records.length, before + 1);
  }
  file.text = usersText("joe");
  await clock.advance(5_000);
  assertEquals(await known("jane", "joe"), ["joe"]);
});
