/** Problems of manifests, one line each, as compilers print them. Pure. */

import type { InputProblem } from "../api/translate.ts";
import { toPrintable } from "../base/printable.ts";

/** `FILE:LINE Kind namespace/name field: message`, without the parts that are not known. */
export function problemLine({ source, object, field, message }: InputProblem): string {
  const place = [source, object, field].filter((part) => part !== "").map(toPrintable).join(" ");
  return `${place}${place === "" ? "" : ": "}${toPrintable(message)}\n`;
}

/** `1 problem`, `2 problems`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
