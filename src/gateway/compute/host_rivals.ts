/**
 * HTTPRoutes and GRPCRoutes that want the same hostname of a listener (GRPCRouteSpec, `hostnames`).
 *
 * A hostname of a listener belongs to routes of one kind. Of two routes of different kinds whose
 * hostnames there overlap the older is accepted, by name if they are of one age; one that was
 * rejected takes nothing from others, and where it bars requests only what is left. Parents without
 * GRPCRoutes cost one read.
 */

import type { ObjectKey } from "../../kube/object.ts";
import type { ParentKey } from "../parent_keys.ts";
import { type RouteId, routeId } from "../route_kinds.ts";
import type { ComputeView, HostRivals, Meeting } from "./compute_view.ts";
import { hostnamesOverlap } from "./hostnames.ts";
import { routeSlices } from "./route_slices.ts";

const noRivals: HostRivals = new Map();

type Hostnames = readonly (string | undefined)[];

type MixedKind = "HTTPRoute" | "GRPCRoute";

interface Rival {
  readonly id: RouteId;
  readonly kind: MixedKind;
  readonly key: ObjectKey;
  readonly created: string;
  /** It only bars requests, and takes no hostname from a route that is accepted. */
  readonly isRefused: boolean;
  readonly meetings: readonly Meeting[];
}

/** The routes that lose a listener of `parent` to an older one of the other kind. */
export function computeHostRivals(view: ComputeView, parent: ParentKey): HostRivals {
  const grpc = view.routesOfParent("GRPCRoute", parent);
  if (grpc.length === 0) return noRivals;
  const rivals = [
    ...grpc.map((key) => rivalOf(view, "GRPCRoute", key, parent)),
    ...view.routesOfParent("HTTPRoute", parent).map((key) =>
      rivalOf(view, "HTTPRoute", key, parent)
    ),
  ].sort(compareRank);
  const losers = new Map<RouteId, ReadonlyMap<string, RouteId>>();
  const taken = new Map<string, Record<MixedKind, Holders>>();
  for (const { id, kind, meetings } of rivals) {
    const lost = new Map<string, RouteId>();
    for (const { listener, hostnames } of meetings) {
      let holders = taken.get(listener);
      if (!holders) {
        taken.set(listener, holders = { HTTPRoute: new Holders(), GRPCRoute: new Holders() });
      }
      const holder = holders[kind === "HTTPRoute" ? "GRPCRoute" : "HTTPRoute"].find(hostnames);
      if (holder) lost.set(listener, holder);
      else holders[kind].add(hostnames, id);
    }
    if (lost.size > 0) losers.set(id, lost);
  }
  return losers.size === 0 ? noRivals : losers;
}

/** The hostnames that routes of one kind have at a listener. */
class Holders {
  readonly #exact = new Map<string, RouteId>();
  /** Wildcards and none. */
  readonly #wide = new Map<string | undefined, RouteId>();

  add(hostnames: Hostnames, id: RouteId): void {
    for (const hostname of hostnames) {
      if (hostname !== undefined && !hostname.startsWith("*.")) this.#exact.set(hostname, id);
      else this.#wide.set(hostname, id);
    }
  }

  /** Who has one that overlaps one of `hostnames`. */
  find(hostnames: Hostnames): RouteId | undefined {
    for (const hostname of hostnames) {
      for (const [wide, id] of this.#wide) if (hostnamesOverlap(wide, hostname)) return id;
      if (hostname !== undefined && !hostname.startsWith("*.")) {
        const id = this.#exact.get(hostname);
        if (id !== undefined) return id;
        continue;
      }
      for (const [exact, id] of this.#exact) if (hostnamesOverlap(exact, hostname)) return id;
    }
    return undefined;
  }
}

function rivalOf(view: ComputeView, kind: MixedKind, key: ObjectKey, parent: ParentKey): Rival {
  const created = kind === "GRPCRoute"
    ? view.read(routeSlices.GRPCRoute.creationTimestamp, key)
    : view.read(routeSlices.HTTPRoute.creationTimestamp, key);
  const found = view.routeMeetings(kind, key).filter((one) => one.parent === parent);
  const meetings = found.flatMap((one) => one.meetings);
  const isRefused = found.every(({ fault }) => fault);
  return { id: routeId(kind, key), kind, key, created: created ?? "", isRefused, meetings };
}

function compareRank(a: Rival, b: Rival): number {
  if (a.isRefused !== b.isRefused) return a.isRefused ? 1 : -1;
  if (a.created !== b.created) return a.created < b.created ? -1 : 1;
  if (a.key !== b.key) return a.key < b.key ? -1 : 1;
  return a.kind < b.kind ? -1 : 1;
}
