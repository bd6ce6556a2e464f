/** What differs between the kinds of routes: how rules are compiled, what entries they lead to. */

import type { ClusterName, RouteEntry } from "../../dataplane/model.ts";
import { compareHttpRouteEntries, compareStreamRouteEntries } from "../../dataplane/precedence.ts";
import type { ObjectKey } from "../../kube/object.ts";
import type { RouteKind } from "../route_kinds.ts";
import type { ComputeView, EntryOf, Meeting, RouteRules, RuleOf } from "./compute_view.ts";
import { computeGrpcRules } from "./grpc_rules.ts";
import { computeRouteEntries } from "./route_entries.ts";
import { computeRouteRules } from "./route_rules.ts";
import { visitClustersOfHttpEntry, visitClustersOfStreamEntry } from "./entry_clusters.ts";
import { computeStreamEntries } from "./stream_entries.ts";
import { computeStreamRules } from "./stream_rules.ts";

/** See the file's header. */
export interface RouteComputation<K extends RouteKind> {
  /** Compiles the rules of a route, once for all of its parents. */
  readonly computeRules: (view: ComputeView, key: ObjectKey) => RouteRules<RuleOf[K]>;
  /** The entries of a route at a listener that takes it, by precedence. */
  readonly makeEntries: (
    key: ObjectKey,
    creationTimestamp: string,
    rules: readonly RuleOf[K][],
    meeting: Pick<Meeting, "hostnames" | "endsTls">,
  ) => readonly EntryOf[K][];
  readonly entries: EntryOrder<EntryOf[K]>;
}

/** How entries of routes are ordered, and what they lead to. */
export interface EntryOrder<Entry extends RouteEntry> {
  readonly compare: (a: Entry, b: Entry) => number;
  readonly visitClusters: (entry: Entry, visit: (cluster: ClusterName) => void) => void;
}

const httpOrder: EntryOrder<EntryOf["HTTPRoute"]> = {
  compare: compareHttpRouteEntries,
  visitClusters: visitClustersOfHttpEntry,
};

const streamOrder: EntryOrder<EntryOf["TLSRoute"]> = {
  compare: compareStreamRouteEntries,
  visitClusters: visitClustersOfStreamEntry,
};

/** By the kind of the route. */
export const routeComputations: { readonly [K in RouteKind]: RouteComputation<K> } = {
  HTTPRoute: {
    computeRules: computeRouteRules,
    makeEntries: (key, created, rules, { hostnames }) =>
      computeRouteEntries("HTTPRoute", key, created, rules, hostnames),
    entries: httpOrder,
  },
  GRPCRoute: {
    computeRules: computeGrpcRules,
    makeEntries: (key, created, rules, { hostnames }) =>
      computeRouteEntries("GRPCRoute", key, created, rules, hostnames),
    entries: httpOrder,
  },
  TLSRoute: {
    computeRules: (view, key) => computeStreamRules(view, "TLSRoute", key),
    makeEntries: (...args) => computeStreamEntries("TLSRoute", ...args),
    entries: streamOrder,
  },
  TCPRoute: {
    computeRules: (view, key) => computeStreamRules(view, "TCPRoute", key),
    makeEntries: (...args) => computeStreamEntries("TCPRoute", ...args),
    entries: streamOrder,
  },
  UDPRoute: {
    computeRules: (view, key) => computeStreamRules(view, "UDPRoute", key),
    makeEntries: (...args) => computeStreamEntries("UDPRoute", ...args),
    entries: streamOrder,
  },
};
