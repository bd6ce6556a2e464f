/**
 * Who may change inputs, and what the computation may not ask: read from the sources.
 *
 * What a user would lose: a writer of statuses that also wrote inputs would compute from what it wrote
 * itself, and one that looked at a clock would give two replicas two answers.
 */

import { assert, assertEquals } from "@std/assert";
import { maskSource } from "../../scripts/mask_source.ts";
import { checkSource } from "../../scripts/tidy_code.ts";

const root = new URL("../../", import.meta.url);

/** Every source file under a folder, as path and text. */
function* sources(folder: string): Generator<readonly [path: string, text: string]> {
  for (const { name, isDirectory } of Deno.readDirSync(new URL(`${folder}/`, root))) {
    const path = `${folder}/${name}`;
    if (isDirectory) yield* sources(path);
    else if (name.endsWith(".ts")) yield [path, Deno.readTextFileSync(new URL(path, root))];
  }
}

/**
 * The files that call a method of any object by this name, `this` and handlers of a feed aside. Only
 * these two folders know the state: what informers call is a handler.
 */
function callersOf(method: string): readonly string[] {
  const call = new RegExp(String.raw`(?<!\b(?:this|handler))\.${method}\(`);
  return [...sources("src/app"), ...sources("src/gateway")].filter(([, text]) =>
    call.test(maskSource(text))
  )
    .map(([path]) => path).sort();
}

/** Files that write inputs, by the method that they write with. */
const writers: Readonly<Record<string, readonly string[]>> = {
  upsert: [
    // From the feed to the state; the second notes what it passes on.
    "src/gateway/feed.ts",
    "src/gateway/input_changes.ts",
    // From the state through the door.
    "src/gateway/state.ts",
  ],
  setAddresses: ["src/gateway/address_claims.ts", "src/gateway/state.ts"],
  setApiBundle: ["src/app/engine.ts", "src/gateway/state.ts"],
  acknowledge: [
    // Assumed data planes of what is computed once: translate and plan.
    "src/app/compute_world.ts",
    // The data plane of a process.
    "src/app/kept_acknowledgements.ts",
    "src/app/plan_fork.ts",
    "src/gateway/data_plane_push.ts",
  ],
};

for (const [method, files] of Object.entries(writers)) {
  Deno.test(`Inputs are written by ${method}() from the few places that are known`, () => {
    assertEquals(callersOf(method), files);
  });
}

Deno.test("Writers of statuses cannot reach the inputs: they import nothing of the engine", () => {
  for (const [path, text] of sources("src/kube")) {
    assert(!/from "[^"]*\/gateway\//.test(text), path);
  }
});

Deno.test("What computes outputs asks no clock, no chance and no machine", () => {
  let fileCount = 0;
  for (const folder of ["src/query", "src/gateway", "src/dataplane"]) {
    for (const [path, text] of sources(folder)) {
      fileCount++;
      const banned = checkSource(path, text).filter(({ message }) => message.includes("()"));
      assertEquals(banned, [], path);
      assert(!/\bDeno\.|from "node:/.test(maskSource(text)), `${path} touches the machine`);
    }
  }
  assert(fileCount > 100, `${fileCount} files`);
});
