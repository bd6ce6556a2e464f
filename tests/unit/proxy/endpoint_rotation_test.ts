/** What a user would lose: load spread evenly, and around endpoints that are down. */

import { assertEquals } from "@std/assert";
import { clusterName } from "../../../src/dataplane/model.ts";
import { EndpointRotation } from "../../../src/proxy/endpoint_rotation.ts";
import type { EndpointConnections } from "../../../src/proxy/upstream_pool.ts";
import { cluster } from "../../fakes/data_plane_config.ts";

function endpoint(key: string, suspectUntilMs = 0): EndpointConnections {
  return { key, suspectUntilMs, acquire: () => () => {}, closeIdle: () => {} };
}

function rotation(
  endpoints: readonly EndpointConnections[],
  random = 0,
): EndpointRotation {
  return new EndpointRotation(
    cluster(clusterName("default", "backend", 80), []),
    endpoints,
    () => random,
  );
}

Deno.test("EndpointRotation.next() takes one after the other from a random start", () => {
  const turns = rotation([endpoint("a"), endpoint("b"), endpoint("c")], 0.5);
  const keys = Array.from({ length: 5 }, () => turns.next([], 0)?.key);
  assertEquals(keys, ["b", "c", "a", "b", "c"]);
});

Deno.test("EndpointRotation.next() leaves out what was tried, also when others turned it on", () => {
  const [a, b] = [endpoint("a"), endpoint("b")];
  const turns = rotation([a, b]);
  assertEquals(turns.next([a], 0)?.key, "b");
  assertEquals(turns.next([a], 0)?.key, "b");
  assertEquals(turns.next([a, b], 0), undefined);
});

Deno.test("EndpointRotation.next() avoids an unreachable endpoint while there are others", () => {
  const [a, b] = [endpoint("a", 1_000), endpoint("b")];
  const turns = rotation([a, b]);
  assertEquals([turns.next([], 500)?.key, turns.next([], 500)?.key], ["b", "b"]);
  assertEquals(turns.next([b], 500)?.key, "a", "the last choice");
  assertEquals(turns.next([b], 1_000)?.key, "a", "tried again after a while");
});

Deno.test("EndpointRotation.next() has nothing without endpoints", () => {
  assertEquals(rotation([], 0.9).next([], 0), undefined);
});
