/**
 * A binding made ready for serving: which listener has a host, its routes, its certificates.
 *
 * Immutable; a server swaps one for the next between two requests. What did not change is not
 * compiled again: tables, routes and credentials are cached by identity.
 */

import { HostIndex } from "../dataplane/host.ts";
import type {
  Certificate,
  CertificateName,
  DataPlaneConfig,
  GatewayConfig,
  GatewayKey,
  HttpRouteEntry,
  Listener,
} from "../dataplane/model.ts";
import type { RouteTable, RouteTableCompiler } from "../dataplane/route_table.ts";
import { type Binding, type GatewayRefusal, refuse } from "../dataplane/bindings.ts";
import { type CompiledRoute, type RouteCompiler, routeName } from "./compiled_route.ts";
import type { ProxyMetrics, RouteSeries } from "./proxy_metrics.ts";
import type { Credential, CredentialStore } from "./tls_credentials.ts";

/** A listener that answers requests. */
export interface ServedListener {
  readonly gateway: GatewayKey;
  readonly listener: Listener;
  readonly table: RouteTable;
  /** Empty for HTTP. */
  readonly credentials: readonly Credential[];
  /** Requests that no route of the listener serves. */
  readonly unmatched: RouteSeries;
  /** The compiled route of an entry that the table found. */
  compiled(entry: HttpRouteEntry): CompiledRoute;
}

/** See the file's header. */
export interface ServedBinding {
  readonly binding: Binding;
  readonly hosts: HostIndex<ServedListener>;
  /** All that are in `hosts`. */
  readonly listeners: ReadonlySet<Listener>;
}

/** Compiles bindings. */
export class BindingCompiler {
  readonly #tables: RouteTableCompiler;
  readonly #routes: RouteCompiler;
  readonly #credentials: CredentialStore;
  readonly #metrics: ProxyMetrics;
  readonly #unmatched = new Map<GatewayKey, RouteSeries>();

  constructor(
    tables: RouteTableCompiler,
    routes: RouteCompiler,
    credentials: CredentialStore,
    metrics: ProxyMetrics,
  ) {
    this.#tables = tables;
    this.#routes = routes;
    this.#credentials = credentials;
    this.#metrics = metrics;
  }

  /** Compiles `binding`; a listener without a usable certificate is refused and left out. */
  compile(
    binding: Binding,
    config: DataPlaneConfig,
  ): { readonly served: ServedBinding; readonly refusals: readonly GatewayRefusal[] } {
    const hosts = new HostIndex<ServedListener>();
    const listeners = new Set<Listener>();
    const refusals: GatewayRefusal[] = [];
    for (const { gateway, listener } of binding.listeners) {
      const { credentials, error } = this.#credentialsOf(listener, config.certificates);
      if (error !== undefined) {
        refusals.push({ gateway, refusal: refuse(listener, "InvalidCertificateRef", error) });
      }
      if (listener.protocol === "HTTPS" && credentials.length === 0) continue;
      hosts.set(listener.hostname, this.#serve(gateway, listener, credentials));
      listeners.add(listener);
    }
    return { served: { binding, hosts, listeners }, refusals };
  }

  /**
   * Forgets the routes that `next`, the same Gateway later, no longer has. Costs what changed: lists
   * that both have are looked at only when a route has left another list.
   */
  forgetRoutes(previous: GatewayConfig, next: GatewayConfig): void {
    const [before, after] = [routeLists(previous), routeLists(next)];
    const gone = entriesByRoute(before.difference(after));
    for (const isShared of [false, true]) {
      if (gone.size === 0) return;
      for (const list of after) {
        if (before.has(list) !== isShared) continue;
        for (const entry of list) gone.delete(routeName(entry));
      }
    }
    for (const [route, entries] of gone) {
      for (const entry of entries) this.#routes.forgetRoute(next.key, route, entry);
    }
  }

  /** Forgets what belongs to a Gateway that is no longer served. */
  forget(gateway: GatewayKey): void {
    this.#routes.forget(gateway);
    this.#unmatched.delete(gateway);
    this.#metrics.forget(gateway);
  }

  #serve(
    gateway: GatewayConfig,
    listener: Listener,
    credentials: readonly Credential[],
  ): ServedListener {
    let unmatched = this.#unmatched.get(gateway.key);
    if (unmatched === undefined) {
      this.#unmatched.set(gateway.key, unmatched = this.#metrics.route(gateway.key));
    }
    const routes = this.#routes;
    return {
      gateway: gateway.key,
      listener,
      table: this.#tables.compile(listener.routes),
      credentials,
      unmatched,
      compiled: (entry) => routes.compile(gateway.key, entry),
    };
  }

  #credentialsOf(
    listener: Listener,
    certificates: ReadonlyMap<CertificateName, Certificate>,
  ): { readonly credentials: readonly Credential[]; readonly error?: string } {
    const credentials: Credential[] = [];
    let error: string | undefined;
    for (const name of listener.certificates ?? []) {
      const certificate = certificates.get(name);
      const credential = certificate === undefined
        ? { error: "the certificate is not in the configuration" }
        : this.#credentials.get(certificate);
      if ("error" in credential) error ??= `Secret "${name}": ${credential.error}`;
      else credentials.push(credential);
    }
    return error === undefined ? { credentials } : { credentials, error };
  }
}

function routeLists({ listeners }: GatewayConfig): Set<readonly HttpRouteEntry[]> {
  return new Set(listeners.map(({ routes }) => routes));
}

function entriesByRoute(
  lists: Iterable<readonly HttpRouteEntry[]>,
): Map<string, readonly HttpRouteEntry[]> {
  const all: HttpRouteEntry[] = [];
  for (const list of lists) for (const entry of list) all.push(entry);
  return Map.groupBy(all, routeName);
}
