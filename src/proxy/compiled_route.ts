/**
 * Route entries made ready for serving: filters sorted by kind, shares with their state, series.
 *
 * Compiled once for each identity: entries that did not change between revisions keep what was
 * compiled for them, and with it the state of their shares. Matches of one rule share one action, so
 * a share is exact over the rule, not over each match.
 */

import type {
  CorsPolicy,
  HeaderModifier,
  PathModifier,
  Redirect,
  UrlRewrite,
} from "../dataplane/http_filters.ts";
import type {
  ClusterName,
  GatewayKey,
  HttpFilter,
  HttpRouteAction,
  HttpRouteEntry,
  RequestMirror,
} from "../dataplane/model.ts";
import { writableModifier, writablePath } from "./header_value.ts";
import type { ProxyMetrics, RouteSeries } from "./proxy_metrics.ts";
import { type WeightedChoice, weightedChoice } from "./weighted_choice.ts";

/** Filters by kind, each kind in the order of the specification. */
export interface CompiledFilters {
  readonly requestModifiers: readonly HeaderModifier[];
  readonly responseModifiers: readonly HeaderModifier[];
  readonly redirect: Redirect | undefined;
  readonly rewrite: UrlRewrite | undefined;
  readonly cors: CorsPolicy | undefined;
  readonly mirrors: readonly RequestMirror[];
}

/** Filters that do nothing. */
export const noFilters: CompiledFilters = {
  requestModifiers: [],
  responseModifiers: [],
  redirect: undefined,
  rewrite: undefined,
  cors: undefined,
  mirrors: [],
};

/** One share of the traffic. */
export interface CompiledBackend {
  /** Absent: the share is answered 500. */
  readonly cluster: ClusterName | undefined;
  readonly filters: CompiledFilters;
}

/** What a rule does. */
export interface CompiledAction {
  readonly filters: CompiledFilters;
  readonly backends: readonly CompiledBackend[];
  readonly choice: WeightedChoice;
  readonly requestTimeoutMs: number | undefined;
  readonly backendRequestTimeoutMs: number;
}

/** What serves a request that matched `entry`. */
export interface CompiledRoute {
  readonly entry: HttpRouteEntry;
  readonly action: CompiledAction;
  readonly series: RouteSeries;
}

/** Compiles entries and remembers what it compiled for as long as they live. */
export class RouteCompiler {
  readonly #metrics: ProxyMetrics;
  readonly #random: () => number;
  readonly #actions = new WeakMap<HttpRouteAction, CompiledAction>();
  readonly #routes = new Map<GatewayKey, WeakMap<HttpRouteEntry, CompiledRoute>>();

  constructor(metrics: ProxyMetrics, random: () => number) {
    this.#metrics = metrics;
    this.#random = random;
  }

  /** The compiled `entry` of `gateway`. */
  compile(gateway: GatewayKey, entry: HttpRouteEntry): CompiledRoute {
    let routes = this.#routes.get(gateway);
    if (routes === undefined) this.#routes.set(gateway, routes = new WeakMap());
    let route = routes.get(entry);
    if (route === undefined) {
      const series = this.#metrics.route(gateway, routeName(entry));
      routes.set(entry, route = { entry, action: this.#compileAction(entry.action), series });
    }
    return route;
  }

  /** Forgets an entry of a route (`namespace/name`) that `gateway` no longer has. */
  forgetRoute(gateway: GatewayKey, route: string, entry: HttpRouteEntry): void {
    const routes = this.#routes.get(gateway);
    routes?.get(entry)?.series.retire();
    routes?.delete(entry);
    this.#metrics.forgetRoute(gateway, route);
  }

  /** Forgets what belongs to a Gateway that is no longer served. */
  forget(gateway: GatewayKey): void {
    this.#routes.delete(gateway);
  }

  #compileAction(action: HttpRouteAction): CompiledAction {
    let compiled = this.#actions.get(action);
    if (compiled === undefined) {
      const { filters, backends } = isBarred(action) ? barred : action;
      compiled = {
        filters: compileFilters(filters),
        backends: backends.map(({ cluster, filters }) => ({
          cluster,
          filters: compileFilters(filters),
        })),
        choice: weightedChoice(backends.map(({ weight }) => weight), this.#random),
        requestTimeoutMs: action.requestTimeoutMs,
        backendRequestTimeoutMs: action.backendRequestTimeoutMs ?? 0,
      };
      this.#actions.set(action, compiled);
    }
    return compiled;
  }
}

/** What keeps requests out and is not known here keeps them out: they are answered 500. */
const barred: HttpRouteAction = { filters: [], backends: [] };

function isBarred({ filters, backends }: HttpRouteAction): boolean {
  return [filters, ...backends.map((backend) => backend.filters)]
    .some((list) => list.some(({ type }) => type === "ExternalAuth"));
}

/** `namespace/name` of the HTTPRoute that an entry comes from. */
export function routeName({ origin: { namespace, name } }: HttpRouteEntry): string {
  return `${namespace}/${name}`;
}

function compileFilters(filters: readonly HttpFilter[]): CompiledFilters {
  const requestModifiers: HeaderModifier[] = [];
  const responseModifiers: HeaderModifier[] = [];
  let redirect: Redirect | undefined;
  let rewrite: UrlRewrite | undefined;
  let cors: CorsPolicy | undefined;
  const mirrors: RequestMirror[] = [];
  for (const filter of filters) {
    switch (filter.type) {
      case "RequestHeaderModifier":
        requestModifiers.push(writableModifier(filter.headers));
        break;
      case "ResponseHeaderModifier":
        responseModifiers.push(writableModifier(filter.headers));
        break;
      case "RequestRedirect":
        redirect ??= withWritablePath(filter.redirect);
        break;
      case "URLRewrite":
        rewrite ??= withWritablePath(filter.rewrite);
        break;
      case "CORS":
        cors ??= filter.cors;
        break;
      case "RequestMirror":
        mirrors.push(filter.mirror);
    }
  }
  return { requestModifiers, responseModifiers, redirect, rewrite, cors, mirrors };
}

function withWritablePath<Part extends { readonly path?: PathModifier }>(part: Part): Part {
  return part.path === undefined ? part : { ...part, path: writablePath(part.path) };
}
