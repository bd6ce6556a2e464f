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

/** `parts` are made when they are needed: most resources follow from an object that did not change. */
interface Kept {
  readonly whole: unknown;
  readonly parts: readonly unknown[];
  readonly resource: EnvoyResource;
}

/** The resources of one kind. */
interface KeptKind {
  readonly byName: Map<string, Kept>;
  /** Names that are new, or have another resource than before. */
  readonly changed: string[];
  addedCount: number;
}

/** See the file's header. */
export class ResourceMemo {
  #kept = emptyKinds();
  #next = emptyKinds();
  #resources: Readonly<Record<EnvoyKind, ResourceMap>> = emptyResources();

  /**
   * Puts a resource into the next world, made by `make` unless it was made of the same `parts`: objects
   * by identity, and texts and numbers by value, that all of it follows from.
   */
  put(kind: EnvoyKind, name: string, parts: readonly unknown[], make: () => MadeResource): void {
    this.putOf(kind, name, parts, () => parts, make);
  }

  /** The same for parts of one immutable object: they are looked at only if it is another one. */
  putOf(
    kind: EnvoyKind,
    name: string,
    whole: unknown,
    partsOf: () => readonly unknown[],
    make: () => MadeResource,
  ): void {
    const kept = this.#kept[kind].byName.get(name);
    const next = this.#next[kind];
    if (kept !== undefined && kept.whole === whole) {
      next.byName.set(name, kept);
      return;
    }
    const parts = partsOf();
    if (kept !== undefined && isSameParts(kept.parts, parts)) {
      next.byName.set(name, { ...kept, whole });
      return;
    }
    const { bytes, origins } = make();
    const made = makeResource(kind, name, bytes, origins);
    const isSame = kept !== undefined && isSameResource(kept.resource, made);
    next.byName.set(name, { whole, parts, resource: isSame ? kept.resource : made });
    if (!isSame) next.changed.push(name);
    if (kept === undefined) next.addedCount++;
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
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false;
  return true;
}

function isSameResource(a: EnvoyResource, b: EnvoyResource): boolean {
  return a.version === b.version && equal(a.origins, b.origins);
}

function* changes(kept: KeptKind, next: KeptKind): Generator<MapChange<string, EnvoyResource>> {
  for (const name of next.changed) yield [name, next.byName.get(name)?.resource];
  if (next.byName.size === kept.byName.size + next.addedCount) return;
  for (const name of kept.byName.keys()) if (!next.byName.has(name)) yield [name, undefined];
}

function emptyKinds(): Readonly<Record<EnvoyKind, KeptKind>> {
  const none = (): KeptKind => ({ byName: new Map(), changed: [], addedCount: 0 });
  return {
    secret: none(),
    cluster: none(),
    endpoints: none(),
    extension: none(),
    listener: none(),
    route: none(),
    scope: none(),
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
