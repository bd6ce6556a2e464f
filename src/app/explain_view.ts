/**
 * The explanation of a request as the HTTP API and `weir explain` show it.
 *
 * Pure: the decision comes from the data plane's matcher, the rest is words and shapes. Nothing of a
 * certificate is read.
 */

import type {
  BackendShare as ShareView,
  ConsideredListener,
  ConsideredRoute,
  RequestExplanation as ExplanationView,
} from "../api/explain.ts";
import type { RequestQuestion } from "../api/request_question.ts";
import type { Acknowledgement } from "../dataplane/data_plane.ts";
import {
  explainRequest,
  type HypotheticalRequest,
  type LostEntry,
  type PlacedListener,
  type RequestExplanation,
} from "../dataplane/explain_request.ts";
import type { PathModifier, Redirect } from "../dataplane/http_filters.ts";
import {
  type DataPlaneConfig,
  type GatewayKey,
  gatewayKey,
  type HttpFilter,
  type HttpRouteEntry,
} from "../dataplane/model.ts";
import type { EscapedSlashes } from "../dataplane/normalize_path.ts";
import type { RegexCache } from "../dataplane/regex.ts";
import { type BackendShare, outcomeOf } from "../dataplane/request_outcome.ts";
import { redirectLocation, rewriteTarget } from "../proxy/url_rewrite.ts";
import { notesOf, whyDecided } from "./explain_notes.ts";
import { whyEntryLost, whyListenerLost } from "./explain_text.ts";

/** Endpoints that are listed of one share. */
const endpointsMax = 100;

/** What explanations are made from. */
export interface ExplainSources {
  readonly config: DataPlaneConfig;
  /** The latest answer for each Gateway; empty when there is no data plane to ask. */
  readonly acknowledgements: ReadonlyMap<GatewayKey, Acknowledgement>;
  /** Random per start of the process. */
  readonly epoch: string;
  readonly escapedSlashes: EscapedSlashes;
  readonly regexes: RegexCache;
}

/** Who would serve the request that is asked about, and why nobody else. */
export function toExplanation(
  sources: ExplainSources,
  question: RequestQuestion,
): ExplanationView {
  const request = toRequest(question);
  const { config, escapedSlashes, regexes, epoch } = sources;
  const found = explainRequest(config, request, { regexes, escapedSlashes });
  const served = servedView(found, sources, request);
  return {
    revision: `${epoch}.${config.revision}`,
    decision: served.decision,
    why: whyDecided(served.decision, found, request, config),
    request: {
      method: request.method,
      host: found.host,
      path: found.normalized.target,
      port: request.port,
    },
    ...(found.winner && {
      gateway: found.winner.gateway.key,
      listener: found.winner.listener.name,
    }),
    ...(found.entry && entryView(found.entry)),
    filters: found.entry?.action.filters ?? [],
    ...served.redirect,
    backends: served.backends,
    considered: found.lostEntries.map((lost) => toConsidered(lost, found)),
    consideredCount: found.lostEntryCount,
    listeners: found.lostListeners.map((lost): ConsideredListener => ({
      gateway: lost.gateway.key,
      listener: lost.listener.name,
      ...hostnameOf(lost.listener),
      why: whyListenerLost(lost, found),
    })),
    listenerCount: found.lostListenerCount,
    notes: notesOf(found, served.decision, sources.acknowledgements),
  };
}

function toRequest(
  { method, host, path, port, gateway, headers }: RequestQuestion,
): HypotheticalRequest {
  const [namespace = "", name = ""] = gateway?.split("/") ?? [];
  return {
    method,
    host,
    target: path,
    port,
    rawHeaders: headers.flatMap((header) => [header.name, header.value]),
    ...(gateway === undefined ? {} : { gateway: gatewayKey(namespace, name) }),
  };
}

interface ServedView {
  readonly decision: ExplanationView["decision"];
  readonly backends: readonly ShareView[];
  readonly redirect?: { readonly location: string; readonly statusCode: number };
}

function servedView(
  found: RequestExplanation,
  sources: ExplainSources,
  request: HypotheticalRequest,
): ServedView {
  const { normalized, winner, entry } = found;
  if (normalized.action === "reject") return { decision: "400", backends: [] };
  if (normalized.action === "redirect") {
    const redirect = { location: normalized.target, statusCode: 307 };
    return { decision: "redirect", backends: [], redirect };
  }
  if (winner === undefined || entry === undefined) return { decision: "404", backends: [] };
  const outcome = outcomeOf(entry, sources.config.clusters, request);
  if (outcome.decision === "redirect") {
    const location = locationOf(outcome.redirect, winner, found, request, sources);
    const { statusCode } = outcome.redirect;
    return { decision: "redirect", backends: [], redirect: { location, statusCode } };
  }
  const backends = outcome.shares.map((share) => toShare(share, entry, found, request));
  return { decision: outcome.decision, backends };
}

function locationOf(
  redirect: Redirect,
  { gateway, listener }: PlacedListener,
  { normalized }: RequestExplanation,
  { host }: HypotheticalRequest,
  { acknowledgements }: ExplainSources,
): string {
  const bound = acknowledgements.get(gateway.key)?.listeners ?? [];
  return redirectLocation(
    redirect,
    {
      scheme: listener.protocol === "HTTPS" ? "https" : "http",
      host: host.replace(/:[0-9]*$/, ""),
      listenerPort: listener.port,
      target: normalized.target,
    },
    (wanted) => bound.find(({ port }) => port === wanted)?.boundPort ?? wanted,
  );
}

function entryView(entry: HttpRouteEntry) {
  const { origin, ruleIndex, ruleName, matchIndex, match } = entry;
  return {
    kind: origin.kind,
    route: `${origin.namespace}/${origin.name}`,
    rule: ruleIndex,
    ...(ruleName === undefined ? {} : { ruleName }),
    match: matchIndex,
    ...hostnameOf(entry),
    matched: match,
  };
}

function toConsidered(lost: LostEntry, found: RequestExplanation): ConsideredRoute {
  const { gateway, listener, entry, lostBy } = lost;
  const { matched: _, ...place } = entryView(entry);
  const isByPrecedence = lostBy.part === "precedence" && lostBy.criterion !== undefined;
  return {
    gateway: gateway.key,
    listener: listener.name,
    ...place,
    reason: reasons[lostBy.part],
    ...(isByPrecedence ? { criterion: lostBy.criterion } : {}),
    why: whyEntryLost(lost, found),
  };
}

const reasons = {
  precedence: "Precedence",
  queryParam: "QueryParam",
  header: "Header",
  method: "Method",
  path: "Path",
  hostname: "Hostname",
  listener: "Listener",
} as const satisfies Record<LostEntry["lostBy"]["part"], ConsideredRoute["reason"]>;

function toShare(
  { backend, share, cluster, outcome }: BackendShare,
  { action }: HttpRouteEntry,
  { normalized }: RequestExplanation,
  request: HypotheticalRequest,
): ShareView {
  const own = rewriteOf(backend.filters);
  const shared = rewriteOf(action.filters);
  const path = own.path ?? shared.path;
  const origin = cluster?.origin;
  return {
    ...(origin && cluster
      ? { service: `${origin.namespace}/${origin.name}`, port: cluster.port }
      : {}),
    weight: backend.weight,
    share,
    outcome,
    filters: backend.filters,
    endpoints: cluster?.endpoints.slice(0, endpointsMax) ?? [],
    endpointCount: cluster?.endpoints.length ?? 0,
    ...(outcome === "backend" && {
      target: path === undefined ? normalized.target : rewriteTarget(normalized.target, path),
      host: own.hostname ?? shared.hostname ?? request.host,
    }),
  };
}

function rewriteOf(
  filters: readonly HttpFilter[],
): { readonly hostname?: string; readonly path?: PathModifier } {
  for (const filter of filters) if (filter.type === "URLRewrite") return filter.rewrite;
  return {};
}

function hostnameOf(
  { hostname }: { readonly hostname?: string },
): { readonly hostname?: string } {
  return hostname === undefined ? {} : { hostname };
}
