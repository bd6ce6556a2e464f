/**
 * The environment: `WEIR_…` variables, one for each flag.
 *
 * An empty variable counts as not set, because that is how compose files and shells leave one out.
 * An unknown `WEIR_…` name is a warning, not a fault: others may set variables in our environment.
 * Kubernetes sets some itself for every Service of the namespace; those are passed over. Pure.
 */

import { nearestName } from "../base/nearest.ts";
import { environmentName, type FlagTable } from "./flag.ts";
import { type ConfigFault, type Given, type Layer, readText } from "./given.ts";

/** A variable that looks like one of ours and is none. */
export interface UnknownVariable {
  readonly name: string;
  /** The variable that was probably meant. */
  readonly nearest: string | undefined;
}

/** What the environment says. */
export interface ReadEnvironment {
  readonly layer: Layer;
  readonly faults: readonly ConfigFault[];
  readonly unknown: readonly UnknownVariable[];
}

const prefix = "WEIR_";

/** Set by Kubernetes for a Service `weir` or `weir-…` (service environment variables, and links). */
const serviceVariable =
  /^WEIR_(?:.*_)?(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)?)$/;

/**
 * Reads the variables in `environment` by `table`; those of flags that are only in `known` belong to
 * other commands and are passed over.
 */
export function readEnvironment(
  table: FlagTable,
  known: FlagTable,
  environment: Readonly<Record<string, string>>,
): ReadEnvironment {
  const layer = new Map<string, Given>();
  const faults: ConfigFault[] = [];
  for (const [flagName, flag] of Object.entries(table)) {
    if (flag.places === "flag") continue;
    const name = environmentName(flagName);
    const text = Object.hasOwn(environment, name) ? environment[name] : undefined;
    if (text === undefined || text === "") continue;
    const separator = flag.shape === "list" ? flag.type.environmentSeparator : undefined;
    const parsed = readText(flag, text, separator);
    if (parsed.ok) layer.set(flagName, { value: parsed.value, origin: { place: "env", name } });
    else faults.push({ where: name, message: parsed.problem });
  }
  return { layer, faults, unknown: unknownVariables({ ...known, ...table }, environment) };
}

function unknownVariables(
  known: FlagTable,
  environment: Readonly<Record<string, string>>,
): UnknownVariable[] {
  const endings = new Set(
    Object.entries(known)
      .filter(([, flag]) => flag.places !== "flag")
      .map(([name]) => environmentName(name).slice(prefix.length)),
  );
  return Object.keys(environment)
    .filter((name) => name.startsWith(prefix) && !serviceVariable.test(name))
    .map((name) => name.slice(prefix.length))
    .filter((ending) => !endings.has(ending))
    .sort()
    .map((ending) => {
      // Without the prefix: what all names share must not make two of them look alike.
      const nearest = nearestName(ending, endings);
      return {
        name: prefix + ending,
        nearest: nearest === undefined ? undefined : prefix + nearest,
      };
    });
}
