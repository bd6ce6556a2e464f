/** The HTTP API as a subsystem: route groups of what exists, on one server. */

import { createHostPolicy } from "../auth/host_guard.ts";
import type { Clock } from "../base/clock.ts";
import type { Logger } from "../base/log.ts";
import type { MetricsRegistry } from "../base/metrics.ts";
import type { Config } from "../config/flags.ts";
import { AccessGate } from "../http/access_gate.ts";
import { createHttpApp } from "../http/app.ts";
import { changeStreamPaths, createChangeGroup } from "../http/change_routes.ts";
import { defaultEventStreamLimits, EventStreams } from "../http/event_streams.ts";
import { createHealthGroup, createMetricsGroup } from "../http/ops_routes.ts";
import { defaultHttpLimits } from "../http/http_limits.ts";
import { createExplainGroup } from "../http/explain_routes.ts";
import { createExplainStatusGroup } from "../http/explain_status_routes.ts";
import { createPlanGroup } from "../http/plan_routes.ts";
import { createProxyGroup } from "../http/proxy_routes.ts";
import type { RouteGroup } from "../http/route_group.ts";
import { createRequestMetrics } from "../http/request_metrics.ts";
import { HttpServer } from "../http/server.ts";
import { createStateGroup } from "../http/state_routes.ts";
import { createStreamMetrics } from "../http/stream_metrics.ts";
import type {
  ChangesView,
  ExplainView,
  PlanView,
  ProxyView,
  ReadinessView,
  StateView,
} from "../http/views.ts";
import type { ApiAccess } from "./api_access.ts";
import type { Subsystem } from "./subsystem.ts";

/** What the API is mounted on. Views that are absent have no routes. */
export interface HttpMountOptions {
  readonly config: Pick<Config, "apiAddress" | "allowedHosts">;
  /** Absent: whoever reaches the API is trusted. */
  readonly access: ApiAccess | undefined;
  readonly version: string;
  readonly readiness: ReadinessView;
  readonly state: StateView | undefined;
  readonly proxy: ProxyView | undefined;
  readonly explain: ExplainView | undefined;
  readonly plan: PlanView | undefined;
  readonly changes: ChangesView | undefined;
  /** Serves `/metrics` when true; the API's own metrics are registered either way. */
  readonly hasMetrics: boolean;
  readonly registry: MetricsRegistry;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The API, running as one subsystem. */
export interface HttpMount {
  readonly subsystem: Subsystem;
  /** Where it answers; undefined before it listens. */
  url(): string | undefined;
}

/**
 * Builds it. An address that cannot be used at the start ends the process, because nobody would ever
 * reach it; a later failure is healed by another start.
 */
export function mountHttp(options: HttpMountOptions): HttpMount {
  const { config, access, version, registry, clock } = options;
  const log = options.log.child({ subsystem: "api" });
  let hasListened = false;
  const metrics = createRequestMetrics(registry, () => server.connectionCount);
  const streams: EventStreams = new EventStreams(
    clock,
    defaultEventStreamLimits,
    createStreamMetrics(registry, () => streams.size),
  );
  const app = createHttpApp({
    groups: groupsOf(options, streams),
    log,
    version,
    bodyMaxBytes: defaultHttpLimits.bodyMaxBytes,
    clock,
    onAnswer: metrics.onAnswer,
  });
  const server = new HttpServer({
    name: "api",
    host: config.apiAddress.host,
    port: config.apiAddress.port,
    flag: "--api-address",
    policy: createHostPolicy(config.allowedHosts),
    ...access ? { access: new AccessGate({ control: access.control, clock }) } : {},
    app,
    limits: defaultHttpLimits,
    streamPaths: changeStreamPaths,
    clock,
    log,
    onListening: () => {
      hasListened = true;
    },
    onRefused: metrics.onRefused,
  });
  const subsystem: Subsystem = {
    name: server.name,
    get onFailure() {
      return hasListened ? "restart" : "core";
    },
    async run(signal) {
      await access?.open();
      await runServer(server, streams, signal);
    },
    ready: () => server.ready(),
    drain(signal) {
      streams.drain();
      return server.drain(signal);
    },
  };
  return { subsystem, url: () => server.url };
}

/** A server that is told to stop ends its streams, also when nobody drained it. */
export async function runServer(
  server: HttpServer,
  streams: Pick<EventStreams, "drain" | "resume">,
  signal: AbortSignal,
): Promise<void> {
  const drain = (): void => streams.drain();
  streams.resume();
  signal.addEventListener("abort", drain, { once: true });
  try {
    await server.run(signal);
  } finally {
    signal.removeEventListener("abort", drain);
    streams.drain();
  }
}

function groupsOf(options: HttpMountOptions, streams: EventStreams): readonly RouteGroup[] {
  const { readiness, state, proxy, explain, plan, changes, hasMetrics, registry } = options;
  return [
    createHealthGroup(readiness),
    ...(hasMetrics ? [createMetricsGroup(registry)] : []),
    ...(state ? [createStateGroup(state)] : []),
    ...(proxy ? [createProxyGroup(proxy)] : []),
    ...(explain ? [createExplainGroup(explain), createExplainStatusGroup(explain)] : []),
    ...(plan ? [createPlanGroup(plan)] : []),
    ...(changes ? [createChangeGroup(changes, streams)] : []),
  ];
}
