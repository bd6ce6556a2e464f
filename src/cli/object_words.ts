/**
 * Which object the words of a command line name, in the forms that people use with kubectl:
 * `KIND NAMESPACE/NAME`, `KIND NAME`, `KIND/NAME` and `KIND/NAMESPACE/NAME`. Pure.
 *
 * Which kinds there are, and which of them have namespaces, is not known here.
 */

import { toPrintable } from "../base/printable.ts";

/** An object as it was called. */
export interface ObjectWords {
  /** A kind, its plural or short name, in any case. */
  readonly kind: string;
  /** Absent: none was given. */
  readonly namespace?: string;
  readonly name: string;
}

const objectName = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;
const kindName = /^[A-Za-z]{1,63}$/;

/** The object that `words` name, or what is wrong with them. */
export function readObjectWords(
  words: readonly string[],
): ObjectWords | { readonly fault: string } {
  const text = toPrintable(words.join(" "));
  const [kind = "", first = "", second, ...more] = words.flatMap((word) => word.split("/"));
  const isSplit = words.length === 1 || words.length === 2 && !words[0]?.includes("/");
  if (!isSplit || more.length > 0 || first === "") {
    return { fault: `"${text}" names no object, wanted KIND NAMESPACE/NAME or KIND/NAME` };
  }
  if (!kindName.test(kind)) return { fault: `"${toPrintable(kind)}" is not a kind` };
  const [namespace, name] = second === undefined ? [undefined, first] : [first, second];
  const wrong = [namespace, name].find((part) => part !== undefined && !objectName.test(part));
  if (wrong !== undefined) return { fault: `"${toPrintable(wrong)}" is not a name` };
  return { kind, ...(namespace === undefined ? {} : { namespace }), name };
}
