/**
 * The queries, memoised over all revisions of the inputs: whoever reads through this is recorded.
 *
 * Three memos for each route (rules, bindings, status), a handful for each Gateway; the routes of a
 * Gateway are a fold over its bindings. What has outputs is wanted by incremental_outputs.ts; all else
 * lives as long as something reads it.
 */

import type { Refusal } from "../../dataplane/data_plane.ts";
import type { Certificate, CertificateName, Cluster, ClusterName } from "../../dataplane/model.ts";
import type { DesiredStatus } from "../../kube/desired_status.ts";
import { type ObjectKey, objectKey } from "../../kube/object.ts";
import { Fold } from "../../query/fold.ts";
import { Query } from "../../query/query.ts";
import type { Frame, GatewayFrame } from "../gateway_frame.ts";
import type { HeldGateway, HeldReader, HeldRoute } from "../input_reader.ts";
import type { Inputs } from "../inputs.ts";
import type { ResolvedGateway, StatusKind } from "../outputs.ts";
import { computeCluster, computeServicePort } from "./backends.ts";
import { computeCertificate } from "./certificate.ts";
import type {
  ComputeView,
  GatewayListeners,
  GatewayOwnListeners,
  ParentBinding,
  PortLosers,
  RouteRules,
  ServicePort,
} from "./compute_view.ts";
import type { Finding } from "./finding.ts";
import { computeGatewayClassStatus } from "./gateway_class_status.ts";
import { computeGatewayFrame } from "./gateway_config.ts";
import { computeGatewayListeners } from "./gateway_listeners.ts";
import { computeGatewayPart, type GatewayPart, keepGatewayPart } from "./gateway_part.ts";
import { type GatewayRoutes, GatewayRoutesState, keepGatewayRoutes } from "./gateway_routes.ts";
import { computeGatewayStatus } from "./gateway_status.ts";
import { HeldServiceState } from "./held_service_state.ts";
import { computeHTTPRouteStatus } from "./http_route_status.ts";
import { type ComputeSettings, InputView } from "./input_view.ts";
import { computeOwnListeners } from "./own_listeners.ts";
import { computePortLosers } from "./port_losers.ts";
import { computeResolvedGateway } from "./resolved_gateways.ts";
import { computeRouteBindings } from "./route_bindings.ts";
import { computeRouteRules } from "./route_rules.ts";

/** Routes first, so that the parts of a Gateway are up to date when their turn comes. */
const ranks = { routes: 0, gateways: 1, needed: 2 } as const;

/** See the file's header. */
export class QueryView extends InputView implements ComputeView, HeldReader {
  /** Statuses are stamped when they are published; a query that read the revision would never rest. */
  readonly revision = 0;
  /** The wanted statuses of each kind. */
  readonly statuses: { readonly [K in StatusKind]: Query<ObjectKey, DesiredStatus | undefined> };
  readonly parts: Query<ObjectKey, GatewayPart | undefined>;
  readonly resolvedGateways: Query<ObjectKey, ResolvedGateway | undefined>;
  readonly clusters: Query<ClusterName, Cluster | undefined>;
  readonly certificates: Query<CertificateName, Certificate | undefined>;
  readonly #inputs: Inputs;
  readonly #ownListeners: Query<ObjectKey, GatewayOwnListeners>;
  readonly #portLosers: Query<string, PortLosers>;
  readonly #listeners: Query<ObjectKey, GatewayListeners>;
  readonly #servicePorts: Query<string, ServicePort | Finding>;
  readonly #routeRules: Query<ObjectKey, RouteRules>;
  readonly #routeBindings: Query<ObjectKey, readonly ParentBinding[]>;
  readonly #frames: Query<ObjectKey, GatewayFrame | undefined>;
  readonly #gatewayRoutes: Fold<
    ObjectKey,
    ObjectKey,
    readonly ParentBinding[],
    GatewayRoutesState,
    GatewayRoutes
  >;
  readonly #attachedRoutes: Query<ObjectKey, ReadonlyMap<string, number>>;

  constructor(inputs: Inputs, settings: ComputeSettings) {
    super(inputs, settings);
    this.#inputs = inputs;
    this.#ownListeners = this.#query("own listeners", (key) => computeOwnListeners(this, key));
    this.#portLosers = this.#query("port losers", (address) => computePortLosers(this, address));
    this.#listeners = this.#query("listeners", (key) => computeGatewayListeners(this, key));
    this.#servicePorts = this.#query("Service port", (pair) => this.#computeServicePort(pair));
    this.#routeRules = this.#query("route rules", (key) => computeRouteRules(this, key));
    this.#routeBindings = this.#query("route bindings", (key) => computeRouteBindings(this, key));
    this.#frames = this.#query("Gateway frame", (key) => computeGatewayFrame(this, key));
    this.#gatewayRoutes = new Fold(inputs.database, {
      name: "Gateway routes",
      members: inputs.routesByGateway,
      parts: this.#routeBindings,
      start: (key) => new GatewayRoutesState(key),
      update: (state, changes) => state.update(changes),
      keep: keepGatewayRoutes,
    });
    this.#attachedRoutes = this.#query("attached routes", (key) => this.#countAttached(key));
    this.statuses = {
      GatewayClass: this.#query(
        "GatewayClass status",
        (key) => computeGatewayClassStatus(this, key),
      ),
      Gateway: this.#query(
        "Gateway status",
        (key) => computeGatewayStatus(this, key, this.#serviceOf(key)),
        ranks.gateways,
      ),
      HTTPRoute: this.#query(
        "HTTPRoute status",
        (key) => computeHTTPRouteStatus(this, key, this.#serviceOf),
        ranks.routes,
      ),
    };
    this.parts = new Query(inputs.database, {
      name: "Gateway configuration",
      rank: ranks.gateways,
      compute: (key) => this.#computePart(key),
      keep: keepGatewayPart,
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

  held(gateway: ObjectKey): HeldGateway | undefined {
    return this.#inputs.held(gateway);
  }

  heldFrame(gateway: ObjectKey): Frame | undefined {
    return this.#inputs.heldFrame(gateway);
  }

  heldRefusals(gateway: ObjectKey): readonly Refusal[] {
    return this.#inputs.heldRefusals(gateway);
  }

  heldRoute(gateway: ObjectKey, route: ObjectKey): HeldRoute | undefined {
    return this.#inputs.heldRoute(gateway, route);
  }

  ownListeners(gateway: ObjectKey): GatewayOwnListeners {
    return this.#ownListeners.get(gateway);
  }

  portLosers(address: string): PortLosers {
    return this.#portLosers.get(address);
  }

  listeners(gateway: ObjectKey): GatewayListeners {
    return this.#listeners.get(gateway);
  }

  servicePort(service: ObjectKey, port: number): ServicePort | Finding {
    return this.#servicePorts.get(`${service}/${port}`);
  }

  routeRules(route: ObjectKey): RouteRules {
    return this.#routeRules.get(route);
  }

  routeBindings(route: ObjectKey): readonly ParentBinding[] {
    return this.#routeBindings.get(route);
  }

  attachedRoutes(gateway: ObjectKey): ReadonlyMap<string, number> {
    return this.#attachedRoutes.get(gateway);
  }

  /** What the Gateway shall serve, without routes. */
  frame(gateway: ObjectKey): GatewayFrame | undefined {
    return this.#frames.get(gateway);
  }

  /** Wants nothing any more, so that the next collection takes every memo. */
  unwantAll(): void {
    for (const table of Object.values(this.statuses)) table.unwantAll();
    for (const table of [this.parts, this.resolvedGateways, this.clusters, this.certificates]) {
      table.unwantAll();
    }
  }

  /** How many memos there are, by query. */
  memoCounts(): Readonly<Record<string, number>> {
    const queries = [
      this.#ownListeners,
      this.#portLosers,
      this.#listeners,
      this.#servicePorts,
      this.#routeRules,
      this.#routeBindings,
      this.#frames,
      this.#gatewayRoutes,
      this.#attachedRoutes,
      ...Object.values(this.statuses),
      this.parts,
      this.resolvedGateways,
      this.clusters,
      this.certificates,
    ];
    return Object.fromEntries(queries.map(({ name, size }) => [name, size]));
  }

  #query<Key extends string, Value>(
    name: string,
    compute: (key: Key) => Value,
    rank: number = ranks.routes,
  ): Query<Key, Value> {
    return new Query(this.#inputs.database, { name, compute, rank });
  }

  readonly #serviceOf = (gateway: ObjectKey): HeldServiceState =>
    new HeldServiceState(this, gateway);

  #computeServicePort(pair: string): ServicePort | Finding {
    // A reference may name anything, with slashes too; the port is behind the last one.
    const nameAt = pair.indexOf("/") + 1;
    const portAt = pair.lastIndexOf("/") + 1;
    const service = objectKey(pair.slice(0, nameAt - 1), pair.slice(nameAt, portAt - 1));
    return computeServicePort(this, service, Number(pair.slice(portAt)));
  }

  #countAttached(gateway: ObjectKey): ReadonlyMap<string, number> {
    const routes = this.#gatewayRoutes.get(gateway);
    return new Map([...routes].map(([name, { attachedRoutes }]) => [name, attachedRoutes]));
  }

  #computePart(gateway: ObjectKey): GatewayPart | undefined {
    const frame = this.frame(gateway);
    return frame && computeGatewayPart(frame, this.#gatewayRoutes.get(gateway));
  }
}
