/**
 * The queries over one revision of the inputs, each computed at most once and thrown away after.
 *
 * This is the computation from scratch; queries cannot tell it from an incremental one.
 */

import type { Acknowledgement } from "../../dataplane/data_plane.ts";
import type { BackendTls } from "../../dataplane/model.ts";
import type { ObjectKey } from "../../kube/object.ts";
import type { InputReader } from "../input_reader.ts";
import type { ParentKey } from "../parent_keys.ts";
import { type RouteId, type RouteKind, routeKinds } from "../route_kinds.ts";
import { computeAttachments } from "./attachments.ts";
import { computeBackendTls, computePolicyTerms } from "./backend_tls.ts";
import { computeServicePort } from "./backends.ts";
import type {
  Attachment,
  BackendUse,
  ComputeView,
  EntryOf,
  GatewayListeners,
  HostRivals,
  JoinedListeners,
  OwnListeners,
  ParentBinding,
  ParentMeetings,
  PolicyTerms,
  PortLosers,
  PortLosses,
  RouteRules,
  RuleOf,
  ServicePort,
  SetListeners,
} from "./compute_view.ts";
import type { Finding } from "./finding.ts";
import { computeGatewayListeners } from "./gateway_listeners.ts";
import { computeHostRivals } from "./host_rivals.ts";
import { type ComputeSettings, InputView } from "./input_view.ts";
import { computeGatewayFrame } from "./gateway_config.ts";
import { computeIsolators, type Isolators } from "./isolators.ts";
import {
  type ListenerShadows,
  type ParentShadows,
  type ShadowPlace,
  shadowPlace,
  shadowsOfRoute,
} from "./parent_shadows.ts";
import { type RouteShadows, ShadowIndex } from "./shadow_index.ts";
import { computeJoinedListeners } from "./joined_listeners.ts";
import { computeOwnListeners } from "./own_listeners.ts";
import { kindsTaken } from "./parent_content.ts";
import { computePortLosers, computePortLosses } from "./port_losers.ts";
import { computeRouteBindings } from "./route_bindings.ts";
import { routeComputations } from "./route_computations.ts";
import { computeRouteMeetings } from "./route_meetings.ts";
import { computeRouteGateways } from "./service_gateways.ts";
import { type ServiceUse, usesOf } from "./service_use.ts";
import { computeSetListeners } from "./set_listeners.ts";

/** What a computation from scratch reads. */
export interface ScratchInputs extends InputReader {
  acknowledgementOf(gateway: ObjectKey): Acknowledgement | undefined;
  /** HTTPRoutes, GRPCRoutes and TLSRoutes that name the Service; sorted. */
  routesOfService(service: ObjectKey): readonly RouteId[];
}

/** What is known of the routes of one kind. */
class RouteMemos<K extends RouteKind> {
  readonly rules = new Map<ObjectKey, RouteRules<RuleOf[K]>>();
  readonly meetings = new Map<ObjectKey, readonly ParentMeetings[]>();
  readonly bindings = new Map<ObjectKey, readonly ParentBinding<EntryOf[K]>[]>();
  readonly attachments = new Map<
    ParentKey,
    ReadonlyMap<string, readonly Attachment<EntryOf[K]>[]>
  >();
  readonly shadows = new Map<ParentKey, ParentShadows>();
}

/** See the file's header. */
export class ScratchView extends InputView implements ComputeView {
  readonly revision: number;
  readonly #inputs: ScratchInputs;
  readonly #ownListeners = new Map<ObjectKey, OwnListeners>();
  readonly #setListeners = new Map<ObjectKey, SetListeners | undefined>();
  readonly #joinedListeners = new Map<ObjectKey, JoinedListeners>();
  readonly #portLosers = new Map<string, PortLosers>();
  readonly #listeners = new Map<ObjectKey, GatewayListeners>();
  readonly #servicePorts = new Map<ObjectKey, Map<string, ServicePort | Finding>>();
  readonly #backendTls = new Map<string, BackendTls | Finding | undefined>();
  readonly #policyTerms = new Map<ObjectKey, PolicyTerms>();
  readonly #routes: { readonly [K in RouteKind]: RouteMemos<K> } = {
    HTTPRoute: new RouteMemos(),
    GRPCRoute: new RouteMemos(),
    TLSRoute: new RouteMemos(),
    TCPRoute: new RouteMemos(),
    UDPRoute: new RouteMemos(),
  };
  readonly #hostRivals = new Map<ParentKey, HostRivals>();
  readonly #isolators = new Map<ObjectKey, Isolators>();
  readonly #usesOfService = new Map<ObjectKey, readonly ServiceUse[]>();

  constructor(inputs: ScratchInputs, settings: ComputeSettings) {
    super(inputs, settings);
    this.#inputs = inputs;
    this.revision = inputs.revision;
  }

  /** The answer for a Gateway as it was given. */
  acknowledgementOf(gateway: ObjectKey): Acknowledgement | undefined {
    return this.#inputs.acknowledgementOf(gateway);
  }

  ownListeners(gateway: ObjectKey): OwnListeners {
    return once(this.#ownListeners, gateway, () => computeOwnListeners(this, gateway));
  }

  setListeners(set: ObjectKey): SetListeners | undefined {
    return once(this.#setListeners, set, () => computeSetListeners(this, set));
  }

  joinedListeners(gateway: ObjectKey): JoinedListeners {
    return once(this.#joinedListeners, gateway, () => computeJoinedListeners(this, gateway));
  }

  portLosers(address: string): PortLosers {
    return once(this.#portLosers, address, () => computePortLosers(this, address));
  }

  portLosses(gateway: ObjectKey): PortLosses {
    return computePortLosses(this, gateway);
  }

  listeners(gateway: ObjectKey): GatewayListeners {
    return once(this.#listeners, gateway, () => computeGatewayListeners(this, gateway));
  }

  servicePort(service: ObjectKey, port: number, use: BackendUse): ServicePort | Finding {
    let ports = this.#servicePorts.get(service);
    if (!ports) this.#servicePorts.set(service, ports = new Map());
    return once(ports, `${use} ${port}`, () => computeServicePort(this, service, port, use));
  }

  backendTls(service: ObjectKey, port: number): BackendTls | Finding | undefined {
    return once(
      this.#backendTls,
      `${service}/${port}`,
      () => computeBackendTls(this, service, port),
    );
  }

  policyTerms(policy: ObjectKey): PolicyTerms {
    return once(this.#policyTerms, policy, () => computePolicyTerms(this, policy));
  }

  usesOfService(service: ObjectKey): readonly ServiceUse[] {
    return once(this.#usesOfService, service, () => {
      const routes = this.#inputs.routesOfService(service);
      const uses = routes.flatMap((id) => usesOf(id, computeRouteGateways(this, id)));
      return [...new Set(uses)].sort();
    });
  }

  routeRules<K extends RouteKind>(kind: K, route: ObjectKey): RouteRules<RuleOf[K]> {
    const { rules } = this.#routes[kind];
    return once(rules, route, () => routeComputations[kind].computeRules(this, route));
  }

  routeMeetings(kind: RouteKind, route: ObjectKey): readonly ParentMeetings[] {
    const { meetings } = this.#routes[kind];
    return once(meetings, route, () => computeRouteMeetings(this, kind, route));
  }

  routeBindings<K extends RouteKind>(
    kind: K,
    route: ObjectKey,
  ): readonly ParentBinding<EntryOf[K]>[] {
    const { bindings } = this.#routes[kind];
    return once(bindings, route, () => computeRouteBindings(this, kind, route));
  }

  hostRivals(parent: ParentKey): HostRivals {
    return once(this.#hostRivals, parent, () => computeHostRivals(this, parent));
  }

  shadowsOf(kind: RouteKind, parent: ParentKey, route: ObjectKey): ListenerShadows {
    return shadowsOfRoute(this.#shadows(kind, parent), kind, route);
  }

  isolators(gateway: ObjectKey): Isolators {
    return once(
      this.#isolators,
      gateway,
      () => computeIsolators(computeGatewayFrame(this, gateway)),
    );
  }

  attachedRoutes(parent: ParentKey): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    const kinds = kindsTaken(this, parent);
    for (const kind of routeKinds) {
      if (!kinds.has(kind)) continue;
      for (const [id, attached] of this.attachments(kind, parent)) {
        const counted = attached.filter(({ isCounted }) => isCounted).length;
        if (counted > 0) counts.set(id, (counts.get(id) ?? 0) + counted);
      }
    }
    return counts;
  }

  /** By the id of the listener; one without routes has no entry. Sorted by route. */
  attachments<K extends RouteKind>(
    kind: K,
    parent: ParentKey,
  ): ReadonlyMap<string, readonly Attachment<EntryOf[K]>[]> {
    const { attachments } = this.#routes[kind];
    return once(attachments, parent, () => computeAttachments(this, kind, parent));
  }

  #shadows<K extends RouteKind>(kind: K, parent: ParentKey): ParentShadows {
    const { shadows } = this.#routes[kind];
    return once(shadows, parent, () => {
      const { compare } = routeComputations[kind].entries;
      const found = new Map<ShadowPlace, RouteShadows>();
      for (const [id, attached] of this.attachments(kind, parent)) {
        const index = new ShadowIndex<EntryOf[K]>(compare);
        const shadows = index.update([], attached.flatMap(({ entries }) => entries));
        if (shadows.size > 0) found.set(shadowPlace(kind, id), shadows);
      }
      return found;
    });
  }
}

/** Undefined is a value like any other; it is computed again, which costs little. */
function once<Key, Value>(memo: Map<Key, Value>, key: Key, compute: () => Value): Value {
  let value = memo.get(key);
  if (value === undefined) memo.set(key, value = compute());
  return value;
}
