/** How soon an outage of the API server is over for those who read it. */

import { assertEquals } from "@std/assert";
import { FollowedCluster } from "../../fakes/followed_cluster.ts";

const second = 1_000;
const minute = 60 * second;

// A user's new route waited 20 s after an upgrade of the control plane: each kind had its own waits of
// up to 30 s, and a 403 of a server that had yet to read its rules was taken for good.
Deno.test("After an outage all kinds are read within the shortest of their waits", async () => {
  let seed = 7;
  const random = (): number => (seed = seed * 16807 % 2147483647) / 2147483647;
  const cluster = new FollowedCluster({}, random);
  const kinds = [
    "HTTPRoute",
    "Gateway",
    "Service",
    "Secret",
    "GRPCRoute",
    "EndpointSlice",
  ] as const;
  for (const kind of kinds) cluster.follow(kind);
  await cluster.clock.settle();
  cluster.double.intercept = () => ({ type: "reset" });
  for (const kind of kinds) for (const stream of cluster.double.streams(kind)) stream.cut();
  await cluster.clock.advance(20 * minute);
  cluster.double.intercept = () => undefined;
  const live = (): number =>
    kinds.filter((kind) => cluster.source.states().get(kind)?.phase === "live").length;
  while (live() === 0) await cluster.clock.advance(50);
  await cluster.clock.advance(50);
  assertEquals(live(), kinds.length);
  await cluster.stop();
});

Deno.test("A server that comes back and does not know its rules yet is asked again soon", async () => {
  const cluster = new FollowedCluster();
  const routes = cluster.follow("HTTPRoute");
  cluster.double.put("HTTPRoute", "a");
  await cluster.clock.settle();
  cluster.double.intercept = () => ({ type: "reset" });
  for (const stream of cluster.double.streams("HTTPRoute")) stream.cut();
  await cluster.clock.advance(20 * minute);
  cluster.double.intercept = () => undefined;
  cluster.double.forbidden.add("HTTPRoute");
  cluster.double.put("HTTPRoute", "c");
  await cluster.clock.advance(40 * second);
  assertEquals(cluster.source.states().get("HTTPRoute")?.phase, "forbidden");
  cluster.double.forbidden.clear();
  await cluster.clock.advance(5 * second);
  assertEquals([routes.objects.size, routes.snapshotCount], [2, 1]);
  await cluster.stop();
});
