/**
 * The queries, memoised over all revisions of the inputs: whoever reads through this is recorded.
 *
 * Three memos for each route, a handful for each Gateway; the routes of a parent are a fold over
 * their bindings. What has outputs is wanted by incremental_outputs.ts; all else lives as long as
 * something reads it.
 */

import type {
  BackendTls,
  Certificate,
  CertificateName,
  Cluster,
  ClusterName,
} from "../../dataplane/model.ts";
import type { ObjectKey } from "../../kube/object.ts";
import type { MemoTable } from "../../query/memo_table.ts";
import { Fold } from "../../query/fold.ts";
import { Query } from "../../query/query.ts";
import type { GatewayFrame } from "../gateway_frame.ts";
import type { Inputs } from "../inputs.ts";
import type { ResolvedGateway } from "../outputs.ts";
import type { ParentKey } from "../parent_keys.ts";
import { type RouteId, type RouteKind, routeKinds } from "../route_kinds.ts";
import { barrierRanks } from "./barrier_ranks.ts";
import { computeBackendTls, computePolicyTerms } from "./backend_tls.ts";
import { computeCluster, computeServicePort, isBackendUse } from "./backends.ts";
import { computeCertificate } from "./certificate.ts";
import type {
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
import { computeGatewayPart, type GatewayPart, keepGatewayPart } from "./gateway_part.ts";
import { HeldView } from "./held_view.ts";
import { HeldServiceState } from "./held_service_state.ts";
import { computeHostRivals } from "./host_rivals.ts";
import type { ComputeSettings } from "./input_view.ts";
import { ListenerQueries } from "./listener_queries.ts";
import type { Isolators } from "./isolators.ts";
import { keepSameParts, type ListenerShadows, type ParentShadows } from "./parent_shadows.ts";
import { collectShadows, contentOfListener, countAttached } from "./parent_content.ts";
import { parseServicePort, servicePortName } from "./service_port_name.ts";
import { computeResolvedGateway } from "./resolved_gateways.ts";
import { RouteQueries } from "./route_queries.ts";
import { computeRouteGateways, ServiceUsesState } from "./service_gateways.ts";
import type { ServiceUse } from "./service_use.ts";
import { makeStatusQueries, type StatusQueries } from "./status_queries.ts";

/** Routes first, so that the parts of a Gateway are up to date when their turn comes. */
const ranks = { routes: 0, gateways: 1, needed: 2 } as const;

/** See the file's header. */
export class QueryView extends HeldView implements ComputeView {
  /** Statuses are stamped when they are published; a query that read the revision would never rest. */
  readonly revision = 0;
  readonly #inputs: Inputs;
  readonly #query = <Key extends string, Value>(
    name: string,
    compute: (key: Key) => Value,
    rank: number = ranks.routes,
  ): Query<Key, Value> => new Query(this.#inputs.database, { name, compute, rank });

  readonly #serviceOf = (gateway: ObjectKey): HeldServiceState =>
    new HeldServiceState(this, gateway);

  readonly #listeners: ListenerQueries;
  readonly #servicePorts: Query<string, ServicePort | Finding>;
  readonly #backendTls: Query<string, BackendTls | Finding | undefined>;
  readonly #policyTerms: Query<ObjectKey, PolicyTerms>;
  readonly #routes: { readonly [K in RouteKind]: RouteQueries<K> };
  readonly #hostRivals: Query<ParentKey, HostRivals>;
  readonly #attachedRoutes: Query<ParentKey, ReadonlyMap<string, number>>;
  readonly #routeGateways: Query<RouteId, readonly ObjectKey[]>;
  readonly #serviceGateways: Fold<
    ObjectKey,
    RouteId,
    readonly ObjectKey[],
    ServiceUsesState,
    readonly ServiceUse[]
  >;
  /** The wanted statuses of each kind. */
  readonly statuses: StatusQueries;
  readonly parts: Query<ObjectKey, GatewayPart | undefined>;
  /** For who puts them where {@linkcode QueryView.shadowsOf} reads them. */
  readonly shadows: Query<ParentKey, ParentShadows>;
  readonly resolvedGateways: Query<ObjectKey, ResolvedGateway | undefined>;
  readonly clusters: Query<ClusterName, Cluster | undefined>;
  readonly certificates: Query<CertificateName, Certificate | undefined>;

  constructor(inputs: Inputs, settings: ComputeSettings) {
    super(inputs, settings);
    this.#inputs = inputs;
    this.#listeners = new ListenerQueries(this, inputs);
    this.#servicePorts = new Query(inputs.database, {
      name: "Service port",
      compute: (name) => this.#computeServicePort(name),
      rank: barrierRanks.servicePorts,
      isBarrier: true,
    });
    this.#backendTls = this.#query("backend TLS", (name) => this.#computeBackendTls(name));
    this.#policyTerms = this.#query("policy terms", (key) => computePolicyTerms(this, key));
    this.#routes = {
      HTTPRoute: new RouteQueries(this, inputs, "HTTPRoute"),
      GRPCRoute: new RouteQueries(this, inputs, "GRPCRoute"),
      TLSRoute: new RouteQueries(this, inputs, "TLSRoute"),
      TCPRoute: new RouteQueries(this, inputs, "TCPRoute"),
      UDPRoute: new RouteQueries(this, inputs, "UDPRoute"),
    };
    this.#hostRivals = new Query(inputs.database, {
      name: "host rivals",
      compute: (key) => computeHostRivals(this, key),
      rank: barrierRanks.hostRivals,
      isBarrier: true,
    });
    this.#attachedRoutes = this.#query(
      "attached routes",
      (parent) => countAttached(this, this.#routes, parent),
    );
    this.#routeGateways = this.#query("route Gateways", (id) => computeRouteGateways(this, id));
    this.#serviceGateways = new Fold(inputs.database, {
      name: "Gateways of Service",
      members: inputs.indexes.routesByService,
      parts: this.#routeGateways,
      start: () => new ServiceUsesState(),
      update: (state, changes) => state.update(changes),
    });
    this.statuses = makeStatusQueries(this, inputs.database, this.#serviceOf, ranks);
    this.parts = new Query(inputs.database, {
      name: "Gateway configuration",
      rank: ranks.gateways,
      compute: (key) => this.#computePart(key),
      keep: keepGatewayPart,
    });
    this.shadows = new Query(inputs.database, {
      name: "shadows of parent",
      rank: ranks.gateways,
      compute: (parent) => collectShadows(this, this.#routes, parent),
      keep: keepSameParts,
    });
    this.resolvedGateways = this.#query(
      "resolved Gateway",
      (key) => computeResolvedGateway(this, key),
      ranks.gateways,
    );
    this.clusters = this.#query<ClusterName, Cluster | undefined>(
      "cluster",
      (name) => computeCluster(this, name),
      ranks.needed,
    );
    this.certificates = this.#query(
      "certificate",
      (name) => computeCertificate(this, name),
      ranks.needed,
    );
  }

  ownListeners(gateway: ObjectKey): OwnListeners {
    return this.#listeners.own.get(gateway);
  }

  setListeners(set: ObjectKey): SetListeners | undefined {
    return this.#listeners.ofSet.get(set);
  }

  joinedListeners(gateway: ObjectKey): JoinedListeners {
    return this.#listeners.joined.get(gateway);
  }

  portLosers(address: string): PortLosers {
    return this.#listeners.portLosers.get(address);
  }

  portLosses(gateway: ObjectKey): PortLosses {
    return this.#listeners.portLosses.get(gateway);
  }

  listeners(gateway: ObjectKey): GatewayListeners {
    return this.#listeners.effective.get(gateway);
  }

  servicePort(service: ObjectKey, port: number, use: BackendUse): ServicePort | Finding {
    return this.#servicePorts.get(`${use} ${servicePortName(service, port)}`);
  }

  backendTls(service: ObjectKey, port: number): BackendTls | Finding | undefined {
    return this.#backendTls.get(servicePortName(service, port));
  }

  policyTerms(policy: ObjectKey): PolicyTerms {
    return this.#policyTerms.get(policy);
  }

  usesOfService(service: ObjectKey): readonly ServiceUse[] {
    return this.#serviceGateways.get(service);
  }

  routeRules<K extends RouteKind>(kind: K, route: ObjectKey): RouteRules<RuleOf[K]> {
    return this.#routes[kind].rules.get(route);
  }

  routeMeetings(kind: RouteKind, route: ObjectKey): readonly ParentMeetings[] {
    return this.#routes[kind].meetings.get(route);
  }

  routeBindings<K extends RouteKind>(
    kind: K,
    route: ObjectKey,
  ): readonly ParentBinding<EntryOf[K]>[] {
    return this.#routes[kind].bindings.get(route);
  }

  hostRivals(parent: ParentKey): HostRivals {
    return this.#hostRivals.get(parent);
  }

  shadowsOf(kind: RouteKind, parent: ParentKey, route: ObjectKey): ListenerShadows {
    return this.#inputs.shadows.get(kind, parent, route);
  }

  isolators(gateway: ObjectKey): Isolators {
    return this.#listeners.isolators.get(gateway);
  }

  attachedRoutes(parent: ParentKey): ReadonlyMap<string, number> {
    return this.#attachedRoutes.get(parent);
  }

  /** What the Gateway shall serve, without routes. */
  frame(gateway: ObjectKey): GatewayFrame | undefined {
    return this.#listeners.frames.get(gateway);
  }

  /** Wants nothing any more, so that the next collection takes every memo. */
  unwantAll(): void {
    for (const table of Object.values(this.statuses)) table.unwantAll();
    this.shadows.unwantAll();
    for (const table of [this.parts, this.resolvedGateways, this.clusters, this.certificates]) {
      table.unwantAll();
    }
  }

  /** How many memos there are, by query. */
  memoCounts(): Readonly<Record<string, number>> {
    const queries: readonly MemoTable<string, unknown>[] = [
      ...this.#listeners.tables,
      this.#servicePorts,
      this.#backendTls,
      this.#policyTerms,
      ...routeKinds.flatMap((kind) => this.#routes[kind].tables),
      this.#hostRivals,
      this.#attachedRoutes,
      this.#routeGateways,
      this.#serviceGateways,
      ...Object.values(this.statuses),
      this.shadows,
      this.parts,
      this.resolvedGateways,
      this.clusters,
      this.certificates,
    ];
    return Object.fromEntries(queries.map(({ name, size }) => [name, size]));
  }

  #computeServicePort(name: string): ServicePort | Finding {
    const space = name.indexOf(" ");
    const use = name.slice(0, space);
    const { service, port } = parseServicePort(name.slice(space + 1));
    return computeServicePort(this, service, port, isBackendUse(use) ? use : "HTTP");
  }

  #computeBackendTls(name: string): BackendTls | Finding | undefined {
    const { service, port } = parseServicePort(name);
    return computeBackendTls(this, service, port);
  }

  #computePart(gateway: ObjectKey): GatewayPart | undefined {
    const frame = this.frame(gateway);
    return frame && computeGatewayPart(
      frame,
      (listener) => contentOfListener(this.dataPlane, this.#routes, listener),
    );
  }
}
