/**
 * What a query may read: the inputs and the queries of the layers below it.
 *
 * The layers, from the bottom: own listeners (a Gateway alone), effective listeners (with what other
 * Gateways at the same address took), ports of a Service, rules of a route, bindings (one per parent of a route),
 * attachments of a Gateway, then the outputs. A query reads lower layers only, so there is no cycle.
 */

import type {
  ClusterName,
  HttpMatch,
  HttpRouteAction,
  HttpRouteEntry,
} from "../../dataplane/model.ts";
import type { RegexCache } from "../../dataplane/regex.ts";
import type { GatewayListener } from "../../kube/decode/gateway.ts";
import type { ParentReference } from "../../kube/decode/parent_reference.ts";
import type { ObjectKey } from "../../kube/object.ts";
import type { DataPlaneCapabilities } from "../capabilities.ts";
import type { InputReader } from "../input_reader.ts";
import type { Finding } from "./finding.ts";
import type { ProgrammedConditions } from "./programmed.ts";

/** A kind of route that a listener takes. */
export interface RouteKind {
  readonly group: string;
  readonly kind: string;
}

/** A listener of a Gateway, judged by what its own Gateway and its references say. */
export interface OwnListener {
  readonly spec: GatewayListener;
  readonly supportedKinds: readonly RouteKind[];
  /** Why it is not accepted; conflicts are kept apart. */
  readonly fault?: Finding;
  readonly conflict?: Finding;
  /** Why not all of its references resolve. */
  readonly unresolved?: Finding;
  /** For HTTPS: the Secrets whose certificates are usable, in the order of the spec. */
  readonly certificates: readonly ObjectKey[];
  /** Set when another listener has overlapping TLS settings. */
  readonly overlap?: Finding;
}

/** A listener with everything that decides whether it is served. */
export interface EffectiveListener extends OwnListener {
  /** Accepted, free of conflicts, and with a certificate where it needs one. */
  readonly isServable: boolean;
}

/** The listeners of a Gateway in the order of its spec. */
export interface GatewayListeners {
  /** Why the Gateway as a whole is not accepted, whatever its listeners are. */
  readonly fault?: Finding;
  readonly listeners: readonly EffectiveListener[];
}

/** A port of a Service that routes can lead to. */
export interface ServicePort {
  readonly cluster: ClusterName;
  readonly namespace: string;
  readonly service: string;
  readonly port: number;
}

/** A rule of a route that is in service. */
export interface CompiledRule {
  readonly ruleIndex: number;
  readonly name?: string;
  readonly matches: readonly HttpMatch[];
  readonly action: HttpRouteAction;
}

/** A rule that is not in service, and why. One that could be a guard is in `rules` too, answering 500. */
export interface DroppedRule extends Finding {
  readonly ruleIndex: number;
}

/** The rules of a route: those in service, those dropped, and references that do not resolve. */
export interface RouteRules {
  readonly rules: readonly CompiledRule[];
  readonly dropped: readonly DroppedRule[];
  readonly unresolved?: Finding;
}

/** A listener that took a route, and what of the route it would serve. */
export interface BoundRoute {
  readonly listener: string;
  /** One for each match and hostname that the two have in common, by precedence. */
  readonly entries: readonly HttpRouteEntry[];
}

/** What became of one parent reference of a route. */
export interface ParentBinding {
  readonly reference: ParentReference;
  readonly gateway: ObjectKey;
  /** Why the parent does not take the route. */
  readonly fault?: Finding;
  /** The listeners that took it; empty with a fault. */
  readonly bound: readonly BoundRoute[];
}

/** A route at one listener. */
export interface Attachment {
  readonly route: ObjectKey;
  readonly entries: readonly HttpRouteEntry[];
}

/** See the file's header. */
export interface ComputeView extends InputReader {
  readonly controllerName: string;
  readonly dataPlane: DataPlaneCapabilities;
  readonly regexes: RegexCache;
  readonly programmed: ProgrammedConditions;
  ownListeners(gateway: ObjectKey): GatewayOwnListeners;
  /** For the Gateways around one address: the listeners that came too late, by Gateway and name. */
  portLosers(address: string): PortLosers;
  listeners(gateway: ObjectKey): GatewayListeners;
  /** Why HTTP cannot be sent to a port of a Service, or where it goes. */
  servicePort(service: ObjectKey, port: number): ServicePort | Finding;
  routeRules(route: ObjectKey): RouteRules;
  /** For the parents that are ours, in the order of the spec. */
  routeBindings(route: ObjectKey): readonly ParentBinding[];
  /** How many routes each listener took, by its name; one without routes has no entry. */
  attachedRoutes(gateway: ObjectKey): ReadonlyMap<string, number>;
}

/** The listeners of a Gateway before other Gateways are looked at. */
export interface GatewayOwnListeners {
  readonly fault?: Finding;
  readonly listeners: readonly OwnListener[];
}

/** By Gateway, then by the listener's name. */
export type PortLosers = ReadonlyMap<ObjectKey, ReadonlyMap<string, Finding>>;
