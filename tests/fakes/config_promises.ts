/** What holds of every configuration of a data plane, and of the statuses that speak of it. */

import { assert, assertEquals } from "@std/assert";
import { visitClustersOfAction } from "../../src/dataplane/action_clusters.ts";
import { hostMatches } from "../../src/dataplane/host.ts";
import type { DataPlaneConfig, Listener, RouteEntry } from "../../src/dataplane/model.ts";
import {
  compareHttpRouteEntries,
  compareStreamRouteEntries,
} from "../../src/dataplane/precedence.ts";
import type { Outputs } from "../../src/gateway/outputs.ts";
import { isRouteKind, routeKinds } from "../../src/gateway/route_kinds.ts";
import type { DesiredCondition } from "../../src/kube/desired_status.ts";
import { keyOf, type KubeObject, objectKey } from "../../src/kube/object.ts";
import { parentsOf } from "./naive_door.ts";

/** All names lead somewhere, nothing is there that no name leads to, and every list is sorted. */
export function assertWhole({ gateways, clusters, certificates }: DataPlaneConfig): void {
  const namedClusters = new Set<string>();
  const namedCertificates = new Set<string>();
  for (const { clientCertificate, listeners } of gateways.values()) {
    if (clientCertificate !== undefined) namedCertificates.add(clientCertificate);
    for (const listener of listeners) {
      for (const name of listener.certificates ?? []) namedCertificates.add(name);
      for (const { action } of listener.routes) {
        visitClustersOfAction(action, (name) => namedClusters.add(name));
      }
      for (const { backends } of listener.streams) {
        for (const { cluster } of backends) if (cluster !== undefined) namedClusters.add(cluster);
      }
      assertSorted(listener.routes, compareHttpRouteEntries, listener.name);
      assertSorted(listener.streams, compareStreamRouteEntries, listener.name);
      assertOneKindForEachHost(listener);
    }
  }
  assertEquals([...clusters.keys()].map(String), [...namedClusters].sort());
  assertEquals([...certificates.keys()].map(String), [...namedCertificates].sort());
}

/** Lists that were looked at: most stay from one configuration to the next. */
const sorted = new WeakSet<readonly unknown[]>();

function assertSorted<Entry>(
  entries: readonly Entry[],
  compare: (a: Entry, b: Entry) => number,
  where: string,
): void {
  if (sorted.has(entries)) return;
  sorted.add(entries);
  entries.forEach((entry, index) => {
    for (const later of entries.slice(index + 1)) {
      assert(compare(entry, later) < 0, `${where}: every entry is before all later ones`);
    }
  });
}

/** No host is served by routes of two kinds (GRPCRouteSpec, `hostnames`). */
function assertOneKindForEachHost({ name, hostname, routes }: Listener): void {
  for (const host of ["a.example.com", "x.a.example.com", "grpc.example.com", "other.org", "x.y"]) {
    const kinds = new Set(
      routes.filter((entry) => hostMatches(entry.hostname, host)).map(({ origin }) => origin.kind),
    );
    assert(kinds.size < 2, `${name} (${hostname}) serves ${host} by ${[...kinds].join(" and ")}`);
  }
}

/** A route that lost its hostnames lost them to one that the same parent took. */
export function assertRivalsHaveWinners({ statuses }: Outputs): void {
  const acceptedAt = (kind: string, key: string): readonly DesiredCondition[] => {
    const body = isRouteKind(kind)
      ? [...statuses[kind]].find(([found]) => found === key)?.[1].body
      : undefined;
    return body?.shape === "parents"
      ? body.parents.flatMap(({ conditions }) =>
        conditions.filter(({ type }) => type === "Accepted")
      )
      : [];
  };
  for (const kind of routeKinds) {
    for (const key of statuses[kind].keys()) {
      for (const { message } of acceptedAt(kind, key)) {
        const [, winner = "", winnerKey = ""] =
          /are taken by (\w+) "(.*)", which comes first$/.exec(message) ?? [];
        if (winner === "") continue;
        const isTaken = acceptedAt(winner, winnerKey).some(({ status }) => status === "True");
        assert(isTaken, `${kind} ${key} lost its hostnames to ${winner} ${winnerKey}`);
      }
    }
  }
}

/** A listener counts at least the routes that it serves, but for those that are refused and only bar. */
export function assertCounted({ dataPlane, gateways, statuses }: Outputs): void {
  const isAccepted = ({ kind, namespace, name }: RouteEntry["origin"]): boolean => {
    const body = isRouteKind(kind)
      ? statuses[kind].get(objectKey(namespace, name))?.body
      : undefined;
    return body?.shape === "parents" &&
      body.parents.some(({ conditions }) =>
        conditions.some(({ type, status }) => type === "Accepted" && status === "True")
      );
  };
  for (const config of dataPlane.gateways.values()) {
    const [namespace = "", name = ""] = config.key.split("/");
    const resolved = gateways.get(objectKey(namespace, name))?.listeners ?? [];
    assertEquals(resolved.map((found) => found.name), config.listeners.map((found) => found.name));
    config.listeners.forEach(({ routes, streams }, index) => {
      const served = new Set(
        [...routes, ...streams].map(({ origin }: RouteEntry) => origin).filter(isAccepted)
          .map(({ kind, namespace, name }) => `${kind} ${namespace}/${name}`),
      );
      const counted = resolved[index]?.attachedRoutes ?? 0;
      assert(served.size <= counted, `${config.key} counts ${counted} of ${served.size} routes`);
    });
  }
}

/** A route is told of each parent that is ours, and of no other: two controllers share its status. */
export function assertParentsTold(
  { statuses }: Outputs,
  objects: readonly KubeObject[],
  managed: readonly string[],
): void {
  const ours = new Set(managed);
  for (const route of objects) {
    const { kind } = route;
    if (!isRouteKind(kind)) continue;
    const wanted = parentsOf(route, objects).filter((parent) => ours.has(parent));
    const body = statuses[kind].get(keyOf(route))?.body;
    const told = body?.shape === "parents"
      ? body.parents.map(({ parentRef }) => {
        const { kind = "Gateway", namespace = route.metadata.namespace, name } = parentRef;
        return `${kind} ${namespace}/${name}`;
      })
      : [];
    assertEquals([...new Set(told)].sort(), [...wanted].sort(), `${kind} ${keyOf(route)}`);
  }
}
