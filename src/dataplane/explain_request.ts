/**
 * Why a request is served as it is: the listener that answers it, the entry that matches, and for
 * every other candidate on the port what it lost by.
 *
 * Asks the same matcher and the same order as the data plane and adds no rule of its own. Candidates
 * are told nearest first: those that match and lose by precedence, then those that came furthest,
 * then those of other listeners. Looks at every entry of one listener once; lists are bounded, their
 * counts are not.
 */

import { hostMatches, normalizeHost } from "./host.ts";
import { compileEntry, type MatchRequest, type Mismatch, mismatchOf } from "./match.ts";
import type {
  DataPlaneConfig,
  GatewayConfig,
  GatewayKey,
  HttpRouteEntry,
  Listener,
} from "./model.ts";
import { type EscapedSlashes, type NormalizedTarget, normalizeTarget } from "./normalize_path.ts";
import {
  compareGatewayAge,
  compareHostnames,
  decidingCriterion,
  type PrecedenceCriterion,
} from "./precedence.ts";
import type { RegexCache } from "./regex.ts";

/** A request that nobody has sent. */
export interface HypotheticalRequest {
  readonly method: string;
  /** As a `Host` header says it; a port in it does not count. */
  readonly host: string;
  /** Path and query, as in a request line. */
  readonly target: string;
  /** The port of a listener's specification. */
  readonly port: number;
  /** Asks this Gateway alone; absent: every Gateway with a listener on the port. */
  readonly gateway?: GatewayKey;
  /** Name, value, name, value … */
  readonly rawHeaders: readonly string[];
}

/** What an explanation is made with. */
export interface ExplainOptions {
  readonly regexes: RegexCache;
  readonly escapedSlashes: EscapedSlashes;
  /** Candidates and listeners that are listed, of each kind; 100 when left out. */
  readonly consideredMax?: number;
}

/** Listed of each kind of loser when the caller does not say. */
const consideredMaxDefault = 100;

/** A listener of a Gateway. */
export interface PlacedListener {
  readonly gateway: GatewayConfig;
  readonly listener: Listener;
}

/** A listener on the port that does not answer the request. */
export interface LostListener extends PlacedListener {
  readonly lostBy: ListenerLoss;
}

/**
 * `hostname`: it is for other hosts. `specificity`: another matches more precisely. `age`: an older
 * Gateway serves the same hostname at another address. `gateway`: another Gateway was asked for.
 * `overtakes`: so it was, but at an address that both have this one takes the request.
 */
export type ListenerLoss = "hostname" | "specificity" | "age" | "gateway" | "overtakes";

/** An entry that does not serve the request. */
export interface LostEntry extends PlacedListener {
  readonly entry: HttpRouteEntry;
  readonly lostBy: EntryLoss;
}

/** What an entry lost by: a part that does not match, precedence, or its listener. */
export type EntryLoss =
  | Mismatch
  | { readonly part: "precedence"; readonly criterion: PrecedenceCriterion | undefined }
  | { readonly part: "listener" };

/** The whole answer. */
export interface RequestExplanation {
  /** The request as matching sees it; absent parts were not reached. */
  readonly host: string;
  readonly normalized: NormalizedTarget;
  /** The listener that answers; absent: none has the host, or the target is not served at all. */
  readonly winner?: PlacedListener;
  /** The entry that serves; absent: no route matches. */
  readonly entry?: HttpRouteEntry;
  readonly lostListeners: readonly LostListener[];
  readonly lostListenerCount: number;
  readonly lostEntries: readonly LostEntry[];
  readonly lostEntryCount: number;
}

/** Explains `request` under `config`. */
export function explainRequest(
  config: DataPlaneConfig,
  request: HypotheticalRequest,
  options: ExplainOptions,
): RequestExplanation {
  const { consideredMax = consideredMaxDefault } = options;
  const host = normalizeHost(request.host);
  const normalized = normalizeTarget(request.target, options.escapedSlashes);
  if (normalized.action !== "continue") return { host, normalized, ...nobodyLost };
  const placed = placedOnPort(config, request.port);
  const winner = findListener(placed, host, request.gateway);
  const others = placed.filter(({ listener }) => listener !== winner?.listener);
  const { entry, lost } = winner === undefined
    ? { entry: undefined, lost: [] }
    : findEntry(winner, matchRequestOf(request, host, normalized.target), options.regexes);
  return {
    host,
    normalized,
    ...(winner && { winner }),
    ...(entry && { entry }),
    lostListeners: others.slice(0, consideredMax).map((place) => ({
      ...place,
      lostBy: lossOf(place, winner, host, request.gateway),
    })),
    lostListenerCount: others.length,
    lostEntries: [...lost, ...entriesOf(others, consideredMax - lost.length)]
      .slice(0, consideredMax),
    lostEntryCount: others.reduce((sum, { listener }) => sum + listener.routes.length, lost.length),
  };
}

const nobodyLost = {
  lostListeners: [],
  lostListenerCount: 0,
  lostEntries: [],
  lostEntryCount: 0,
} as const;

/** The first entries of listeners that lost, as many as there is room for. */
function entriesOf(places: readonly PlacedListener[], room: number): readonly LostEntry[] {
  const entries: LostEntry[] = [];
  for (const place of places) {
    if (entries.length >= room) break;
    for (const entry of place.listener.routes.slice(0, room)) {
      entries.push({ ...place, entry, lostBy: { part: "listener" } });
    }
  }
  return entries;
}

/** Listeners on `port`, the oldest Gateway first. */
function placedOnPort(config: DataPlaneConfig, port: number): readonly PlacedListener[] {
  return [...config.gateways.values()].sort(compareGatewayAge).flatMap((gateway) =>
    gateway.listeners.filter((listener) => listener.port === port)
      .map((listener) => ({ gateway, listener }))
  );
}

/** The most specific hostname that matches; of equal ones that of the oldest Gateway. */
function findListener(
  placed: readonly PlacedListener[],
  host: string,
  asked: GatewayKey | undefined,
): PlacedListener | undefined {
  return placed
    .filter(({ gateway, listener }) =>
      (asked === undefined || gateway.key === asked) && hostMatches(listener.hostname, host)
    )
    .sort((a, b) => compareHostnames(a.listener.hostname, b.listener.hostname))[0];
}

function lossOf(
  { gateway, listener }: PlacedListener,
  winner: PlacedListener | undefined,
  host: string,
  asked: GatewayKey | undefined,
): ListenerLoss {
  if (!hostMatches(listener.hostname, host)) return "hostname";
  if (asked !== undefined && gateway.key !== asked) {
    const overtakes = winner !== undefined &&
      compareHostnames(listener.hostname, winner.listener.hostname) < 0 &&
      winner.gateway.addresses.some((address) => gateway.addresses.includes(address));
    return overtakes ? "overtakes" : "gateway";
  }
  return listener.hostname === winner?.listener.hostname ? "age" : "specificity";
}

function matchRequestOf(
  { method, rawHeaders }: HypotheticalRequest,
  host: string,
  target: string,
): MatchRequest {
  const queryAt = target.indexOf("?");
  return {
    method,
    host,
    path: queryAt < 0 ? target : target.slice(0, queryAt),
    query: queryAt < 0 ? "" : target.slice(queryAt + 1),
    rawHeaders,
  };
}

/** How far an entry came: the later the part, the nearer it was to matching. */
const nearness = {
  precedence: 0,
  queryParam: 1,
  header: 2,
  method: 3,
  path: 4,
  hostname: 5,
  listener: 6,
} as const satisfies Record<EntryLoss["part"], number>;

/** The first entry in the order of precedence that matches, and the others, nearest first. */
function findEntry(
  place: PlacedListener,
  request: MatchRequest,
  regexes: RegexCache,
): { readonly entry?: HttpRouteEntry; readonly lost: readonly LostEntry[] } {
  let winner: HttpRouteEntry | undefined;
  const lost: LostEntry[] = [];
  for (const entry of place.listener.routes) {
    const mismatch = mismatchOf(compileEntry(entry, regexes), request);
    if (mismatch !== undefined) {
      lost.push({ ...place, entry, lostBy: mismatch });
    } else if (winner === undefined) {
      winner = entry;
    } else {
      const criterion = decidingCriterion(winner, entry);
      lost.push({ ...place, entry, lostBy: { part: "precedence", criterion } });
    }
  }
  // Stable: candidates that came equally far stay in the order of precedence.
  lost.sort((a, b) => nearness[a.lostBy.part] - nearness[b.lostBy.part]);
  return winner === undefined ? { lost } : { entry: winner, lost };
}
