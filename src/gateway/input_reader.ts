/**
 * The narrow door through which every query reads the inputs.
 *
 * Queries see nothing else, so that whoever implements this interface knows all that a query depends
 * on: objects or parts of them, the absence of objects, and sets. Sets are read by group, never "all
 * of a kind" (except to list what has outputs). All answers belong to one revision and are never
 * mutated.
 */

import type { BoundListener, Refusal } from "../dataplane/data_plane.ts";
import type { RouteEntry } from "../dataplane/model.ts";
import type { ObjectOf } from "../kube/decode/decode.ts";
import type { Kind } from "../kube/kinds.ts";
import type { ObjectKey } from "../kube/object.ts";
import type { ApiBundle } from "./api_bundle.ts";
import type { Frame } from "./gateway_frame.ts";
import type { KindSlice } from "./kinds/input_kind.ts";
import type { StatusKind } from "./outputs.ts";
import type { ParentKey } from "./parent_keys.ts";
import type { RouteId, RouteKind } from "./route_kinds.ts";

/** The addresses that a provider gave to a Gateway. */
export interface AddressAssignment {
  /** IP literals in canonical form; empty while there is none. */
  readonly addresses: readonly string[];
  /** Requested addresses that cannot be had, as they stand in the spec. */
  readonly unusable: readonly string[];
}

/** What a data plane last answered for a Gateway, apart from its routes. */
export interface HeldGateway {
  /** The configuration that the answer was for. */
  readonly frame: Frame;
  /** Where it really listens. */
  readonly bound: readonly BoundListener[];
  /** What of the Gateway itself was refused. */
  readonly refusals: readonly Refusal[];
}

/** An entry of a route at a listener. */
export interface PlacedEntry {
  readonly listener: string;
  readonly entry: RouteEntry;
}

/** What a data plane last answered for a route at a Gateway. */
export interface HeldRoute {
  /** By the order of the listeners, then that of the entries. */
  readonly placed: readonly PlacedEntry[];
  readonly refusals: readonly Refusal[];
}

/** See the file's header. Sets are sorted by key. */
export interface InputReader {
  /** The revision that all answers belong to. */
  readonly revision: number;
  /** The object, or undefined when there is none: an absence is an answer like any other. */
  get<K extends Kind>(kind: K, key: ObjectKey): ObjectOf[K] | undefined;
  /** One slice of the object; undefined when there is none. What changes elsewhere is not read. */
  read<K extends Kind, Part>(slice: KindSlice<K, Part>, key: ObjectKey): Part | undefined;
  /** Every object of a kind that is managed. */
  keys(kind: StatusKind): readonly ObjectKey[];
  /** Routes of a kind with a parent reference to this Gateway or ListenerSet. */
  routesOfParent(kind: RouteKind, parent: ParentKey): readonly ObjectKey[];
  /** Gateways that take routes which ask for default Gateways. */
  defaultGateways(): readonly ObjectKey[];
  /** ListenerSets that name this Gateway, allowed or not. */
  setsOfGateway(gateway: ObjectKey): readonly ObjectKey[];
  /** BackendTLSPolicies that name this Service. */
  policiesOfService(service: ObjectKey): readonly ObjectKey[];
  grantsInNamespace(namespace: string): readonly ObjectKey[];
  slicesOfService(service: ObjectKey): readonly ObjectKey[];
  /** Gateways that were given this address. */
  gatewaysAtAddress(address: string): readonly ObjectKey[];
  addressesOf(gateway: ObjectKey): AddressAssignment | undefined;
  /** The installed release of the Gateway API; undefined: nobody has said. */
  apiBundle(): ApiBundle | undefined;
}

/** Reads of what data planes have answered, one part at a time. */
export interface HeldReader {
  /** Undefined: no data plane has answered for this Gateway. */
  held(gateway: ObjectKey): HeldGateway | undefined;
  /** The configuration that the last answer was for, apart from its routes. */
  heldFrame(gateway: ObjectKey): Frame | undefined;
  /** What data planes refused of the Gateway itself. */
  heldRefusals(gateway: ObjectKey): readonly Refusal[];
  /** Undefined: no data plane has answered for this Gateway. */
  heldRoute(gateway: ObjectKey, route: RouteId): HeldRoute | undefined;
}
