/**
 * What every view of the queries shares: the settings, and reads of inputs passed on as they are.
 */

import type { RegexCache } from "../../dataplane/regex.ts";
import type { ObjectOf } from "../../kube/decode/decode.ts";
import type { Kind } from "../../kube/kinds.ts";
import type { ObjectKey } from "../../kube/object.ts";
import type { ApiBundle } from "../api_bundle.ts";
import type { DataPlaneCapabilities } from "../capabilities.ts";
import type { AddressAssignment, InputReader } from "../input_reader.ts";
import type { KindSlice } from "../kinds/input_kind.ts";
import type { StatusKind } from "../outputs.ts";
import type { ParentKey } from "../parent_keys.ts";
import type { RouteKind } from "../route_kinds.ts";
import { ProgrammedConditions } from "./programmed.ts";

/** What queries depend on besides the inputs; fixed for the life of the process. */
export interface ComputeSettings {
  readonly controllerName: string;
  readonly dataPlane: DataPlaneCapabilities;
  readonly regexes: RegexCache;
  /** The Service before the data plane, whose addresses the statuses of Gateways have. */
  readonly publishService?: ObjectKey;
}

/** See the file's header. Whether a read is recorded is the reader's business. */
export class InputView {
  readonly controllerName: string;
  readonly dataPlane: DataPlaneCapabilities;
  readonly regexes: RegexCache;
  readonly publishService: ObjectKey | undefined;
  readonly programmed: ProgrammedConditions;
  readonly #reader: InputReader;

  constructor(reader: InputReader, settings: ComputeSettings) {
    this.#reader = reader;
    this.controllerName = settings.controllerName;
    this.dataPlane = settings.dataPlane;
    this.regexes = settings.regexes;
    this.publishService = settings.publishService;
    this.programmed = new ProgrammedConditions(settings.dataPlane.name);
  }

  get<K extends Kind>(kind: K, key: ObjectKey): ObjectOf[K] | undefined {
    return this.#reader.get(kind, key);
  }

  read<K extends Kind, Part>(slice: KindSlice<K, Part>, key: ObjectKey): Part | undefined {
    return this.#reader.read(slice, key);
  }

  keys(kind: StatusKind): readonly ObjectKey[] {
    return this.#reader.keys(kind);
  }

  routesOfParent(kind: RouteKind, parent: ParentKey): readonly ObjectKey[] {
    return this.#reader.routesOfParent(kind, parent);
  }

  defaultGateways(): readonly ObjectKey[] {
    return this.#reader.defaultGateways();
  }

  setsOfGateway(gateway: ObjectKey): readonly ObjectKey[] {
    return this.#reader.setsOfGateway(gateway);
  }

  policiesOfService(service: ObjectKey): readonly ObjectKey[] {
    return this.#reader.policiesOfService(service);
  }

  grantsInNamespace(namespace: string): readonly ObjectKey[] {
    return this.#reader.grantsInNamespace(namespace);
  }

  slicesOfService(service: ObjectKey): readonly ObjectKey[] {
    return this.#reader.slicesOfService(service);
  }

  gatewaysAtAddress(address: string): readonly ObjectKey[] {
    return this.#reader.gatewaysAtAddress(address);
  }

  addressesOf(gateway: ObjectKey): AddressAssignment | undefined {
    return this.#reader.addressesOf(gateway);
  }

  apiBundle(): ApiBundle | undefined {
    return this.#reader.apiBundle();
  }
}
