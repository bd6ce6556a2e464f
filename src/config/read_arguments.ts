/**
 * The command line: flags in every spelling, and the arguments that are none.
 *
 * `--flag value`, `--flag=value`, `-f value`, `-f=value`, `-fvalue`; booleans are `--flag`,
 * `--no-flag` or `--flag=false` and never take the next argument. Everything behind `--` is no flag.
 * Lists add up over occurrences; of a flag with one value the last occurrence wins, so that scripts
 * can append. Reading goes on after a fault, so that all of them are told. Pure.
 */

import { nearestName } from "../base/nearest.ts";
import type { Flag, FlagTable } from "./flag.ts";
import {
  type ConfigFault,
  type Given,
  type Layer,
  listItemsMax,
  quote,
  readItems,
} from "./given.ts";
import { readValue } from "./given.ts";

/** What the command line says. */
export interface ReadArguments {
  readonly layer: Layer;
  /** Arguments that are no flags and no values of flags, in their order. */
  readonly positionals: readonly string[];
  /** Whether `--help` or `-h` stands anywhere before `--`. */
  readonly asksForHelp: boolean;
  readonly faults: readonly ConfigFault[];
}

/** Reads `args`, the arguments behind the command's name, by `table`. */
export function readArguments(table: FlagTable, args: readonly string[]): ReadArguments {
  const reader = new ArgumentReader(table, args);
  reader.read();
  return reader;
}

class ArgumentReader implements ReadArguments {
  readonly layer = new Map<string, Given>();
  readonly positionals: string[] = [];
  readonly faults: ConfigFault[] = [];
  asksForHelp = false;
  readonly #table: FlagTable;
  readonly #args: readonly string[];
  readonly #shorts: ReadonlyMap<string, string>;
  #next = 0;

  constructor(table: FlagTable, args: readonly string[]) {
    this.#table = table;
    this.#args = args;
    this.#shorts = new Map(
      Object.entries(table).flatMap(([name, flag]) => flag.short ? [[flag.short, name]] : []),
    );
  }

  read(): void {
    for (let arg = this.#take(); arg !== undefined; arg = this.#take()) {
      if (arg === "--") {
        this.positionals.push(...this.#args.slice(this.#next));
        return;
      }
      if (arg === "--help" || arg === "-h") this.asksForHelp = true;
      else if (arg.startsWith("--")) this.#readLong(arg.slice(2));
      else if (arg.startsWith("-") && arg !== "-") this.#readShort(arg);
      else this.positionals.push(arg);
    }
  }

  #take(): string | undefined {
    return this.#args[this.#next++];
  }

  #readLong(text: string): void {
    const equals = text.indexOf("=");
    const name = equals < 0 ? text : text.slice(0, equals);
    const value = equals < 0 ? undefined : text.slice(equals + 1);
    const flag = this.#find(name);
    if (flag) return this.#readFlag(name, flag, `--${name}`, value);
    const negated = name.startsWith("no-") ? this.#find(name.slice(3)) : undefined;
    if (negated && isBoolean(negated)) return this.#readNegation(name, value);
    const hint = negated ? ": only flags without a value can be negated" : this.#suggest(name);
    if (value === undefined) this.#skipLikelyValue();
    this.faults.push({ where: quote(`--${name}`), message: `is not a flag${hint}` });
  }

  #readNegation(name: string, value: string | undefined): void {
    if (value !== undefined) {
      this.#fault(`--${name}`, `takes no value, wanted "--${name}" alone`);
      return;
    }
    this.layer.set(name.slice(3), { value: false, origin: { place: "flag" } });
  }

  #readShort(arg: string): void {
    const letter = arg.slice(1, 2);
    const name = this.#shorts.get(letter);
    const flag = name === undefined ? undefined : this.#find(name);
    if (name === undefined || !flag) {
      const hint = this.#suggest(arg.replace(/^-+/, "").replace(/=.*$/s, ""));
      this.faults.push({ where: quote(arg), message: `is not a flag${hint}` });
      return;
    }
    const attached = arg.slice(2).replace(/^=/, "");
    this.#readFlag(name, flag, `-${letter}`, arg.length > 2 ? attached : undefined);
  }

  #readFlag(name: string, flag: Flag, spelling: string, attached: string | undefined): void {
    if (attached === undefined && isBoolean(flag)) {
      this.layer.set(name, { value: true, origin: { place: "flag" } });
      return;
    }
    const text = attached ?? this.#takeValue();
    if (text === undefined) {
      const metavar = flag.type.metavar;
      this.#fault(spelling, `has no value, wanted "${spelling} ${metavar}"`);
      return;
    }
    this.#setValue(name, flag, spelling, text);
  }

  /** The next argument, unless it is plainly another flag. A single dash is standard input. */
  #takeValue(): string | undefined {
    const following = this.#args[this.#next];
    if (following === undefined || following === "--") return undefined;
    if (following.startsWith("--")) {
      const name = following.slice(2).replace(/=.*$/s, "");
      if (this.#find(name) || this.#find(name.replace(/^no-/, ""))) return undefined;
    }
    return this.#take();
  }

  /** What follows an unknown flag is most likely its value, and no second fault. */
  #skipLikelyValue(): void {
    if (this.#args[this.#next]?.startsWith("-") === false) this.#next++;
  }

  #setValue(name: string, flag: Flag, spelling: string, text: string): void {
    const isSecret = flag.secret ?? false;
    if (flag.shape === "scalar") {
      const parsed = readValue(flag.type, text, isSecret);
      if (!parsed.ok) return this.#fault(spelling, parsed.problem);
      this.layer.set(name, { value: parsed.value, origin: { place: "flag" } });
      return;
    }
    const parsed = readItems(flag.type, text, flag.type.separator, isSecret);
    if (!parsed.ok) return this.#fault(spelling, parsed.problem);
    const earlier = this.layer.get(name)?.value;
    const value = [...(Array.isArray(earlier) ? earlier : []), ...parsed.value];
    if (value.length > listItemsMax) {
      return this.#fault(spelling, `has more than ${listItemsMax} items`);
    }
    this.layer.set(name, { value, origin: { place: "flag" } });
  }

  #fault(where: string, message: string): void {
    this.faults.push({ where, message });
  }

  #suggest(name: string): string {
    const nearest = nearestName(name, [...Object.keys(this.#table), "help"]);
    return nearest === undefined ? "" : `, did you mean "--${nearest}"?`;
  }

  #find(name: string): Flag | undefined {
    return Object.hasOwn(this.#table, name) ? this.#table[name] : undefined;
  }
}

function isBoolean(flag: Flag): boolean {
  return flag.shape === "scalar" && flag.type.name === "boolean";
}
