/** Objects that a plan deletes, named as `KIND/NAMESPACE/NAME`. */

import { didYouMean } from "../base/nearest.ts";
import { type Kind, type KindInfo, kindNames, kinds } from "../kube/kinds.ts";
import { type ObjectKey, objectKey } from "../kube/object.ts";
import type { LocalCluster, Problem } from "../localkube/store_contract.ts";

/** Deletes each of `names` from `cluster`; what is wrong with one is a problem of its own. */
export function deleteNamed(
  cluster: Pick<LocalCluster, "delete">,
  names: readonly string[],
): readonly Problem[] {
  const problems: Problem[] = [];
  for (const name of new Set(names)) {
    const named = readObjectName(name);
    const fault = "fault" in named ? named.fault : deleteOne(cluster, named.kind, named.key);
    if (fault !== undefined) {
      problems.push({ source: "", object: name, field: "", message: `Delete object: ${fault}` });
    }
  }
  return problems;
}

function deleteOne(
  cluster: Pick<LocalCluster, "delete">,
  kind: Kind,
  key: ObjectKey,
): string | undefined {
  const result = cluster.delete(kind, key);
  return result.ok ? undefined : `there is no ${kind} "${key}"`;
}

/** `KIND/NAMESPACE/NAME`, or `KIND/NAME` for a kind without namespaces; kinds as kubectl takes them. */
function readObjectName(
  text: string,
): { readonly kind: Kind; readonly key: ObjectKey } | { readonly fault: string } {
  const [word = "", ...rest] = text.split("/");
  const kind = kindNames.find((name) => isCalled(name, word.toLowerCase()));
  if (kind === undefined) {
    const plurals = kindNames.map((name) => kinds[name].plural);
    return { fault: `kind "${word}" is not known${didYouMean(word.toLowerCase(), plurals)}` };
  }
  const [first = "", second = ""] = rest;
  const { namespaced } = kinds[kind];
  const isWhole = rest.length === (namespaced ? 2 : 1) && rest.every((part) => part !== "");
  if (!isWhole) {
    return { fault: `it is not ${namespaced ? `${kind}/NAMESPACE/NAME` : `${kind}/NAME`}` };
  }
  return { kind, key: namespaced ? objectKey(first, second) : objectKey(undefined, first) };
}

function isCalled(kind: Kind, word: string): boolean {
  const info: KindInfo = kinds[kind];
  return kind.toLowerCase() === word || info.plural === word || info.shortNames.includes(word);
}
