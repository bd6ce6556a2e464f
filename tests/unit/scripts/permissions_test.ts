/** Without these the executable could be given more than it needs, or less than the tasks have. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import config from "../../../deno.json" with { type: "json" };
import { compileArguments } from "../../../scripts/build.ts";
import {
  allPermissions,
  featurePermissions,
  permissionFlags,
} from "../../../scripts/permissions.ts";
import { v8Flags, v8Options } from "../../../scripts/v8_flags.ts";
import { featureNames } from "../../../src/config/features.ts";

const flags = permissionFlags(allPermissions());

Deno.test("permissionFlags() grants by name; nothing is granted by default", () => {
  assertEquals(permissionFlags({}), []);
  assertEquals(permissionFlags({ read: true, env: ["WEIR_*", "NO_COLOR"] }), [
    "--allow-read",
    "--allow-env=WEIR_*,NO_COLOR",
  ]);
});

Deno.test("allPermissions() never lets the executable write, run programs or load libraries", () => {
  assertEquals(flags.filter((flag) => /write|run|ffi|import|all$/.test(flag)), []);
  assertEquals(Object.keys(featurePermissions).sort(), [...featureNames].sort());
});

Deno.test("deno.json gives the tasks and the executable exactly the table's permissions", () => {
  const { sys, ...rest } = allPermissions();
  assertEquals<unknown>(config.compile.permissions, {
    ...rest,
    ...sys ? { sys: [...sys] } : {},
  });
  for (const task of [config.tasks.start, config.tasks.weir]) {
    const granted = task.command.split(" ").filter((word) => word.startsWith("--allow-"));
    assertEquals(granted, flags, task.command);
  }
});

Deno.test("deno.json and the executable set V8 as the table says", () => {
  for (const task of [config.tasks.start, config.tasks.weir]) {
    const set = task.command.split(" ").filter((word) => word.startsWith("--v8-flags"));
    assertEquals(set, v8Options(), task.command);
  }
  assertEquals(compileArguments([]).filter((arg) => arg.startsWith("--v8-flags")), v8Options());
  for (const flag of v8Flags) assertStringIncludes(config.tasks.bench.command, flag);
});

Deno.test("compileArguments() freezes the lock, grants the table and hands options on", () => {
  const args = compileArguments(["--target", "aarch64-unknown-linux-gnu"]);
  assertStringIncludes(args.join(" "), `--frozen --no-prompt`);
  assertEquals(args.filter((arg) => arg.startsWith("--allow-")), flags);
  assertEquals(args.slice(-5), [
    "--output",
    "dist/weir",
    "--target",
    "aarch64-unknown-linux-gnu",
    "main.ts",
  ]);
  assertEquals(compileArguments(["-o", "x"]).includes("--output"), false);
});
