/**
 * The resources of the last translation, by what they were made of.
 *
 * A resource whose parts are the same objects as before is not made again; one that was made again and
 * came out the same keeps its identity. So the next world shares all that did not change.
 */

import { equal } from "../../base/equal.ts";
import type { MapChange } from "../../base/sorted_map.ts";
import { SortedMap } from "../../base/sorted_map.ts";
import {
  type EnvoyKind,
  envoyKinds,
  type EnvoyResource,
  makeResource,
  type ResourceMap,
  type ResourceOrigin,
} from "../resources.ts";

/** What a resource is made into. */
export interface MadeResource {
  readonly bytes: Uint8Array;
  readonly origins: readonly ResourceOrigin[];
}

interface Kept {
  /** Objects by identity, and texts and numbers by value, that all of the resource follows from. */
  readonly parts: readonly unknown[];
  readonly resource: EnvoyResource;
}

type KeptByName = Map<string, Kept>;

/** See the file's header. */
export class ResourceMemo {
  #kept = emptyKinds();
  #next = emptyKinds();
  #resources: Readonly<Record<EnvoyKind, ResourceMap>> = emptyResources();

  /** Puts a resource into the next world, made by `make` unless it was made of the same `parts`. */
  put(kind: EnvoyKind, name: string, parts: readonly unknown[], make: () => MadeResource): void {
    const kept = this.#kept[kind].get(name);
    if (kept !== undefined && isSameParts(kept.parts, parts)) {
      this.#next[kind].set(name, kept);
      return;
    }
    const { bytes, origins } = make();
    const made = makeResource(kind, name, bytes, origins);
    const resource = kept !== undefined && isSameResource(kept.resource, made)
      ? kept.resource
      : made;
    this.#next[kind].set(name, { parts, resource });
  }

  /** The world of what was put since the last call; what was not is gone. */
  finish(): Readonly<Record<EnvoyKind, ResourceMap>> {
    const resources = { ...this.#resources };
    for (const kind of envoyKinds) {
      resources[kind] = resources[kind].edit(changes(this.#kept[kind], this.#next[kind]));
    }
    this.#kept = this.#next;
    this.#next = emptyKinds();
    this.#resources = resources;
    return resources;
  }
}

/** Whether both lists hold the same objects. */
export function isSameParts(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((part, index) => part === b[index]);
}

function isSameResource(a: EnvoyResource, b: EnvoyResource): boolean {
  return a.version === b.version && equal(a.origins, b.origins);
}

function* changes(
  kept: KeptByName,
  next: KeptByName,
): Generator<MapChange<string, EnvoyResource>> {
  for (const [name, { resource }] of next) {
    if (kept.get(name)?.resource !== resource) yield [name, resource];
  }
  for (const name of kept.keys()) if (!next.has(name)) yield [name, undefined];
}

function emptyKinds(): Record<EnvoyKind, KeptByName> {
  return {
    secret: new Map(),
    cluster: new Map(),
    endpoints: new Map(),
    extension: new Map(),
    listener: new Map(),
    route: new Map(),
    scope: new Map(),
  };
}

function emptyResources(): Readonly<Record<EnvoyKind, ResourceMap>> {
  const none: ResourceMap = new SortedMap();
  return {
    secret: none,
    cluster: none,
    endpoints: none,
    extension: none,
    listener: none,
    route: none,
    scope: none,
  };
}
