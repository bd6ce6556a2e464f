/**
 * All inputs at one revision: objects, absences, sets, addresses, what data planes hold.
 *
 * One counter for everything. It moves only when something that a query can read changed, by the
 * slices of kinds/. Reads are recorded when a query makes them and cost nothing else when anybody
 * else does. What is managed is decided before (input_door.ts); everything in here is.
 */

import type { Acknowledgement, Refusal } from "../dataplane/data_plane.ts";
import type { ObjectOf } from "../kube/decode/decode.ts";
import type { Kind } from "../kube/kinds.ts";
import { type ObjectKey, objectKey } from "../kube/object.ts";
import { Database } from "../query/database.ts";
import { InputTable, type Slice } from "../query/input_table.ts";
import type { ApiBundle } from "./api_bundle.ts";
import type { Frame } from "./gateway_frame.ts";
import { HeldConfigs } from "./held_configs.ts";
import type {
  AddressAssignment,
  HeldGateway,
  HeldReader,
  HeldRoute,
  InputReader,
} from "./input_reader.ts";
import type { KindSlice } from "./kinds/input_kind.ts";
import { inputKinds } from "./kinds/input_kinds.ts";
import { type ByStatusKind, byStatusKind, isStatusKind, type StatusKind } from "./outputs.ts";
import { InputIndexes } from "./input_indexes.ts";
import { defaultGateways, type ParentKey } from "./parent_keys.ts";
import { ShadowInputs } from "./shadow_inputs.ts";
import type { RouteId, RouteKind } from "./route_kinds.ts";

type Tables = { readonly [K in Kind]: InputTable<ObjectKey, ObjectOf[K]> };

function makeTables(database: Database): Tables {
  return {
    GatewayClass: new InputTable(database, "GatewayClass", inputKinds.GatewayClass),
    Gateway: new InputTable(database, "Gateway", inputKinds.Gateway),
    HTTPRoute: new InputTable(database, "HTTPRoute", inputKinds.HTTPRoute),
    GRPCRoute: new InputTable(database, "GRPCRoute", inputKinds.GRPCRoute),
    TLSRoute: new InputTable(database, "TLSRoute", inputKinds.TLSRoute),
    TCPRoute: new InputTable(database, "TCPRoute", inputKinds.TCPRoute),
    UDPRoute: new InputTable(database, "UDPRoute", inputKinds.UDPRoute),
    ListenerSet: new InputTable(database, "ListenerSet", inputKinds.ListenerSet),
    BackendTLSPolicy: new InputTable(database, "BackendTLSPolicy", inputKinds.BackendTLSPolicy),
    ReferenceGrant: new InputTable(database, "ReferenceGrant", inputKinds.ReferenceGrant),
    Namespace: new InputTable(database, "Namespace", inputKinds.Namespace),
    Service: new InputTable(database, "Service", inputKinds.Service),
    EndpointSlice: new InputTable(database, "EndpointSlice", inputKinds.EndpointSlice),
    Secret: new InputTable(database, "Secret", inputKinds.Secret),
    ConfigMap: new InputTable(database, "ConfigMap", inputKinds.ConfigMap),
  };
}

const addressSlices: readonly Slice<AddressAssignment, readonly string[]>[] = [
  { name: "addresses", index: 0, read: ({ addresses }) => addresses },
  { name: "unusable", index: 1, read: ({ unusable }) => unusable },
];

/** See the file's header. */
export class Inputs implements InputReader, HeldReader {
  /** Where queries over these inputs live. */
  readonly database = new Database();
  /** Sets of objects by what they name. */
  readonly indexes = new InputIndexes(this.database);
  /** What statuses are told of routes that others come before. */
  readonly shadows = new ShadowInputs(this.database);
  readonly #tables = makeTables(this.database);
  readonly #addresses = new InputTable<ObjectKey, AddressAssignment>(
    this.database,
    "addresses",
    addressSlices,
  );
  readonly #apiBundle = new InputTable<"installed", ApiBundle>(this.database, "Gateway API", [
    { name: "versions", index: 0, read: ({ versions }) => versions },
  ]);
  readonly #held = new HeldConfigs(this.database);
  readonly #sortedKeys = new Map<Kind, readonly ObjectKey[]>();
  /** What came or went of the kinds that have outputs, since that was last asked. */
  readonly #comings: ByStatusKind<Set<ObjectKey>> = byStatusKind(() => new Set());
  #gatewaysRevision = 0;

  get revision(): number {
    return this.database.revision;
  }

  /** The last revision at which a Gateway came, went or changed. */
  get gatewaysRevision(): number {
    return this.#gatewaysRevision;
  }

  /** How many objects of `kind` there are; absent ones are not counted. */
  count(kind: Kind): number {
    return this.#tables[kind].size;
  }

  /** How many entries there are of anything, absences that something has read included. */
  get entryCount(): number {
    const tables = Object.values(this.#tables).reduce((sum, table) => sum + table.entryCount, 0);
    return tables + this.#addresses.entryCount + this.#held.entryCount + this.shadows.entryCount;
  }

  /** Makes what `work` changes one revision, at the time `atMs`. */
  transaction<Result>(atMs: number, work: () => Result): Result {
    return this.database.transaction(atMs, work);
  }

  /** Stores `object`; false when no query could tell it from what was there. */
  put<K extends Kind>(kind: K, object: ObjectOf[K]): boolean {
    const key = keyOfInput(object);
    const table: InputTable<ObjectKey, ObjectOf[K]> = this.#tables[kind];
    const isNew = table.peek(key) === undefined;
    return this.transaction(0, () => {
      if (!table.set(key, object)) return false;
      if (isNew) this.#noteComing(kind, key);
      if (kind === "Gateway") this.#gatewaysRevision = this.revision;
      this.indexes.put(kind, key, object);
      return true;
    });
  }

  /** Leaves an absence; false when there is no such object. */
  remove(kind: Kind, key: ObjectKey): boolean {
    return this.transaction(0, () => {
      if (!this.#tables[kind].delete(key)) return false;
      this.#noteComing(kind, key);
      this.indexes.remove(kind, key);
      if (kind === "Gateway") {
        this.#gatewaysRevision = this.revision;
        this.#addresses.delete(key);
      }
      return true;
    });
  }

  /** Records what a provider gave to a Gateway; false when nothing changed or nobody asked. */
  setAddresses(gateway: ObjectKey, assignment: AddressAssignment): boolean {
    if (!this.has("Gateway", gateway)) return false;
    return this.transaction(0, () => {
      if (!this.#addresses.set(gateway, assignment)) return false;
      this.indexes.gatewaysByAddress.set(gateway, [...new Set(assignment.addresses)]);
      return true;
    });
  }

  /** Records which release of the Gateway API is installed; false when that was known. */
  setApiBundle(bundle: ApiBundle): boolean {
    return this.transaction(0, () => this.#apiBundle.set("installed", bundle));
  }

  /** Records what a data plane said; false when it said so before. */
  setAcknowledgement(gateway: ObjectKey, acknowledgement: Acknowledgement): boolean {
    return this.#held.set(gateway, acknowledgement);
  }

  /** Forgets what was said about a Gateway that is not asked for any more. */
  dropAcknowledgement(gateway: ObjectKey): void {
    this.#held.drop(gateway);
  }

  /** The answer for a Gateway as it was given; for no query. */
  acknowledgementOf(gateway: ObjectKey): Acknowledgement | undefined {
    return this.#held.acknowledgementOf(gateway);
  }

  /** Whether the object is there; for no query. */
  has(kind: Kind, key: ObjectKey): boolean {
    return this.#tables[kind].peek(key) !== undefined;
  }

  /** The keys of `kind` that came or went since the last call; some may be as they were. */
  takeComings(kind: StatusKind): readonly ObjectKey[] {
    const keys = [...this.#comings[kind]];
    this.#comings[kind].clear();
    return keys;
  }

  /** Has {@linkcode Inputs.takeComings} tell all objects of `kind` that there are. */
  noteAllComings(kind: StatusKind): void {
    for (const key of this.#tables[kind].keys()) this.#comings[kind].add(key);
  }

  /**
   * When `key` came to be what it is; of an absence as long as something has read it; 0 when nothing
   * is known of it.
   */
  revisionOf(kind: Kind, key: ObjectKey): number {
    return this.#tables[kind].lastChange(key)?.revision ?? 0;
  }

  get<K extends Kind>(kind: K, key: ObjectKey): ObjectOf[K] | undefined {
    const table: InputTable<ObjectKey, ObjectOf[K]> = this.#tables[kind];
    return table.get(key);
  }

  read<K extends Kind, Part>(slice: KindSlice<K, Part>, key: ObjectKey): Part | undefined {
    const table: InputTable<ObjectKey, ObjectOf[K]> = this.#tables[slice.kind];
    return table.read(slice, key);
  }

  /** For no query: it is not recorded. */
  keys(kind: Kind): readonly ObjectKey[] {
    let keys = this.#sortedKeys.get(kind);
    if (!keys) this.#sortedKeys.set(kind, keys = [...this.#tables[kind].keys()].sort());
    return keys;
  }

  routesOfParent(kind: RouteKind, parent: ParentKey): readonly ObjectKey[] {
    return this.indexes.routesByParent[kind].get(parent);
  }

  defaultGateways(): readonly ObjectKey[] {
    return this.indexes.gatewaysByDefault.get(defaultGateways);
  }

  /** HTTPRoutes, GRPCRoutes and TLSRoutes that name the Service; sorted. */
  routesOfService(service: ObjectKey): readonly RouteId[] {
    return this.indexes.routesByService.get(service);
  }

  setsOfGateway(gateway: ObjectKey): readonly ObjectKey[] {
    return this.indexes.setsByGateway.get(gateway);
  }

  policiesOfService(service: ObjectKey): readonly ObjectKey[] {
    return this.indexes.policiesByService.get(service);
  }

  grantsInNamespace(namespace: string): readonly ObjectKey[] {
    return this.indexes.grantsByNamespace.get(namespace);
  }

  slicesOfService(service: ObjectKey): readonly ObjectKey[] {
    return this.indexes.slicesByService.get(service);
  }

  gatewaysAtAddress(address: string): readonly ObjectKey[] {
    return this.indexes.gatewaysByAddress.get(address);
  }

  addressesOf(gateway: ObjectKey): AddressAssignment | undefined {
    return this.#addresses.get(gateway);
  }

  apiBundle(): ApiBundle | undefined {
    return this.#apiBundle.get("installed");
  }

  held(gateway: ObjectKey): HeldGateway | undefined {
    return this.#held.held(gateway);
  }

  heldFrame(gateway: ObjectKey): Frame | undefined {
    return this.#held.heldFrame(gateway);
  }

  heldRefusals(gateway: ObjectKey): readonly Refusal[] {
    return this.#held.refusals(gateway);
  }

  heldRoute(gateway: ObjectKey, route: RouteId): HeldRoute | undefined {
    return this.#held.heldRoute(gateway, route);
  }

  #noteComing(kind: Kind, key: ObjectKey): void {
    this.#sortedKeys.delete(kind);
    if (isStatusKind(kind)) this.#comings[kind].add(key);
  }
}

/** The key of a decoded object within its kind. */
export function keyOfInput(
  object: { readonly metadata: { readonly name: string; readonly namespace?: string } },
): ObjectKey {
  return objectKey(object.metadata.namespace, object.metadata.name);
}
