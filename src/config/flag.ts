/**
 * What a flag is, and the types that follow from a table of flags.
 *
 * A table is the one source: the command line, the environment, the YAML file, help, the
 * documentation and the TypeScript type of the settings are all derived from it. A flag's name in
 * the table is its name on the command line, in kebab-case.
 */

import {
  booleanType,
  durationType,
  type ListType,
  pathType,
  type ValueType,
} from "./value_type.ts";

/** Where a flag may be given. `flag`: on the command line only. */
export type FlagPlaces = "everywhere" | "flag and environment" | "flag";

/** What every flag has. */
interface FlagBase {
  /** Sentences for a person; the first one says what it is for. No final period in the last. */
  readonly help: string;
  /** The heading it stands under in help; flags of a group are handed out together. */
  readonly group: string;
  /** One letter for the command line. */
  readonly short?: string;
  readonly places?: FlagPlaces;
  /** The value is never printed, also not in errors. */
  readonly secret?: boolean;
}

/** A flag with one value; the last occurrence wins. */
export interface ScalarFlag<Value, Default = Value, Unit extends "" | "Ms" = ""> extends FlagBase {
  readonly shape: "scalar";
  readonly type: ValueType<Value>;
  readonly default: Default;
  /** What the name of the setting ends in: `drain-timeout` becomes `drainTimeoutMs`. */
  readonly unit: Unit;
}

/** A flag with any number of values; occurrences add up. */
export interface ListFlag<Item> extends FlagBase {
  readonly shape: "list";
  readonly type: ListType<Item>;
  readonly default: readonly Item[];
  readonly unit: "";
}

/** Any flag, for code that does not care about the value. */
export type Flag = ScalarFlag<unknown, unknown, "" | "Ms"> | ListFlag<unknown>;

/** Flags by name. */
export type FlagTable = Readonly<Record<string, Flag>>;

/** Kebab-case as camelCase. */
type Camel<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

/** The settings that a table describes: camelCase names, durations in `…Ms`, all readonly. */
export type Settings<Table extends FlagTable> = {
  readonly [Name in keyof Table & string as `${Camel<Name>}${Table[Name]["unit"]}`]:
    Table[Name]["default"];
};

/** A row for a flag with one value. */
export function scalar<Value>(
  row: FlagBase & { readonly type: ValueType<Value>; readonly default: NoInfer<Value> },
): ScalarFlag<Value> {
  return { ...row, shape: "scalar", unit: "" };
}

/** A row for a flag that may be absent. */
export function optional<Value>(
  row: FlagBase & { readonly type: ValueType<Value> },
): ScalarFlag<Value, Value | undefined> {
  return { ...row, default: undefined, shape: "scalar", unit: "" };
}

/** A row for `--name`, `--no-name` and `--name=false`; off unless the row says otherwise. */
export function boolean(row: FlagBase & { readonly default?: boolean }): ScalarFlag<boolean> {
  return { ...row, type: booleanType, default: row.default ?? false, shape: "scalar", unit: "" };
}

/** A row for a duration within bounds, all in milliseconds. */
export function duration(
  row: FlagBase & { readonly default: number; readonly min: number; readonly max: number },
): ScalarFlag<number, number, "Ms"> {
  const { min, max, ...rest } = row;
  return { ...rest, type: durationType(min, max), shape: "scalar", unit: "Ms" };
}

/** A row for values separated by commas, in any number of occurrences. */
export function list<Item>(
  row: FlagBase & { readonly item: ValueType<Item>; readonly default: readonly NoInfer<Item>[] },
): ListFlag<Item> {
  const { item, ...rest } = row;
  const type: ListType<Item> = {
    name: `list of ${item.name}`,
    metavar: `${item.metavar}[,…]`,
    item,
    separator: ",",
    environmentSeparator: ",",
  };
  return { ...rest, type, shape: "list", unit: "" };
}

/** A row for paths, one in each occurrence because a path may hold a comma; `:` between them in `WEIR_…`. */
export function paths(row: FlagBase): ListFlag<string> {
  const type: ListType<string> = {
    name: "list of path",
    metavar: pathType.metavar,
    item: pathType,
    environmentSeparator: ":",
  };
  return { ...row, type, default: [], shape: "list", unit: "" };
}

/** A row for values that may hold a comma: one in each occurrence, on the command line only. */
export function each<Item>(
  row: FlagBase & { readonly item: ValueType<Item>; readonly places: "flag" },
): ListFlag<Item> {
  const { item, ...rest } = row;
  const type: ListType<Item> = {
    name: `list of ${item.name}`,
    metavar: item.metavar,
    item,
    environmentSeparator: ",",
  };
  return { ...rest, type, default: [], shape: "list", unit: "" };
}

/** `WEIR_API_ADDRESS` for `api-address`. */
export function environmentName(flagName: string): string {
  return `WEIR_${flagName.replaceAll("-", "_").toUpperCase()}`;
}

/** The name in {@linkcode Settings} of the flag `name` of a table. */
export function settingName(name: string, flag: Flag): string {
  const camel = name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  return `${camel}${flag.unit}`;
}
