/**
 * Which namespaces exist only because something is in them.
 *
 * A real cluster refuses an object in a namespace that does not exist. A person with a folder of
 * manifests expects it to be there, so the local cluster makes it with the first object and removes
 * it with the last, unless somebody wrote the Namespace itself. This file only counts and remembers.
 */

import { invariant } from "../base/invariant.ts";
import { apiVersionOf, storedKinds } from "../kube/kinds.ts";
import type { ObjectInput } from "./store_contract.ts";

/**
 * The creation time of objects that no clock should order: implicit namespaces, and objects from
 * files that name none. Equal times let the API's own tie-break decide: namespace, then name.
 */
export const timelessCreation = "1970-01-01T00:00:00Z";

/** See the file's header. */
export class NamespaceUsers {
  readonly #counts = new Map<string, number>();
  readonly #implicit = new Set<string>();

  /** Whether objects are in `namespace`. */
  isUsed(namespace: string): boolean {
    return this.#counts.has(namespace);
  }

  /** Whether nobody wrote the Namespace itself. */
  isImplicit(namespace: string): boolean {
    return this.#implicit.has(namespace);
  }

  markImplicit(namespace: string): void {
    this.#implicit.add(namespace);
  }

  markExplicit(namespace: string): void {
    this.#implicit.delete(namespace);
  }

  /** An object was added to `namespace`. */
  enter(namespace: string): void {
    this.#counts.set(namespace, (this.#counts.get(namespace) ?? 0) + 1);
  }

  /** An object of `namespace` was deleted; true when nobody needs the namespace any more. */
  leave(namespace: string): boolean {
    const count = this.#counts.get(namespace) ?? 0;
    invariant(count > 0, "Every object that leaves a namespace has entered it");
    if (count > 1) {
      this.#counts.set(namespace, count - 1);
      return false;
    }
    this.#counts.delete(namespace);
    return this.#implicit.delete(namespace);
  }
}

/** A Namespace that nobody wrote. */
export function implicitNamespace(name: string): ObjectInput {
  const metadata = { name, creationTimestamp: timelessCreation };
  return { apiVersion: apiVersionOf(storedKinds.Namespace), kind: "Namespace", metadata };
}
