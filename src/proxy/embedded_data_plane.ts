/**
 * The data plane in this process: listeners, routes and endpoints of a configuration, in service.
 *
 * A configuration is swapped in one turn: no request sees half of it. Sockets are opened before the
 * swap and closed after it, by difference; connections stay. A port that cannot be bound concerns
 * its own listener only. What is in service is known here alone and told by acknowledgements.
 */

import { formatHostPort } from "../base/ip_address.ts";
import type { Clock } from "../base/clock.ts";
import type { Logger } from "../base/log.ts";
import type { MetricsRegistry } from "../base/metrics.ts";
import type { Acknowledgement, DataPlane } from "../dataplane/data_plane.ts";
import type { ClusterName, DataPlaneConfig } from "../dataplane/model.ts";
import type { EscapedSlashes } from "../dataplane/normalize_path.ts";
import { RouteTableCompiler } from "../dataplane/route_table.ts";
import type { AccessLog } from "./access_log.ts";
import { Acknowledgements } from "./acknowledgements.ts";
import { type Binding, computeBindings, type GatewayRefusal } from "../dataplane/bindings.ts";
import { CoarseTimer } from "./coarse_timer.ts";
import { RouteCompiler } from "./compiled_route.ts";
import { EndpointRotation } from "./endpoint_rotation.ts";
import { createExternalLookup, type Resolve, systemResolve } from "./external_lookup.ts";
import { Mirrors } from "./mirrors.ts";
import { PortServers } from "./port_servers.ts";
import type { ProxyLimits } from "./proxy_limits.ts";
import { ProxyMetrics } from "./proxy_metrics.ts";
import type { ProxyServices } from "./proxy_services.ts";
import { BindingCompiler, type ServedBinding } from "./served_binding.ts";
import { CredentialStore } from "./tls_credentials.ts";
import { HandOverAgent } from "./upstream_connection.ts";
import { UpstreamPool } from "./upstream_pool.ts";

/** What the embedded data plane is made of. */
export interface EmbeddedDataPlaneOptions {
  readonly limits: ProxyLimits;
  readonly escapedSlashes: EscapedSlashes;
  /** Added to a port that may not be bound; 0: never listen elsewhere. */
  readonly portShift: number;
  /**
   * Whether a port that is open in another process that says the same is opened here as well, so that
   * one may take over from the other; false when absent.
   */
  readonly reusePort?: boolean;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  /** A new identifier for each request, such as a UUID. */
  readonly requestId: () => string;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  /** Absent: requests are not recorded. */
  readonly accessLog?: AccessLog | undefined;
  /** How names of backends are looked up; absent: as the machine does it. */
  readonly resolve?: Resolve;
}

/** See the file's header for the promises. Also a subsystem: `run`, `ready`, `drain`. */
export class EmbeddedDataPlane implements DataPlane {
  readonly name = "embedded";
  /** A failure of the data plane ends the process: nothing would be served. */
  readonly onFailure = "core";
  readonly #options: EmbeddedDataPlaneOptions;
  readonly #timer: CoarseTimer;
  readonly #pool: UpstreamPool;
  readonly #compiler: BindingCompiler;
  readonly #servers: PortServers;
  readonly #mirrors: Mirrors;
  readonly #acknowledgements = new Acknowledgements();
  /** Of the clusters in service that were asked for. */
  #rotations = new Map<ClusterName, EndpointRotation>();
  #config: DataPlaneConfig | undefined;
  #requests = 0;
  #isStopping = false;

  constructor(options: EmbeddedDataPlaneOptions) {
    const metrics = new ProxyMetrics(options.metrics);
    this.#options = options;
    this.#timer = new CoarseTimer(options.clock);
    const lookup = createExternalLookup(options.resolve ?? systemResolve);
    this.#pool = new UpstreamPool(options.limits, this.#timer, metrics, lookup);
    this.#compiler = new BindingCompiler(
      new RouteTableCompiler(),
      new RouteCompiler(metrics, options.random),
      new CredentialStore(),
      metrics,
    );
    const services = this.#createServices(metrics);
    this.#mirrors = new Mirrors(services, options.random);
    this.#servers = new PortServers(services, options.portShift, options.logger);
  }

  /** Requests that are in progress. */
  get requests(): number {
    return this.#requests;
  }

  /** Nothing is put into service, and nothing acknowledged, once it drains. */
  async apply(config: DataPlaneConfig): Promise<readonly Acknowledgement[]> {
    if (this.#isStopping) return [];
    const { bindings, refusals } = computeBindings(config);
    const { served, refusals: unserved } = this.#compileAll(bindings, config);
    const failed = await this.#servers.open(served);
    this.#swap(config, served);
    return this.#acknowledgements.update(config, this.#servers, [
      ...refusals,
      ...unserved,
      ...failed,
    ]);
  }

  /** Serves until `signal` aborts, then drains; resolves when every socket is closed. */
  async run(signal: AbortSignal): Promise<void> {
    if (!signal.aborted) {
      await new Promise<void>((resolve) => {
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
    }
    await this.drain();
    this.#timer.clear();
  }

  /** Whether it serves, and on how many sockets. */
  ready(): { readonly ready: boolean; readonly reason: string } {
    if (this.#isStopping) return { ready: false, reason: "draining" };
    if (this.#config === undefined) return { ready: false, reason: "no configuration yet" };
    return { ready: true, reason: `serving on ${this.#servers.size} sockets` };
  }

  /** Takes no new connections, finishes what is in flight within the drain time. */
  async drain(): Promise<void> {
    this.#isStopping = true;
    await this.#servers.close();
    this.#mirrors.close();
    this.#pool.close();
  }

  #compileAll(
    bindings: ReadonlyMap<string, Binding>,
    config: DataPlaneConfig,
  ): {
    readonly served: Map<string, ServedBinding>;
    readonly refusals: readonly GatewayRefusal[];
  } {
    const served = new Map<string, ServedBinding>();
    const all: GatewayRefusal[] = [];
    for (const binding of bindings.values()) {
      const compiled = this.#compiler.compile(binding, config);
      all.push(...compiled.refusals);
      served.set(binding.key, compiled.served);
    }
    return { served, refusals: all };
  }

  /** One turn: no request is served in between. */
  #swap(config: DataPlaneConfig, served: ReadonlyMap<string, ServedBinding>): void {
    const previous = this.#config;
    this.#config = config;
    this.#servers.swap(served);
    if (previous?.clusters !== config.clusters) this.#swapClusters(config);
    for (const [key, gateway] of previous?.gateways ?? []) {
      const next = config.gateways.get(key);
      if (next === undefined) this.#compiler.forget(key);
      else if (next !== gateway) this.#compiler.forgetRoutes(gateway, next);
    }
  }

  #createServices(metrics: ProxyMetrics): ProxyServices {
    const { limits, escapedSlashes, requestId, accessLog } = this.#options;
    return {
      limits,
      reusePort: this.#options.reusePort ?? false,
      escapedSlashes,
      requestId,
      accessLog,
      metrics,
      timer: this.#timer,
      agent: new HandOverAgent(),
      cluster: (name) => this.#rotationOf(name),
      mirror: (sent) => this.#mirrors.begin(sent),
      reachablePort: (address, port) => this.#servers.boundPort(address, port) ?? port,
      enter: () => {
        if (this.#requests >= limits.requestsMax) return false;
        metrics.requestsInProgress.set(++this.#requests);
        return true;
      },
      leave: () => metrics.requestsInProgress.set(--this.#requests),
    };
  }

  #swapClusters(config: DataPlaneConfig): void {
    this.#pool.retain(endpointKeys(config));
    const kept = new Map<ClusterName, EndpointRotation>();
    for (const [name, rotation] of this.#rotations) {
      if (config.clusters.get(name) === rotation.cluster) kept.set(name, rotation);
    }
    this.#rotations = kept;
  }

  #rotationOf(name: ClusterName): EndpointRotation | undefined {
    const known = this.#rotations.get(name);
    if (known !== undefined) return known;
    const cluster = this.#config?.clusters.get(name);
    if (cluster === undefined) return undefined;
    const endpoints = cluster.endpoints.map((endpoint) => this.#pool.endpoint(endpoint));
    const rotation = new EndpointRotation(cluster, endpoints, this.#options.random);
    this.#rotations.set(name, rotation);
    return rotation;
  }
}

function endpointKeys({ clusters }: DataPlaneConfig): Set<string> {
  const keys = new Set<string>();
  for (const { endpoints } of clusters.values()) {
    for (const endpoint of endpoints) keys.add(formatHostPort(endpoint.address, endpoint.port));
  }
  return keys;
}
