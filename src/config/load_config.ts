/**
 * Settings of one command from the command line, the environment, the file and the defaults, in this
 * order of weight.
 *
 * Every place is read whole before anything is decided, so all faults are told at once. The file is
 * the only effect here, and reading it is given as a function; the YAML parser is loaded only when
 * there is a file. Rules between settings are checked apart from defaults.
 */

import { type Checked, checkSettings, settingWarnings } from "./check_settings.ts";
import { decodeSettings } from "./decode_settings.ts";
import type { FlagTable, Settings } from "./flag.ts";
import { apiClientFlags } from "./api_access_flags.ts";
import { flags } from "./flags.ts";
import { type ConfigFault, type Layer, type Origin, whereToChange } from "./given.ts";
import { readArguments } from "./read_arguments.ts";
import { readEnvironment, type UnknownVariable } from "./read_environment.ts";

/** Where settings come from. */
export interface ConfigSources {
  /** The arguments behind the command's name. */
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** The text of a file of at most {@linkcode configBytesMax}; rejects with an Error saying why not. */
  readonly readTextFile: (path: string, bytesMax: number) => Promise<string>;
}

/** The largest configuration file that is read. */
const configBytesMax = 1024 * 1024;

/** What loading came to. */
export type LoadedConfig<Table extends FlagTable> =
  /** Somebody asks for help; nothing else was looked at. */
  | { readonly outcome: "help" }
  /** A usage error; all of its faults. */
  | {
    readonly outcome: "faults";
    readonly faults: readonly ConfigFault[];
    readonly positionals: readonly string[];
  }
  | {
    readonly outcome: "settings";
    readonly settings: Settings<Table>;
    readonly origins: ReadonlyMap<string, Origin>;
    readonly positionals: readonly string[];
    readonly unknownVariables: readonly UnknownVariable[];
    readonly warnings: readonly string[];
  };

/** Loads the settings that `table` describes. Never rejects for what the sources say. */
export async function loadConfig<Table extends FlagTable>(
  table: Table,
  sources: ConfigSources,
): Promise<LoadedConfig<Table>> {
  const given = readArguments(table, sources.args);
  if (given.asksForHelp) return { outcome: "help" };
  const environment = readEnvironment(table, { ...flags, ...apiClientFlags }, sources.environment);
  const layers = [given.layer, environment.layer];
  const file = await loadFile(table, layers, sources);
  layers.push(file.layer);
  const { positionals } = given;
  const { settings, origins } = decodeSettings(table, layers);
  const faults = [...given.faults, ...environment.faults, ...file.faults];
  // Rules are about values that people gave: with a fault among them they would mislead.
  if (faults.length === 0) faults.push(...brokenRules(settings, origins));
  if (faults.length > 0) return { outcome: "faults", faults, positionals };
  return {
    outcome: "settings",
    settings,
    origins,
    positionals,
    unknownVariables: environment.unknown,
    warnings: settingWarnings(settings),
  };
}

function brokenRules(
  settings: Checked,
  origins: ReadonlyMap<string, Origin>,
): ConfigFault[] {
  return checkSettings(settings).map(({ flag, message }) => ({
    where: whereToChange(flag, origins.get(flag) ?? { place: "default" }),
    message,
  }));
}

async function loadFile(
  table: FlagTable,
  layers: readonly Layer[],
  sources: ConfigSources,
): Promise<{ readonly layer: Layer; readonly faults: readonly ConfigFault[] }> {
  const given = layers.find((layer) => layer.has("config"))?.get("config");
  if (!given || typeof given.value !== "string") return { layer: new Map(), faults: [] };
  const name = given.value;
  let text: string;
  try {
    text = await sources.readTextFile(name, configBytesMax);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const fault = { where: whereToChange("config", given.origin), message: reason };
    return { layer: new Map(), faults: [fault] };
  }
  const { readConfigFile } = await import("./read_config_file.ts");
  // One file serves every command, so it may hold settings that this one has no use for.
  return readConfigFile({ ...table, ...flags }, { name, text });
}
