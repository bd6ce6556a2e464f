/**
 * The queries over one revision of the inputs, each computed at most once and thrown away after.
 *
 * This is the computation from scratch; queries cannot tell it from an incremental one.
 */

import type { Acknowledgement } from "../../dataplane/data_plane.ts";
import type { RegexCache } from "../../dataplane/regex.ts";
import type { ObjectOf } from "../../kube/decode/decode.ts";
import type { Kind } from "../../kube/kinds.ts";
import type { ObjectKey } from "../../kube/object.ts";
import type { DataPlaneCapabilities } from "../capabilities.ts";
import type { AddressAssignment, InputReader } from "../input_reader.ts";
import { computeAttachments } from "./attachments.ts";
import type {
  Attachment,
  ComputeView,
  GatewayListeners,
  GatewayOwnListeners,
  ParentBinding,
  PortLosers,
  RouteRules,
} from "./compute_view.ts";
import { computeGatewayListeners } from "./gateway_listeners.ts";
import { computeOwnListeners } from "./own_listeners.ts";
import { computePortLosers } from "./port_losers.ts";
import { computeRouteBindings } from "./route_bindings.ts";
import { computeRouteRules } from "./route_rules.ts";

/** What queries depend on besides the inputs; fixed for the life of the process. */
export interface ComputeSettings {
  readonly controllerName: string;
  readonly dataPlane: DataPlaneCapabilities;
  readonly regexes: RegexCache;
}

/** See the file's header. */
export class ScratchView implements ComputeView {
  readonly revision: number;
  readonly controllerName: string;
  readonly dataPlane: DataPlaneCapabilities;
  readonly regexes: RegexCache;
  readonly #inputs: InputReader;
  readonly #ownListeners = new Map<ObjectKey, GatewayOwnListeners>();
  readonly #portLosers = new Map<string, PortLosers>();
  readonly #listeners = new Map<ObjectKey, GatewayListeners>();
  readonly #routeRules = new Map<ObjectKey, RouteRules>();
  readonly #routeBindings = new Map<ObjectKey, readonly ParentBinding[]>();
  readonly #attachments = new Map<ObjectKey, ReadonlyMap<string, readonly Attachment[]>>();

  constructor(inputs: InputReader, settings: ComputeSettings) {
    this.#inputs = inputs;
    this.revision = inputs.revision;
    this.controllerName = settings.controllerName;
    this.dataPlane = settings.dataPlane;
    this.regexes = settings.regexes;
  }

  get<K extends Kind>(kind: K, key: ObjectKey): ObjectOf[K] | undefined {
    return this.#inputs.get(kind, key);
  }

  keys(kind: "GatewayClass" | "Gateway" | "HTTPRoute"): readonly ObjectKey[] {
    return this.#inputs.keys(kind);
  }

  routesOfGateway(gateway: ObjectKey): readonly ObjectKey[] {
    return this.#inputs.routesOfGateway(gateway);
  }

  grantsInNamespace(namespace: string): readonly ObjectKey[] {
    return this.#inputs.grantsInNamespace(namespace);
  }

  slicesOfService(service: ObjectKey): readonly ObjectKey[] {
    return this.#inputs.slicesOfService(service);
  }

  gatewaysAtAddress(address: string): readonly ObjectKey[] {
    return this.#inputs.gatewaysAtAddress(address);
  }

  addressesOf(gateway: ObjectKey): AddressAssignment | undefined {
    return this.#inputs.addressesOf(gateway);
  }

  acknowledgementOf(gateway: ObjectKey): Acknowledgement | undefined {
    return this.#inputs.acknowledgementOf(gateway);
  }

  ownListeners(gateway: ObjectKey): GatewayOwnListeners {
    return once(this.#ownListeners, gateway, () => computeOwnListeners(this, gateway));
  }

  portLosers(address: string): PortLosers {
    return once(this.#portLosers, address, () => computePortLosers(this, address));
  }

  listeners(gateway: ObjectKey): GatewayListeners {
    return once(this.#listeners, gateway, () => computeGatewayListeners(this, gateway));
  }

  routeRules(route: ObjectKey): RouteRules {
    return once(this.#routeRules, route, () => computeRouteRules(this, route));
  }

  routeBindings(route: ObjectKey): readonly ParentBinding[] {
    return once(this.#routeBindings, route, () => computeRouteBindings(this, route));
  }

  attachments(gateway: ObjectKey): ReadonlyMap<string, readonly Attachment[]> {
    return once(this.#attachments, gateway, () => computeAttachments(this, gateway));
  }
}

function once<Key, Value>(memo: Map<Key, Value>, key: Key, compute: () => Value): Value {
  let value = memo.get(key);
  if (value === undefined) memo.set(key, value = compute());
  return value;
}
