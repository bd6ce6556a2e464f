/**
 * Which requests go elsewhere: for each match that comes, goes or changes, requests that show it,
 * asked of the configuration before and after. Pure.
 *
 * Requests are tried that meet a changed match, that meet it together with any other match at the
 * same door, and that are for the hostname of a listener that comes or goes. What is found is true;
 * what would take three matches at once to be seen is not found, and a regular expression may hide
 * something. Bounds: pairs of matches that are tried, changes that are told.
 */

import type { PlacedListener } from "../../dataplane/explain_request.ts";
import type { DataPlaneConfig, RouteEntry } from "../../dataplane/model.ts";
import { RegexCache } from "../../dataplane/regex.ts";
import { RouteTableCompiler } from "../../dataplane/route_table.ts";
import { hostnameCovers, hostnamesOverlap } from "../compute/hostnames.ts";
import { changedDoors, type Door } from "./changed_doors.ts";
import { DoorSide, isHttp, type TrafficTarget } from "./door_side.ts";
import { type RequestShape, type ShapeConstraint, shapesWithin } from "./request_shapes.ts";

/** Requests that go elsewhere. */
export interface TrafficChange {
  readonly port: number;
  /** One that stands for them; of TLS only the host counts, of TCP and UDP nothing. */
  readonly request: RequestShape;
  /** Absent: nobody listens. */
  readonly before?: TrafficTarget;
  readonly after?: TrafficTarget;
}

/** What was found. */
export interface TrafficChanges {
  readonly changes: readonly TrafficChange[];
  /** False: a bound was reached, or a regular expression that no value is known for. */
  readonly isWhole: boolean;
}

/** The bounds of a search. */
export interface TrafficLimits {
  readonly changesMax: number;
  readonly pairsMax: number;
}

const defaultTrafficLimits: TrafficLimits = { changesMax: 10_000, pairsMax: 100_000 };

/** The changes from `before` to `after`, by port. */
export function findTrafficChanges(
  before: DataPlaneConfig,
  after: DataPlaneConfig,
  limits: Partial<TrafficLimits> = {},
): TrafficChanges {
  const search = new TrafficSearch(before, after, { ...defaultTrafficLimits, ...limits });
  for (const door of changedDoors(before, after)) search.searchDoor(door);
  return search;
}

/** Something whose change may move requests, or that requests may be moved from. */
interface Mover extends ShapeConstraint {
  /** Absent for the hostname of a listener. */
  readonly entry?: RouteEntry;
}

class TrafficSearch implements TrafficChanges {
  readonly changes: TrafficChange[] = [];
  isWhole = true;
  readonly #before: DataPlaneConfig;
  readonly #after: DataPlaneConfig;
  readonly #limits: TrafficLimits;
  readonly #regexes = new RegexCache();
  readonly #tables = new RouteTableCompiler(this.#regexes);
  #pairCount = 0;

  constructor(before: DataPlaneConfig, after: DataPlaneConfig, limits: TrafficLimits) {
    this.#before = before;
    this.#after = after;
    this.#limits = limits;
  }

  searchDoor(door: Door): void {
    const sides = [
      new DoorSide(door.before, this.#before, this.#tables),
      new DoorSide(door.after, this.#after, this.#tables),
    ] as const;
    const [was, is] = [moversOf(door.before), moversOf(door.after)];
    const [gone, come] = [without(was, is), without(is, was)];
    const hosts = [...hostMovers(door.before, door.after), ...hostMovers(door.after, door.before)];
    const others = new MoverIndex([...gone, ...is]);
    const movers = [...gone, ...come, ...hosts];
    const told = new Set<string>();
    for (const mover of movers) this.#searchMover(door, sides, mover, others, told);
  }

  #searchMover(
    { port }: Door,
    sides: readonly [DoorSide, DoorSide],
    mover: Mover,
    others: MoverIndex,
    told: Set<string>,
  ): void {
    // One request for each way from here to there: more would say the same of this match.
    const ways = new Set<string>();
    for (const constraints of constraintsWith(mover, others)) {
      if (constraints.length > 1 && ++this.#pairCount > this.#limits.pairsMax) {
        this.isWhole = false;
        return;
      }
      const shapes = shapesWithin(constraints, {
        regexes: this.#regexes,
        hostnames: others.hostnames,
      });
      if (shapes === "unknown") this.isWhole = false;
      if (typeof shapes === "string") continue;
      for (const request of shapes) {
        const [before, after] = [sides[0].answer(request), sides[1].answer(request)];
        if (!isMoved(before, after)) continue;
        const way = JSON.stringify([before, after]);
        const id = JSON.stringify(request);
        const isKnown = ways.has(way) || told.has(id);
        ways.add(way);
        if (isKnown) continue;
        told.add(id);
        this.#note({
          port,
          request,
          ...(before ? { before } : {}),
          ...(after ? { after } : {}),
        });
      }
    }
  }

  #note(change: TrafficChange): void {
    if (this.changes.length < this.#limits.changesMax) this.changes.push(change);
    else this.isWhole = false;
  }
}

/** The mover alone, then with each other whose hosts it shares. */
function* constraintsWith(mover: Mover, others: MoverIndex): Generator<readonly Mover[]> {
  yield [mover];
  for (const other of others.overlapping(mover.hostname)) {
    if (other.entry !== mover.entry) yield [mover, other];
  }
}

/** Every entry at these listeners. */
function moversOf(placed: readonly PlacedListener[]): readonly Mover[] {
  return placed.flatMap(({ listener }) => {
    const entries: readonly RouteEntry[] = isHttp(listener) ? listener.routes : listener.streams;
    return entries.map((entry): Mover => ({
      hostname: hostnameCovers(listener.hostname, entry.hostname)
        ? entry.hostname
        : listener.hostname,
      entry,
      match: "match" in entry ? entry.match : undefined,
    }));
  });
}

/** The movers that are not among `others`, with the same hosts. */
function without(movers: readonly Mover[], others: readonly Mover[]): readonly Mover[] {
  const hostnames = new Map<RouteEntry | undefined, Set<string | undefined>>();
  for (const { entry, hostname } of others) {
    const same = hostnames.get(entry);
    if (same) same.add(hostname);
    else hostnames.set(entry, new Set([hostname]));
  }
  return movers.filter(({ entry, hostname }) => !hostnames.get(entry)?.has(hostname));
}

/** Hostnames of listeners that are at one side and not at the other, whoever has them there. */
function hostMovers(
  placed: readonly PlacedListener[],
  others: readonly PlacedListener[],
): readonly Mover[] {
  const idOf = ({ gateway, listener: { name, protocol, hostname } }: PlacedListener): string =>
    JSON.stringify([gateway.key, name, protocol, hostname]);
  const known = new Set(others.map(idOf));
  return placed.filter((place) => !known.has(idOf(place)))
    .map(({ listener: { hostname } }) => ({ hostname }));
}

/** Movers by hostname, so that those of other hosts are not looked at. */
class MoverIndex {
  /** Every exact hostname. */
  readonly hostnames = new Set<string>();
  readonly #exact = new Map<string, Mover[]>();
  readonly #others: Mover[] = [];

  constructor(movers: Iterable<Mover>) {
    for (const mover of movers) {
      const { hostname } = mover;
      if (hostname === undefined || hostname.startsWith("*.")) {
        this.#others.push(mover);
        continue;
      }
      this.hostnames.add(hostname);
      const same = this.#exact.get(hostname);
      if (same) same.push(mover);
      else this.#exact.set(hostname, [mover]);
    }
  }

  /** Movers that share a host with `hostname`. */
  *overlapping(hostname: string | undefined): Generator<Mover> {
    for (const other of this.#others) if (hostnamesOverlap(other.hostname, hostname)) yield other;
    if (hostname !== undefined && !hostname.startsWith("*.")) {
      yield* this.#exact.get(hostname) ?? [];
      return;
    }
    for (const [exact, same] of this.#exact) if (hostnamesOverlap(exact, hostname)) yield* same;
  }
}

/** Whether somebody is served at one side, and not by the same at the other. */
function isMoved(before: TrafficTarget | undefined, after: TrafficTarget | undefined): boolean {
  return (isAnswered(before) || isAnswered(after)) && placeOf(before) !== placeOf(after);
}

/** Whether requests reach a backend, or are answered as a route says. */
export function isAnswered(target: TrafficTarget | undefined): boolean {
  const decision = target?.decision;
  return decision === "backend" || decision === "redirect" || decision === "preflight";
}

/** Where requests go, whatever route sends them there; shares count, not weights. */
function placeOf(target: TrafficTarget | undefined): string {
  if (!target) return "";
  const { decision, backends, redirect } = target;
  const total = backends.reduce((sum, { weight }) => sum + weight, 0);
  const shares = new Map<string, number>();
  for (const { weight, cluster = "" } of backends) {
    if (weight > 0) shares.set(cluster, (shares.get(cluster) ?? 0) + weight / total);
  }
  const sorted = [...shares].map(([cluster, share]) => `${cluster} ${share.toFixed(6)}`).sort();
  return JSON.stringify([decision, sorted, redirect ?? null]);
}
