/**
 * All inputs at one revision: objects, absences, sets, addresses, acknowledgements.
 *
 * One counter for everything. It moves only when something that a query can read changed, by the
 * slices of kinds/. A deletion leaves an absent entry with a revision of its own until it is
 * collected. What is managed is decided before (input_door.ts); everything in here is.
 */

import { equal } from "../base/equal.ts";
import { invariant } from "../base/invariant.ts";
import type { Acknowledgement } from "../dataplane/data_plane.ts";
import type { ObjectOf } from "../kube/decode/decode.ts";
import { type Kind, kindNames } from "../kube/kinds.ts";
import { type ObjectKey, objectKey } from "../kube/object.ts";
import { GroupIndex } from "./group_index.ts";
import { inputKinds } from "./kinds/input_kinds.ts";
import { isUnchanged } from "./kinds/input_kind.ts";
import type { AddressAssignment, InputReader } from "./input_reader.ts";
import { gatewayParentKeys } from "./parent_keys.ts";

interface Entry<T> {
  /** Undefined: the object is absent. */
  readonly value: T | undefined;
  /** When it came to be what it is. */
  readonly revision: number;
}

type Tables = { readonly [K in Kind]: Map<ObjectKey, Entry<ObjectOf[K]>> };

function emptyTables(): Tables {
  return {
    GatewayClass: new Map(),
    Gateway: new Map(),
    HTTPRoute: new Map(),
    ReferenceGrant: new Map(),
    Namespace: new Map(),
    Service: new Map(),
    EndpointSlice: new Map(),
    Secret: new Map(),
  };
}

/** See the file's header. */
export class Inputs implements InputReader {
  #revision = 0;
  readonly #tables = emptyTables();
  readonly #absent = new Set<{ readonly kind: Kind; readonly key: ObjectKey }>();
  readonly #counts = new Map<Kind, number>(kindNames.map((kind) => [kind, 0]));
  readonly #sortedKeys = new Map<Kind, readonly ObjectKey[]>();
  readonly #routesByGateway = new GroupIndex<ObjectKey>();
  readonly #grantsByNamespace = new GroupIndex<string>();
  readonly #slicesByService = new GroupIndex<ObjectKey>();
  readonly #gatewaysByAddress = new GroupIndex<string>();
  readonly #addresses = new Map<ObjectKey, AddressAssignment>();
  readonly #acknowledgements = new Map<ObjectKey, Acknowledgement>();
  #gatewaysRevision = 0;
  readonly #indexers: { readonly [K in Kind]?: (key: ObjectKey, object: ObjectOf[K]) => void } = {
    HTTPRoute: (key, route) => this.#routesByGateway.set(key, gatewayParentKeys(route)),
    ReferenceGrant: (key, { metadata }) => this.#grantsByNamespace.set(key, [metadata.namespace]),
    EndpointSlice: (key, { metadata, serviceName }) =>
      this.#slicesByService.set(
        key,
        serviceName === undefined ? [] : [objectKey(metadata.namespace, serviceName)],
      ),
  };

  get revision(): number {
    return this.#revision;
  }

  /** The last revision at which a Gateway came, went or changed. */
  get gatewaysRevision(): number {
    return this.#gatewaysRevision;
  }

  /** How many objects of `kind` there are; absent ones are not counted. */
  count(kind: Kind): number {
    return this.#counts.get(kind) ?? 0;
  }

  /** Stores `object`; false when no query could tell it from what was there. */
  put<K extends Kind>(kind: K, object: ObjectOf[K]): boolean {
    const key = keyOfInput(object);
    const table: Map<ObjectKey, Entry<ObjectOf[K]>> = this.#tables[kind];
    const before = table.get(key)?.value;
    if (before !== undefined && isUnchanged(inputKinds[kind], before, object)) return false;
    table.set(key, { value: object, revision: this.#advance(kind) });
    if (before === undefined) this.#countChanged(kind, 1);
    this.#index(kind, key, object);
    return true;
  }

  /** Leaves an absent entry; false when there is no such object. */
  remove(kind: Kind, key: ObjectKey): boolean {
    const table: Map<ObjectKey, Entry<unknown>> = this.#tables[kind];
    if (table.get(key)?.value === undefined) return false;
    table.set(key, { value: undefined, revision: this.#advance(kind) });
    this.#absent.add({ kind, key });
    this.#countChanged(kind, -1);
    this.#unindex(kind, key);
    if (kind === "Gateway") {
      this.#addresses.delete(key);
      this.#gatewaysByAddress.set(key, []);
    }
    return true;
  }

  /** Records what a provider gave to a Gateway; false when nothing changed or nobody asked. */
  setAddresses(gateway: ObjectKey, assignment: AddressAssignment): boolean {
    if (!this.get("Gateway", gateway)) return false;
    if (equal(this.#addresses.get(gateway), assignment)) return false;
    this.#revision++;
    this.#addresses.set(gateway, assignment);
    this.#gatewaysByAddress.set(gateway, [...new Set(assignment.addresses)]);
    return true;
  }

  /** Records what a data plane said; false when it said so before. */
  setAcknowledgement(gateway: ObjectKey, acknowledgement: Acknowledgement): boolean {
    const before = this.#acknowledgements.get(gateway);
    if (
      before?.config === acknowledgement.config &&
      equal(before.listeners, acknowledgement.listeners) &&
      equal(before.refusals, acknowledgement.refusals)
    ) return false;
    this.#revision++;
    this.#acknowledgements.set(gateway, acknowledgement);
    return true;
  }

  /**
   * Forgets what was said about Gateways that are not asked for any more. No revision: nothing reads
   * the acknowledgement of a Gateway without a configuration.
   */
  keepAcknowledgements(isWanted: (gateway: ObjectKey) => boolean): void {
    for (const gateway of this.#acknowledgements.keys()) {
      if (!isWanted(gateway)) this.#acknowledgements.delete(gateway);
    }
  }

  /**
   * Forgets absent entries up to `revision`: everything that was computed from their presence has
   * been computed again.
   */
  collectAbsent(revision: number): void {
    for (const absence of this.#absent) {
      const entry = this.#tables[absence.kind].get(absence.key);
      if (entry?.value === undefined) {
        if (entry && entry.revision > revision) continue;
        this.#tables[absence.kind].delete(absence.key);
      }
      this.#absent.delete(absence);
    }
  }

  /** When `key` came to be what it is, present or absent; 0 when it was never seen. */
  revisionOf(kind: Kind, key: ObjectKey): number {
    return this.#tables[kind].get(key)?.revision ?? 0;
  }

  get<K extends Kind>(kind: K, key: ObjectKey): ObjectOf[K] | undefined {
    const table: Map<ObjectKey, Entry<ObjectOf[K]>> = this.#tables[kind];
    return table.get(key)?.value;
  }

  keys(kind: Kind): readonly ObjectKey[] {
    let keys = this.#sortedKeys.get(kind);
    if (!keys) {
      const table: ReadonlyMap<ObjectKey, Entry<unknown>> = this.#tables[kind];
      keys = [...table].filter(([, entry]) => entry.value !== undefined).map(([key]) => key).sort();
      this.#sortedKeys.set(kind, keys);
    }
    return keys;
  }

  routesOfGateway(gateway: ObjectKey): readonly ObjectKey[] {
    return this.#routesByGateway.members(gateway);
  }

  grantsInNamespace(namespace: string): readonly ObjectKey[] {
    return this.#grantsByNamespace.members(namespace);
  }

  slicesOfService(service: ObjectKey): readonly ObjectKey[] {
    return this.#slicesByService.members(service);
  }

  gatewaysAtAddress(address: string): readonly ObjectKey[] {
    return this.#gatewaysByAddress.members(address);
  }

  addressesOf(gateway: ObjectKey): AddressAssignment | undefined {
    return this.#addresses.get(gateway);
  }

  acknowledgementOf(gateway: ObjectKey): Acknowledgement | undefined {
    return this.#acknowledgements.get(gateway);
  }

  #advance(kind: Kind): number {
    this.#revision++;
    invariant(Number.isSafeInteger(this.#revision), "The revision stays a safe integer");
    if (kind === "Gateway") this.#gatewaysRevision = this.#revision;
    return this.#revision;
  }

  #countChanged(kind: Kind, by: 1 | -1): void {
    this.#counts.set(kind, this.count(kind) + by);
    this.#sortedKeys.delete(kind);
  }

  #index<K extends Kind>(kind: K, key: ObjectKey, object: ObjectOf[K]): void {
    this.#indexers[kind]?.(key, object);
  }

  #unindex(kind: Kind, key: ObjectKey): void {
    if (kind === "HTTPRoute") this.#routesByGateway.set(key, []);
    if (kind === "ReferenceGrant") this.#grantsByNamespace.set(key, []);
    if (kind === "EndpointSlice") this.#slicesByService.set(key, []);
  }
}

/** The key of a decoded object within its kind. */
export function keyOfInput(
  object: { readonly metadata: { readonly name: string; readonly namespace?: string } },
): ObjectKey {
  return objectKey(object.metadata.namespace, object.metadata.name);
}
