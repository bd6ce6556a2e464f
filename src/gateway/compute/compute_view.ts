/**
 * What a query may read: the inputs and the queries of the layers below it.
 *
 * The layers, from the bottom: own listeners (a Gateway or a ListenerSet alone), joined listeners (a
 * Gateway with its sets), effective listeners (with what other Gateways at the same address took),
 * ports of a Service, rules of a route, bindings (one per parent of a route), attachments of a
 * parent, then the outputs. A query reads lower layers only, so there is no cycle.
 */

import type {
  BackendTls,
  ClientValidation,
  ClusterName,
  HttpMatch,
  HttpRouteAction,
  HttpRouteEntry,
  StreamBackend,
  StreamRouteEntry,
} from "../../dataplane/model.ts";
import type { RegexCache } from "../../dataplane/regex.ts";
import type { GatewayListener } from "../../kube/decode/gateway.ts";
import type { ParentReference } from "../../kube/decode/parent_reference.ts";
import type { ObjectKey } from "../../kube/object.ts";
import type { DataPlaneCapabilities } from "../capabilities.ts";
import type { InputReader } from "../input_reader.ts";
import type { ParentKey } from "../parent_keys.ts";
import type { RouteId, RouteKind } from "../route_kinds.ts";
import type { Finding } from "./finding.ts";
import type { Isolators } from "./isolators.ts";
import type { ListenerShadows } from "./parent_shadows.ts";
import type { ProgrammedConditions } from "./programmed.ts";
import type { ServiceUse } from "./service_use.ts";

/** A kind of route that a listener takes (Gateway API, RouteGroupKind). */
export interface RouteGroupKind {
  readonly group: string;
  readonly kind: string;
}

/** A listener of a Gateway or ListenerSet, judged by what its own object and its references say. */
export interface OwnListener {
  /** Unique within the Gateway: its name, or `namespace/set/name` of one in a ListenerSet. */
  readonly id: string;
  readonly spec: GatewayListener;
  readonly supportedKinds: readonly RouteGroupKind[];
  /** Why it is not accepted; conflicts are kept apart. */
  readonly fault?: Finding;
  readonly conflict?: Finding;
  /** Why not all of its references resolve. */
  readonly unresolved?: Finding;
  /** Where TLS ends here: the Secrets whose certificates are usable, in the order of the spec. */
  readonly certificates: readonly ObjectKey[];
  readonly clientValidation?: ClientValidation;
  /** Set when another listener has overlapping TLS settings. */
  readonly overlap?: Finding;
}

/** A listener with everything that decides whether it is served. */
export interface EffectiveListener extends OwnListener {
  /** Accepted, free of conflicts, and with a certificate where it needs one. */
  readonly isServable: boolean;
}

/** The listeners of one object in the order of its spec. */
export interface OwnListeners {
  /** Why the object as a whole is not accepted, whatever its listeners are. */
  readonly fault?: Finding;
  readonly listeners: readonly OwnListener[];
}

/** A ListenerSet whose Gateway is ours. A fault: the Gateway does not take it. */
export interface SetListeners extends OwnListeners {
  readonly gateway: ObjectKey;
}

/** A ListenerSet as a part of its Gateway. */
export interface SetOf<Listener> {
  readonly key: ObjectKey;
  /** Why the Gateway does not take it; nothing of it is served then. */
  readonly fault?: Finding;
  readonly listeners: readonly Listener[];
}

/** The listeners of a Gateway and of its ListenerSets, in the order of precedence (GEP-1713). */
export interface GatewayListenersOf<Listener> {
  /** Why the Gateway as a whole is not accepted, whatever its listeners are. */
  readonly fault?: Finding;
  /** Its own. */
  readonly listeners: readonly Listener[];
  /** Those of its sets: the older set first. */
  readonly sets: readonly SetOf<Listener>[];
}

/** With conflicts between Gateway and sets, before other Gateways are looked at. */
export type JoinedListeners = GatewayListenersOf<OwnListener>;
/** With everything. */
export type GatewayListeners = GatewayListenersOf<EffectiveListener>;

/** A port of a Service that routes can lead to. */
export interface ServicePort {
  readonly cluster: ClusterName;
  /** Set: its connections could not be secured as a BackendTLSPolicy asks, and are not made. */
  readonly isUnusable?: true;
}

/** What a BackendTLSPolicy asks for, or why it cannot be followed. */
export interface PolicyTerms {
  readonly tls?: BackendTls;
  /** Why it is not accepted. */
  readonly fault?: Finding;
  /** Why not all of its references resolve. */
  readonly unresolved?: Finding;
}

/** What a route speaks with a backend. */
export type BackendUse = "HTTP" | "GRPC" | "TCP" | "UDP";

/** A rule of an HTTPRoute or GRPCRoute that is in service. */
export interface CompiledRule {
  readonly ruleIndex: number;
  readonly name?: string;
  readonly matches: readonly HttpMatch[];
  readonly action: HttpRouteAction;
}

/** The rule of a TLSRoute, TCPRoute or UDPRoute. */
export interface StreamRule {
  readonly ruleIndex: number;
  readonly name?: string;
  readonly backends: readonly StreamBackend[];
  /** At a listener where TLS ends: policies secure what goes on from there. Absent: the same. */
  readonly backendsBehindTls?: readonly StreamBackend[];
}

/** A rule that is not in service, and why. One that could be a guard is in `rules` too, answering 500. */
export interface DroppedRule extends Finding {
  readonly ruleIndex: number;
}

/** The rules of a route: those in service, those dropped, and references that do not resolve. */
export interface RouteRules<Rule = CompiledRule> {
  readonly rules: readonly Rule[];
  readonly dropped: readonly DroppedRule[];
  readonly unresolved?: Finding;
}

/** What a rule of each kind of route is compiled to. */
export interface RuleOf {
  HTTPRoute: CompiledRule;
  GRPCRoute: CompiledRule;
  TLSRoute: StreamRule;
  TCPRoute: StreamRule;
  UDPRoute: StreamRule;
}

/** What a route of each kind asks a listener to serve. */
export interface EntryOf {
  HTTPRoute: HttpRouteEntry;
  GRPCRoute: HttpRouteEntry;
  TLSRoute: StreamRouteEntry;
  TCPRoute: StreamRouteEntry;
  UDPRoute: StreamRouteEntry;
}

/** A listener that took a route, and what of the route it would serve. */
export interface BoundRoute<Entry = HttpRouteEntry> {
  /** The listener's id. */
  readonly listener: string;
  /** One for each match and hostname that the two have in common, by precedence. */
  readonly entries: readonly Entry[];
}

/** What became of one parent reference of a route. */
export interface ParentBinding<Entry = HttpRouteEntry> {
  readonly reference: ParentReference;
  readonly parent: ParentKey;
  /** The parent, or the Gateway that the ListenerSet belongs to. */
  readonly gateway: ObjectKey;
  /** Why the parent does not take the route. */
  readonly fault?: Finding;
  /**
   * The listeners that took it. With a fault, those that answer an error to what its guarded rules
   * match: the route is not attached there, and must not be passed by either.
   */
  readonly bound: readonly BoundRoute<Entry>[];
}

/** A route at one listener. */
export interface Attachment<Entry = HttpRouteEntry> {
  readonly route: ObjectKey;
  readonly entries: readonly Entry[];
  /** Whether the listener counts the route: not one that is refused and only bars requests. */
  readonly isCounted: boolean;
}

/** A listener that would take a route, and the hostnames that they have in common; never empty. */
export interface Meeting {
  /** The listener's id. */
  readonly listener: string;
  /** Whether a stream's TLS ends there. */
  readonly endsTls: boolean;
  readonly hostnames: readonly (string | undefined)[];
}

/** Which listeners of one parent would take a route, before rivals of another kind are looked at. */
export interface ParentMeetings {
  readonly reference: ParentReference;
  readonly parent: ParentKey;
  readonly gateway: ObjectKey;
  readonly fault?: Finding;
  /** With a fault: where its guarded rules bar requests. */
  readonly meetings: readonly Meeting[];
}

/** For routes that lose a listener to an older route of the other kind: the winner, by listener. */
export type HostRivals = ReadonlyMap<RouteId, ReadonlyMap<string, RouteId>>;

/** By Gateway, then by the listener's id. */
export type PortLosers = ReadonlyMap<ObjectKey, PortLosses>;

/** Of one Gateway: its listeners that came too late, by their ids. */
export type PortLosses = ReadonlyMap<string, Finding>;

/** See the file's header. */
export interface ComputeView extends InputReader {
  readonly controllerName: string;
  /** The Service whose load balancer's addresses are told; undefined: those that are listened on. */
  readonly publishService: ObjectKey | undefined;
  readonly dataPlane: DataPlaneCapabilities;
  readonly regexes: RegexCache;
  readonly programmed: ProgrammedConditions;
  ownListeners(gateway: ObjectKey): OwnListeners;
  /** Undefined: there is no such set, or its Gateway is not ours. */
  setListeners(set: ObjectKey): SetListeners | undefined;
  joinedListeners(gateway: ObjectKey): JoinedListeners;
  /** For the Gateways around one address: the listeners that came too late, by Gateway and id. */
  portLosers(address: string): PortLosers;
  portLosses(gateway: ObjectKey): PortLosses;
  listeners(gateway: ObjectKey): GatewayListeners;
  /** Why nothing can be sent to a port of a Service, or where it goes. */
  servicePort(service: ObjectKey, port: number, use: BackendUse): ServicePort | Finding;
  /** How connections to a port of a Service use TLS; a finding: they cannot, and are not made. */
  backendTls(service: ObjectKey, port: number): BackendTls | Finding | undefined;
  policyTerms(policy: ObjectKey): PolicyTerms;
  /** Who sends to the Service, or would if a grant let them; sorted. */
  usesOfService(service: ObjectKey): readonly ServiceUse[];
  routeRules<K extends RouteKind>(kind: K, route: ObjectKey): RouteRules<RuleOf[K]>;
  routeMeetings(kind: RouteKind, route: ObjectKey): readonly ParentMeetings[];
  hostRivals(parent: ParentKey): HostRivals;
  /** For the parents that are ours, in the order of the spec. */
  routeBindings<K extends RouteKind>(
    kind: K,
    route: ObjectKey,
  ): readonly ParentBinding<EntryOf[K]>[];
  /** The entries of a route that never serve at `parent`, by the listener's id. */
  shadowsOf(kind: RouteKind, parent: ParentKey, route: ObjectKey): ListenerShadows;
  /** For each listener that is served: those that take some of its requests. */
  isolators(gateway: ObjectKey): Isolators;
  /** How many routes each listener took, by its id; one without routes has no entry. */
  attachedRoutes(parent: ParentKey): ReadonlyMap<string, number>;
}
