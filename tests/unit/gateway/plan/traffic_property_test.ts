/**
 * What a user would lose: a plan that names traffic which does not move, or says that none does when
 * some will. Random Gateways and edits, judged by a router that is written down as the API says it.
 */

import { assert } from "@std/assert";
import fc from "fast-check";
import {
  clusterName,
  type DataPlaneConfig,
  type GatewayConfig,
  type HttpRouteEntry,
  type Listener,
} from "../../../../src/dataplane/model.ts";
import { compareHttpRouteEntries } from "../../../../src/dataplane/precedence.ts";
import { findTrafficChanges } from "../../../../src/gateway/plan/traffic_changes.ts";
import { cluster, configOf, loopback } from "../../../fakes/data_plane_config.ts";
import {
  naiveEntry,
  naiveListener,
  type NaivePlace,
  type PlainRequest,
} from "../../../fakes/naive_routing.ts";
import { gateways, plainRequests, routeEntries } from "../../../fakes/random_routing.ts";

const addresses = ["127.0.0.1", "127.0.0.2"];
const ports = [80, 81];

/** A backend for each rule, so that every move is to be seen. */
function withBackend(entry: HttpRouteEntry): HttpRouteEntry {
  const name = clusterName("default", `${entry.origin.name}-${entry.ruleIndex}`, 80);
  const backends = [{ weight: 1, cluster: name, filters: [] }];
  return { ...entry, action: { ...entry.action, backends } };
}

const clusters = ["r1", "r2", "r3"].flatMap((name) =>
  [0, 1, 2].map((rule) => cluster(clusterName("default", `${name}-${rule}`, 80), loopback(1)))
);

function configWith(found: readonly GatewayConfig[]): DataPlaneConfig {
  return configOf({ gateways: found, clusters });
}

/** What is done to the Gateways: to the first listener of one of them, or to a whole one. */
type Edit = (
  found: readonly GatewayConfig[],
  entries: readonly HttpRouteEntry[],
) => readonly GatewayConfig[];

function editListener(edit: (listener: Listener, entries: readonly HttpRouteEntry[]) => Listener) {
  return (found: readonly GatewayConfig[], entries: readonly HttpRouteEntry[]) =>
    found.map((gateway, index) =>
      index > 0 ? gateway : {
        ...gateway,
        listeners: gateway.listeners.map((listener, at) =>
          at > 0 ? listener : edit(listener, entries)
        ),
      }
    );
}

const edits: readonly Edit[] = [
  (found) => found,
  (found) => found.slice(1),
  (found) => found.map((gateway, index) => index > 0 ? gateway : { ...gateway, listeners: [] }),
  (found) => found.map((gateway, index) => index > 0 ? gateway : { ...gateway, addresses }),
  editListener((listener) => ({ ...listener, routes: listener.routes.slice(1) })),
  editListener((listener) => ({ ...listener, routes: [] })),
  editListener(({ hostname: _, ...listener }) => listener),
  editListener((listener) => ({ ...listener, hostname: "a.x.io" })),
  editListener((listener, entries) => ({
    ...listener,
    routes: [...listener.routes, ...entries].sort(compareHttpRouteEntries),
  })),
];

/** `GATEWAY LISTENER CLUSTER`, as far as there is one. */
function naiveAnswer(
  config: DataPlaneConfig,
  address: string,
  port: number,
  request: PlainRequest,
): string {
  const places = [...config.gateways.values()].filter((one) => one.addresses.includes(address))
    .flatMap(({ key, creationTimestamp, listeners }): readonly NaivePlace[] =>
      listeners.filter((listener) => listener.port === port)
        .map((listener) => ({ gateway: key, created: creationTimestamp, listener }))
    );
  const place = naiveListener(places, request.host);
  const entry = place && naiveEntry(place.listener.routes, request);
  return entry?.action.backends[0]?.cluster ?? "";
}

const hasExpression = ({ match: { path, headers, queryParams } }: HttpRouteEntry): boolean =>
  [path, ...headers, ...queryParams].some(({ type }) => type === "RegularExpression");

const worlds = fc.record({
  found: gateways.map((all) =>
    all.map((gateway) => ({
      ...gateway,
      listeners: gateway.listeners.map((listener) => ({
        ...listener,
        routes: listener.routes.map(withBackend),
      })),
    }))
  ),
  edit: fc.constantFrom(...edits),
  entries: fc.array(routeEntries.map(withBackend), { minLength: 1, maxLength: 2 }),
  requests: fc.array(plainRequests, { minLength: 40, maxLength: 40 }),
});

Deno.test("findTrafficChanges() tells moves that happen, and of some when any request moves", () => {
  let told = 0;
  let moved = 0;
  fc.assert(
    fc.property(worlds, ({ found, edit, entries, requests }) => {
      const [before, after] = [configWith(found), configWith(edit(found, entries))];
      const { changes, isWhole } = findTrafficChanges(before, after);
      for (const { port, request, ...targets } of changes) {
        const plain: PlainRequest = {
          ...request,
          query: request.queryParams.map(({ name, value }) => `${name}=${value}`).join("&"),
          headers: request.headers.map(({ name, value }) => [name, value] as const),
        };
        const claimed = [targets.before, targets.after]
          .map((target) => target?.backends[0]?.cluster ?? "");
        assert(claimed[0] !== claimed[1]);
        // At one of the addresses it is so.
        const real = addresses.map((address) =>
          [before, after].map((config) => naiveAnswer(config, address, port, plain)).join()
        );
        assert(real.includes(claimed.join()), `${claimed} is none of ${real}`);
        told++;
      }
      const movers = requests.filter((request) =>
        addresses.some((address) =>
          ports.some((port) =>
            naiveAnswer(before, address, port, request) !==
              naiveAnswer(after, address, port, request)
          )
        )
      );
      const isPlain = ![...found.flatMap(({ listeners }) => listeners), { routes: entries }]
        .some(({ routes }) => routes.some(hasExpression));
      if (isPlain) assert(isWhole);
      if (isWhole && movers.length > 0) assert(changes.length > 0, JSON.stringify(movers[0]));
      moved += movers.length;
    }),
    { numRuns: 2000 },
  );
  assert(told > 300 && moved > 1000, `${told} told, ${moved} moved`);
});
