/**
 * Which entries of which route never serve, as inputs of statuses.
 *
 * It follows from all routes of a parent, and a status that read it there would be looked at with
 * every change of any of them. So it is computed before, and what became different is put here, where
 * each status reads what is its own.
 */

import type { ObjectKey } from "../kube/object.ts";
import type { Database } from "../query/database.ts";
import { InputTable, type Slice } from "../query/input_table.ts";
import type { ValueChange } from "../query/memo_table.ts";
import {
  changedShadows,
  type ListenerShadows,
  noListenerShadows,
  noParentShadows,
  type ParentShadows,
  shadowsOfRoute,
} from "./compute/parent_shadows.ts";
import type { ParentKey } from "./parent_keys.ts";
import { isRouteKind, type RouteKind } from "./route_kinds.ts";

const whole: Slice<ListenerShadows, ListenerShadows> = {
  name: "",
  index: 0,
  read: (shadows) => shadows,
};

/** See the file's header. */
export class ShadowInputs {
  readonly #database: Database;
  readonly #table: InputTable<string, ListenerShadows>;

  constructor(database: Database) {
    this.#database = database;
    this.#table = new InputTable(database, "shadows", [whole]);
  }

  /** How many entries there are, absences that something has read included. */
  get entryCount(): number {
    return this.#table.entryCount;
  }

  /** A tracked read. */
  get(kind: RouteKind, parent: ParentKey, route: ObjectKey): ListenerShadows {
    return this.#table.get(nameOf(kind, parent, route)) ?? noListenerShadows;
  }

  /** Takes over what became of a parent, as of `atMs`. True when anything is different by it. */
  apply(
    { key: parent, before = noParentShadows, after = noParentShadows }: ValueChange<
      ParentKey,
      ParentShadows
    >,
    atMs: number,
  ): boolean {
    const { revision } = this.#database;
    this.#database.transaction(atMs, () => {
      for (const place of new Set([...before.keys(), ...after.keys()])) {
        const [kind = ""] = place.split(" ");
        if (!isRouteKind(kind)) continue;
        for (const route of changedShadows(before.get(place), after.get(place))) {
          this.#put(nameOf(kind, parent, route), shadowsOfRoute(after, kind, route));
        }
      }
    });
    return this.#database.revision !== revision;
  }

  /** Forgets all of it. */
  clear(): void {
    this.#database.transaction(0, () => {
      for (const name of [...this.#table.keys()]) this.#table.delete(name);
    });
  }

  #put(name: string, shadows: ListenerShadows): void {
    if (shadows.size > 0) this.#table.set(name, shadows);
    else this.#table.delete(name);
  }
}

/** A route is behind the last space; keys hold none. */
function nameOf(kind: RouteKind, parent: ParentKey, route: ObjectKey): string {
  return `${kind} ${parent} ${route}`;
}
