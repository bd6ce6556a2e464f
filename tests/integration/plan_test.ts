/**
 * `weir plan` on real files. What a user would lose: comparing two folders, with what is gone from
 * one of them, and without either being touched.
 */

import { assert, assertEquals, assertRejects } from "@std/assert";
import type { Plan } from "../../src/api/plan.ts";
import { planManifests } from "../../src/app/plan.ts";
import type { PlanRequest } from "../../src/cli/context.ts";
import { planFlags } from "../../src/cli/plan_flags.ts";
import { decodeSettings } from "../../src/config/decode_settings.ts";
import { webManifests as gateway, webRoute as route } from "../fakes/web_manifests.ts";

const { settings } = decodeSettings(planFlags, []);

/** Folders with these files, for the time of `use`. */
async function withFolders(
  folders: Readonly<Record<"old" | "new", Readonly<Record<string, string>>>>,
  use: (plan: (more?: Partial<PlanRequest>) => Promise<Plan>) => Promise<void>,
): Promise<void> {
  const root = await Deno.makeTempDir({ prefix: "weir-plan-" });
  try {
    for (const [folder, files] of Object.entries(folders)) {
      await Deno.mkdir(`${root}/${folder}`);
      for (const [name, text] of Object.entries(files)) {
        await Deno.writeTextFile(`${root}/${folder}/${name}`, text);
      }
    }
    await use(async (more = {}) => {
      const { plan } = await planManifests({
        inputs: [`${root}/new`],
        against: [`${root}/old`],
        deletions: [],
        prunes: false,
        settings,
        ...more,
      });
      return plan;
    });
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

const folders = {
  old: { "gateway.yaml": gateway, "a.yaml": route("a", "/a"), "b.yaml": route("b", "/b") },
  new: { "gateway.yaml": gateway, "a.yaml": route("a", "/other") },
};

Deno.test("weir plan leaves alone what the proposal does not name, unless it prunes", async () => {
  await withFolders(folders, async (plan) => {
    const applied = await plan();
    assertEquals(new Set(applied.changes.map(({ name }) => name)), new Set(["a"]));
    assertEquals(applied.verdict, "changed");
    const pruned = await plan({ prunes: true });
    assertEquals(new Set(pruned.changes.map(({ name }) => name)), new Set(["web", "a", "b"]));
    assert(
      pruned.changes.some(({ name, path, after }) =>
        name === "b" && path.startsWith("served[") && after === null
      ),
    );
  });
});

Deno.test("weir plan finds nothing between equal folders", async () => {
  await withFolders({ old: folders.old, new: folders.old }, async (plan) => {
    const { verdict, changes, problems } = await plan({ prunes: true });
    assertEquals([verdict, changes, problems], ["unchanged", [], []]);
  });
});

Deno.test("weir plan without a base shows everything as new", async () => {
  await withFolders(folders, async (plan) => {
    const { changes, verdict } = await plan({ against: [] });
    assert(changes.length > 5 && changes.every(({ before }) => before === null));
    assertEquals(verdict, "changed");
  });
});

Deno.test("weir plan tells problems of the proposal with file and line, and keeps what it refuses", async () => {
  const broken = { ...folders.new, "b.yaml": route("b", "no-slash") };
  await withFolders({ old: folders.old, new: broken }, async (plan) => {
    const { problems, changes } = await plan({ prunes: true });
    assertEquals(problems.map(({ source, object }) => [source, object]), [
      ["b.yaml:7", "HTTPRoute default/b"],
    ]);
    assert(changes.every(({ name }) => name !== "b"));
  });
});

Deno.test("weir plan rejects with the name of an input that is not there", async () => {
  await withFolders(folders, async (plan) => {
    await assertRejects(() => plan({ against: ["/nowhere/at-all"] }), Error, "/nowhere/at-all");
    await assertRejects(() => plan({ inputs: ["/nowhere/at-all"] }), Error, "/nowhere/at-all");
  });
});
