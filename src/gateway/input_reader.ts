/**
 * The narrow door through which every query reads the inputs.
 *
 * Queries see nothing else, so that whoever implements this interface knows all that a query depends
 * on: objects, the absence of objects, and sets. Sets are read by group, never "all of a kind"
 * (except to list what has outputs). All answers belong to one revision and are never mutated.
 */

import type { Acknowledgement } from "../dataplane/data_plane.ts";
import type { ObjectOf } from "../kube/decode/decode.ts";
import type { Kind } from "../kube/kinds.ts";
import type { ObjectKey } from "../kube/object.ts";

/** The addresses that a provider gave to a Gateway. */
export interface AddressAssignment {
  /** IP literals in canonical form; empty while there is none. */
  readonly addresses: readonly string[];
  /** Requested addresses that cannot be had, as they stand in the spec. */
  readonly unusable: readonly string[];
}

/** See the file's header. Sets are sorted by key. */
export interface InputReader {
  /** The revision that all answers belong to. */
  readonly revision: number;
  /** The object, or undefined when there is none: an absence is an answer like any other. */
  get<K extends Kind>(kind: K, key: ObjectKey): ObjectOf[K] | undefined;
  /** Every object of a kind that is managed. */
  keys(kind: "GatewayClass" | "Gateway" | "HTTPRoute"): readonly ObjectKey[];
  /** Routes with a parent reference to this Gateway. */
  routesOfGateway(gateway: ObjectKey): readonly ObjectKey[];
  grantsInNamespace(namespace: string): readonly ObjectKey[];
  slicesOfService(service: ObjectKey): readonly ObjectKey[];
  /** Gateways that were given this address. */
  gatewaysAtAddress(address: string): readonly ObjectKey[];
  addressesOf(gateway: ObjectKey): AddressAssignment | undefined;
  /** What a data plane last said about this Gateway. */
  acknowledgementOf(gateway: ObjectKey): Acknowledgement | undefined;
}
