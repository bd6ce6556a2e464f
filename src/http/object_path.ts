/**
 * Which object a path names: its kind by kind, plural or short name, in any case, as kubectl takes
 * them; then namespace and name, or the name alone for a kind without namespaces.
 */

import type { Parameter } from "../api/endpoint.ts";
import { didYouMean } from "../base/nearest.ts";
import { RefusedError } from "./problem.ts";
import type { KindNames, ObjectName } from "./views.ts";

/** The parameter `{kind}`. */
export const kindParameter: Parameter = {
  name: "kind",
  in: "path",
  description: "A kind, its plural or short name, in any case",
  example: "httproutes",
};

/** The parameters of a path that ends with `{kind}/{name}`. */
export const clusterScopedParameters: readonly Parameter[] = [kindParameter, nameParameter("name")];

/** The parameters of a path that ends with `{kind}/{namespace}/{name}`. */
export const namespacedParameters: readonly Parameter[] = [
  kindParameter,
  nameParameter("namespace"),
  nameParameter("name"),
];

/** An object, as a path names it; whether there is one is not known. */
export interface NamedObject {
  readonly names: KindNames;
  readonly name: ObjectName;
}

/**
 * The object that the parameters of one of these paths name.
 *
 * @throws RefusedError 404 when there is no such kind, or its objects are named the other way
 */
export function objectOfPath(
  kinds: readonly KindNames[],
  { kind = "", namespace, name = "" }: Readonly<Record<string, string>>,
): NamedObject {
  const names = findKind(kinds, kind);
  if (names.namespaced && namespace === undefined) {
    throw notFound(`${names.kind} has namespaces, wanted .../${names.plural}/NAMESPACE/NAME`);
  }
  if (!names.namespaced && namespace !== undefined) {
    throw notFound(`${names.kind} has no namespaces, wanted .../${names.plural}/NAME`);
  }
  return { names, name: namespace === undefined ? { name } : { namespace, name } };
}

/** The kind that `text` calls; a refusal with the nearest name when there is none. */
export function findKind(kinds: readonly KindNames[], text: string): KindNames {
  const wanted = text.toLowerCase();
  for (const names of kinds) {
    const { kind, plural, shortNames } = names;
    if (kind.toLowerCase() === wanted || plural === wanted || shortNames.includes(wanted)) {
      return names;
    }
  }
  const known = kinds.map((names) => names.plural);
  throw new RefusedError(
    404,
    "UnknownKind",
    `Find kind: "${text.slice(0, 64)}" is not known` +
      (didYouMean(wanted, known) || `, wanted one of ${known.join(", ")}`),
  );
}

/** The refusal of an object that is not there. */
export function notFound(fault: string): RefusedError {
  return new RefusedError(404, "NotFound", `Find object: ${fault}`);
}

function nameParameter(name: "namespace" | "name"): Parameter {
  return { name, in: "path", description: `The ${name} of the object` };
}
