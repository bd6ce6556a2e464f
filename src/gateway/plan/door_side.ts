/**
 * Who answers a request at a door, before or after: the listener with the most specific hostname,
 * then its first route that matches. Asks the same matcher as the data planes. Pure.
 */

import type { PlacedListener } from "../../dataplane/explain_request.ts";
import { HostIndex, hostMatches } from "../../dataplane/host.ts";
import type { Redirect } from "../../dataplane/http_filters.ts";
import type {
  ClusterName,
  DataPlaneConfig,
  Listener,
  Origin,
  Protocol,
  StreamBackend,
} from "../../dataplane/model.ts";
import { outcomeOf, type RequestOutcome } from "../../dataplane/request_outcome.ts";
import type { RouteTableCompiler } from "../../dataplane/route_table.ts";
import type { RequestShape } from "./request_shapes.ts";

/**
 * What becomes of a request. `404`: no route matches. `500`, `503`: the share that is largest has no
 * valid backend, or none that is ready. `refused`: a connection without a backend.
 */
export type TrafficDecision = RequestOutcome["decision"] | "404" | "refused";

/** A share of the requests; without a cluster nobody answers it. */
export interface TrafficBackend {
  readonly weight: number;
  readonly cluster?: ClusterName;
}

/** Who answers. */
export interface TrafficTarget {
  readonly decision: TrafficDecision;
  readonly gateway: string;
  readonly listener: string;
  readonly protocol: Protocol;
  /** Absent: no route matches. */
  readonly route?: Origin;
  /** Absent for routes of streams. */
  readonly ruleIndex?: number;
  readonly backends: readonly TrafficBackend[];
  readonly redirect?: Redirect;
}

type Answer = Omit<TrafficTarget, "gateway" | "listener" | "protocol">;

/** See the file's header. */
export class DoorSide {
  readonly #listeners = new HostIndex<PlacedListener>();
  readonly #clusters: DataPlaneConfig["clusters"];
  readonly #tables: RouteTableCompiler;

  /** @param placed listeners of older Gateways first */
  constructor(
    placed: readonly PlacedListener[],
    { clusters }: Pick<DataPlaneConfig, "clusters">,
    tables: RouteTableCompiler,
  ) {
    this.#clusters = clusters;
    this.#tables = tables;
    for (const place of placed) {
      const { hostname } = place.listener;
      if (this.#listeners.get(hostname) === undefined) this.#listeners.set(hostname, place);
    }
  }

  /** Who answers; undefined: nobody listens for the host. */
  answer(shape: RequestShape): TrafficTarget | undefined {
    const place = this.#listeners.find(shape.host);
    if (!place) return undefined;
    const { gateway, listener } = place;
    const at = { gateway: gateway.key, listener: listener.name, protocol: listener.protocol };
    return isHttp(listener)
      ? { ...at, ...this.#answerHttp(listener, shape) }
      : { ...at, ...this.#answerStream(listener, shape.host) };
  }

  #answerHttp(
    { routes }: Listener,
    { method, host, path, headers, queryParams }: RequestShape,
  ): Answer {
    const rawHeaders = headers.flatMap(({ name, value }) => [name, value]);
    const query = queryParams.map(({ name, value }) => `${name}=${value}`).join("&");
    const entry = this.#tables.compile(routes).find({ method, host, path, query, rawHeaders });
    if (!entry) return { decision: "404", backends: [] };
    const outcome = outcomeOf(entry, this.#clusters, { method, rawHeaders });
    return {
      decision: outcome.decision,
      route: entry.origin,
      ruleIndex: entry.ruleIndex,
      backends: outcome.shares.map(({ backend }) => plainBackend(backend)),
      ...(outcome.decision === "redirect" ? { redirect: outcome.redirect } : {}),
    };
  }

  #answerStream(
    { streams }: Listener,
    host: string,
  ): Answer {
    const entry = streams.find(({ hostname }) => hostMatches(hostname, host));
    if (!entry) return { decision: "refused", backends: [] };
    const isServed = entry.backends.some(({ weight, cluster }) =>
      weight > 0 && cluster !== undefined &&
      (this.#clusters.get(cluster)?.endpoints.length ?? 0) > 0
    );
    return {
      decision: isServed ? "backend" : "refused",
      route: entry.origin,
      backends: entry.backends.map(plainBackend),
    };
  }
}

/** Whether requests are told apart by more than their host. */
export function isHttp({ protocol }: Pick<Listener, "protocol">): boolean {
  return protocol === "HTTP" || protocol === "HTTPS";
}

function plainBackend({ weight, cluster }: StreamBackend): TrafficBackend {
  return { weight, ...(cluster === undefined ? {} : { cluster }) };
}
