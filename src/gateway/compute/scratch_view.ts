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
import { computeServicePort } from "./backends.ts";
import type {
  Attachment,
  ComputeView,
  GatewayListeners,
  GatewayOwnListeners,
  ParentBinding,
  PortLosers,
  RouteRules,
  ServicePort,
} from "./compute_view.ts";
import type { Finding } from "./finding.ts";
import { computeGatewayListeners } from "./gateway_listeners.ts";
import { computeOwnListeners } from "./own_listeners.ts";
import { computePortLosers } from "./port_losers.ts";
import { ProgrammedConditions } from "./programmed.ts";
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
  readonly programmed: ProgrammedConditions;
  readonly #inputs: InputReader;
  readonly #ownListeners = new Map<ObjectKey, GatewayOwnListeners>();
  readonly #portLosers = new Map<string, PortLosers>();
  readonly #listeners = new Map<ObjectKey, GatewayListeners>();
  readonly #servicePorts = new Map<ObjectKey, Map<number, ServicePort | Finding>>();
  readonly #routeRules = new Map<ObjectKey, RouteRules>();
  readonly #routeBindings = new Map<ObjectKey, readonly ParentBinding[]>();
  readonly #attachments = new Map<ObjectKey, ReadonlyMap<string, readonly Attachment[]>>();

  constructor(inputs: InputReader, settings: ComputeSettings) {
    this.#inputs = inputs;
    this.revision = inputs.revision;
    this.controllerName = settings.controllerName;
    this.dataPlane = settings.dataPlane;
    this.regexes = settings.regexes;
    this.programmed = new ProgrammedConditions(settings.dataPlane.name);
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
    return once(this, this.#ownListeners, gateway, computeOwnListeners);
  }

  portLosers(address: string): PortLosers {
    return once(this, this.#portLosers, address, computePortLosers);
  }

  listeners(gateway: ObjectKey): GatewayListeners {
    return once(this, this.#listeners, gateway, computeGatewayListeners);
  }

  servicePort(service: ObjectKey, port: number): ServicePort | Finding {
    let ports = this.#servicePorts.get(service);
    if (!ports) this.#servicePorts.set(service, ports = new Map());
    let found = ports.get(port);
    if (!found) ports.set(port, found = computeServicePort(this, service, port));
    return found;
  }

  routeRules(route: ObjectKey): RouteRules {
    return once(this, this.#routeRules, route, computeRouteRules);
  }

  routeBindings(route: ObjectKey): readonly ParentBinding[] {
    return once(this, this.#routeBindings, route, computeRouteBindings);
  }

  attachments(gateway: ObjectKey): ReadonlyMap<string, readonly Attachment[]> {
    return once(this, this.#attachments, gateway, computeAttachments);
  }
}

function once<Key, Value extends object>(
  view: ComputeView,
  memo: Map<Key, Value>,
  key: Key,
  compute: (view: ComputeView, key: Key) => Value,
): Value {
  let value = memo.get(key);
  if (value === undefined) memo.set(key, value = compute(view, key));
  return value;
}
