// What a user would lose: an explanation that tells a dead backend from a wrong reference, and says
// which part of the traffic meets which of them.

import { assertEquals } from "@std/assert";
import { type ClusterName, clusterName } from "../../../src/dataplane/model.ts";
import { outcomeOf } from "../../../src/dataplane/request_outcome.ts";
import { cluster, loopback } from "../../fakes/data_plane_config.ts";
import { routeEntry } from "../../fakes/route_entries.ts";

const ready = clusterName("default", "ready", 80);
const empty = clusterName("default", "empty", 80);
const clusters = new Map([
  [ready, cluster(ready, loopback(3000))],
  [empty, cluster(empty, [])],
]);

const get = { method: "GET", rawHeaders: [] };

function outcome(...shares: readonly (readonly [weight: number, name?: ClusterName])[]) {
  const backends = shares.map(([weight, name]) => ({
    weight,
    filters: [],
    ...(name === undefined ? {} : { cluster: name }),
  }));
  const { decision, shares: found } = outcomeOf(
    routeEntry({ action: { backends } }),
    clusters,
    get,
  );
  return [decision, ...found.map(({ share, outcome }) => `${share} ${outcome}`)];
}

Deno.test("outcomeOf() divides the traffic by weight and judges each share", () => {
  assertEquals(outcome([3, ready], [1, empty]), ["backend", "0.75 backend", "0.25 503"]);
  assertEquals(outcome([1, empty], [1]), ["500", "0.5 503", "0.5 500"]);
  assertEquals(outcome([3, empty], [1]), ["503", "0.75 503", "0.25 500"]);
  assertEquals(outcome([1, clusterName("default", "gone", 80)]), ["500", "1 500"]);
});

Deno.test("outcomeOf() answers 500 for a rule that leads nowhere", () => {
  assertEquals(outcome(), ["500"]);
  assertEquals(outcome([0, ready]), ["500", "0 backend"]);
});

Deno.test("outcomeOf() answers gRPC 503 where HTTP gets 500, so that callers see Unavailable", () => {
  const entry = routeEntry({ grpc: { service: "foo.Bar" } });
  assertEquals(outcomeOf(entry, clusters, get).decision, "503");
  const action = { filters: [], backends: [{ weight: 1, filters: [] }] };
  const { decision, shares } = outcomeOf({ ...entry, action }, clusters, get);
  assertEquals([decision, ...shares.map(({ outcome }) => outcome)], ["503", "503"]);
});

Deno.test("outcomeOf() takes a redirect for the answer, whatever the backends are", () => {
  const redirect = { statusCode: 301, scheme: "https" } as const;
  const entry = routeEntry({
    action: {
      filters: [{ type: "RequestRedirect", redirect }],
      backends: [{ weight: 1, cluster: ready, filters: [] }],
    },
  });
  assertEquals(outcomeOf(entry, clusters, get), { decision: "redirect", redirect, shares: [] });
});

Deno.test("outcomeOf() lets the gateway answer a preflight where there is a CORS filter, only there", () => {
  const preflight = {
    method: "OPTIONS",
    rawHeaders: ["Origin", "https://a", "Access-Control-Request-Method", "PUT"],
  };
  const cors = {
    allowOrigins: [],
    allowMethods: [],
    allowHeaders: [],
    exposeHeaders: [],
    allowCredentials: false,
    maxAgeSeconds: 5,
  };
  const backends = [{ weight: 1, cluster: ready, filters: [] }];
  const withCors = routeEntry({ action: { filters: [{ type: "CORS", cors }], backends } });
  const without = routeEntry({ action: { backends } });
  assertEquals(outcomeOf(withCors, clusters, preflight).decision, "preflight");
  assertEquals(outcomeOf(withCors, clusters, { ...preflight, rawHeaders: [] }).decision, "backend");
  assertEquals(outcomeOf(without, clusters, preflight).decision, "backend");
});
