/** Flags that several commands share, besides those of the process. */

import { paths, scalar, type ScalarFlag } from "../config/flag.ts";
import { enumType } from "../config/value_type.ts";

/** `-f FILE|DIR|-`, repeatable. */
export const filenameFlag = paths({
  group: "Input",
  short: "f",
  places: "flag",
  help: "A file or folder of manifests, or - for standard input. May be given several times",
});

/** `-o FORMAT` for commands that print objects. */
export const outputFlag = scalar({
  group: "Output",
  short: "o",
  places: "flag",
  type: enumType(["table", "wide", "json", "yaml"]),
  default: "table",
  help: "How the result is printed: table fits 80 columns, wide shows everything",
});

/** `-o FORMAT` for commands that answer with text: `help` says what is printed. */
export function textOutputFlag(help: string): ScalarFlag<"text" | "json" | "yaml"> {
  return scalar({
    group: "Output",
    short: "o",
    places: "flag",
    type: enumType(["text", "json", "yaml"]),
    default: "text",
    help,
  });
}
