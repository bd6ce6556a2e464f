/**
 * What the executable may do, in one table: the tasks in deno.json, `build.ts` and `bundle_check.ts`
 * use it, and a test compares deno.json with it.
 *
 * A compiled executable cannot ask for more than it was built with. What is not listed is denied
 * without a question: no programs are started, no library is loaded, nothing is written.
 */

import type { FeatureName } from "../src/config/features.ts";

/** Values for `--allow-…` flags; `true` allows everything of that sort. */
export interface Permissions {
  readonly read?: true;
  readonly net?: true;
  readonly env?: true | readonly string[];
  readonly sys?: readonly string[];
}

/** The YAML parser asks for its own debugging switches whenever it parses; they are never set. */
export const yamlSwitches: readonly string[] = ["LOG_STREAM", "LOG_TOKENS"];

/** What every command needs, whatever is switched on. */
const always: Permissions = {
  // Manifests and the config file stand where the user says.
  read: true,
  // A misspelt WEIR_… variable can be told only by who may list all of them.
  env: true,
};

/** What each feature needs on top. */
export const featurePermissions: Readonly<Record<FeatureName, Permissions>> = {
  gateway: {},
  // Listeners and backends are where the objects say.
  proxy: { net: true },
  // It listens where it is told.
  "leader-election": {},
  "local-api": { net: true },
  metrics: {},
};

/** The union for an executable that can do everything. */
export function allPermissions(): Permissions {
  const parts = [always, ...Object.values(featurePermissions)];
  const sys = [...new Set(parts.flatMap((part) => part.sys ?? []))];
  return {
    ...parts.some((part) => part.read) ? { read: true as const } : {},
    ...parts.some((part) => part.net) ? { net: true as const } : {},
    ...parts.some((part) => part.env) ? { env: true as const } : {},
    ...sys.length > 0 ? { sys } : {},
  };
}

/** The flags of `deno run` and `deno compile` that grant `permissions` and nothing else. */
export function permissionFlags(permissions: Permissions): string[] {
  return Object.entries(permissions).map(([name, value]) =>
    value === true ? `--allow-${name}` : `--allow-${name}=${value.join(",")}`
  );
}
