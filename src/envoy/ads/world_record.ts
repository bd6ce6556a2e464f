/**
 * The newest world of one name, and of each resource the last version that an Envoy took.
 *
 * Several Envoys can serve one world (the replicas of a Gateway). What one of them took is good for
 * the others too; what one refused is its own business, see `NodeRecord`.
 */

import { diffSortedMaps } from "../../base/sorted_map_diff.ts";
import { type EnvoyKind, envoyKinds, type EnvoyResource, type EnvoyWorld } from "../resources.ts";

/** Names that changed, by kind. */
export type ChangedNames = ReadonlyMap<EnvoyKind, readonly string[]>;

/** See the file's header. Holds at most one good version for each name of the world. */
export class WorldRecord {
  #world: EnvoyWorld;
  readonly #good = new Map<EnvoyKind, Map<string, EnvoyResource>>(
    envoyKinds.map((kind) => [kind, new Map()]),
  );

  constructor(world: EnvoyWorld) {
    this.#world = world;
  }

  /** The newest. */
  get world(): EnvoyWorld {
    return this.#world;
  }

  /** Replaces the world and tells the names whose resources are other objects than before. */
  update(next: EnvoyWorld): ChangedNames {
    const changed = new Map<EnvoyKind, readonly string[]>();
    for (const kind of envoyKinds) {
      const names = diffSortedMaps(this.#world.resources[kind], next.resources[kind]);
      if (names.length > 0) changed.set(kind, names);
      for (const name of names) {
        if (!next.resources[kind].has(name)) this.#good.get(kind)?.delete(name);
      }
    }
    this.#world = next;
    return changed;
  }

  /** The world's resource of this name. */
  wanted(kind: EnvoyKind, name: string): EnvoyResource | undefined {
    return this.#world.resources[kind].get(name);
  }

  /** An Envoy took this resource. */
  noteGood(resource: EnvoyResource): void {
    const { kind, name } = resource;
    if (this.#world.resources[kind].has(name)) this.#good.get(kind)?.set(name, resource);
  }

  /** The last version that an Envoy took. */
  good(kind: EnvoyKind, name: string): EnvoyResource | undefined {
    return this.#good.get(kind)?.get(name);
  }
}
