/**
 * Compiles the executable: `deno task build`, optionally `-- --target x86_64-unknown-linux-gnu`.
 *
 * Deno fetches the runtime for the target once, from its own download host. Where that host cannot
 * be reached, `DENORT_BIN` names a runtime of the same version that is already there.
 */

// deno-lint-ignore-file no-console -- A script talks to the terminal.

import { allPermissions, permissionFlags } from "./permissions.ts";
import { v8Options } from "./v8_flags.ts";

/** The arguments of `deno` that make the executable. */
export function compileArguments(passedOn: readonly string[]): string[] {
  return [
    "compile",
    "--frozen",
    "--no-prompt",
    "--exclude-unused-npm",
    ...v8Options(),
    ...permissionFlags(allPermissions()),
    ...passedOn.includes("--output") || passedOn.includes("-o") ? [] : ["--output", "dist/weir"],
    ...passedOn,
    "main.ts",
  ];
}

if (import.meta.main) {
  const args = compileArguments(Deno.args.filter((arg) => arg !== "--"));
  const { success } = await new Deno.Command(Deno.execPath(), { args }).spawn().status;
  if (!success) {
    console.error(
      "Cannot build the executable: see above. Without access to Deno's download host, set " +
        "DENORT_BIN to a denort of this version",
    );
    Deno.exit(1);
  }
}
