/**
 * The queries over one revision of the inputs, each computed at most once and thrown away after.
 *
 * This is the computation from scratch; queries cannot tell it from an incremental one.
 */

import type { Acknowledgement } from "../../dataplane/data_plane.ts";
import type { ObjectKey } from "../../kube/object.ts";
import type { InputReader } from "../input_reader.ts";
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
import { type ComputeSettings, InputView } from "./input_view.ts";
import { computeOwnListeners } from "./own_listeners.ts";
import { computePortLosers } from "./port_losers.ts";
import { computeRouteBindings } from "./route_bindings.ts";
import { computeRouteRules } from "./route_rules.ts";

/** What a computation from scratch reads. */
export interface ScratchInputs extends InputReader {
  acknowledgementOf(gateway: ObjectKey): Acknowledgement | undefined;
}

/** See the file's header. */
export class ScratchView extends InputView implements ComputeView {
  readonly revision: number;
  readonly #inputs: ScratchInputs;
  readonly #ownListeners = new Map<ObjectKey, GatewayOwnListeners>();
  readonly #portLosers = new Map<string, PortLosers>();
  readonly #listeners = new Map<ObjectKey, GatewayListeners>();
  readonly #servicePorts = new Map<ObjectKey, Map<number, ServicePort | Finding>>();
  readonly #routeRules = new Map<ObjectKey, RouteRules>();
  readonly #routeBindings = new Map<ObjectKey, readonly ParentBinding[]>();
  readonly #attachments = new Map<ObjectKey, ReadonlyMap<string, readonly Attachment[]>>();

  constructor(inputs: ScratchInputs, settings: ComputeSettings) {
    super(inputs, settings);
    this.#inputs = inputs;
    this.revision = inputs.revision;
  }

  /** The answer for a Gateway as it was given. */
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

  attachedRoutes(gateway: ObjectKey): ReadonlyMap<string, number> {
    const counts = [...this.attachments(gateway)].map(([listener, { length }]) =>
      [listener, length] as const
    );
    return new Map(counts);
  }

  /** By the name of the listener; one without routes has no entry. Sorted by route. */
  attachments(gateway: ObjectKey): ReadonlyMap<string, readonly Attachment[]> {
    return once(this, this.#attachments, gateway, computeAttachments);
  }
}

function once<Key, Value extends object>(
  view: ScratchView,
  memo: Map<Key, Value>,
  key: Key,
  compute: (view: ScratchView, key: Key) => Value,
): Value {
  let value = memo.get(key);
  if (value === undefined) memo.set(key, value = compute(view, key));
  return value;
}
